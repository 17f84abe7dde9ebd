// The package ships no types; this is the part of its interface that is used here.
declare module "npm-packlist" {
  export interface PackTree {
    path: string;
    package: Record<string, unknown>;
    isProjectRoot: boolean;
    edgesOut: ReadonlyMap<string, unknown>;
  }
  export type Packlist = (tree: PackTree) => Promise<string[]>;
  const packlist: Packlist;
  export default packlist;
}
