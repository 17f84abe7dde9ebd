/** The bundled controller of `src/runtime/guest`, as source text; the build provides it. */
declare module "guest:source" {
  const source: string;
  export default source;
}
