import { join } from "node:path";
import ts from "typescript";

export interface Diagnostic {
  file: string;
  /** 1-based. */
  line: number;
  message: string;
}

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  skipLibCheck: true,
  types: [],
  lib: ["lib.es2022.d.ts"],
};

const libraries = new Map<string, ts.SourceFile | undefined>();

/** Every error the compiler finds in these files under `strict`, checked as one program. */
export function diagnose(files: ReadonlyMap<string, string>): Diagnostic[] {
  const sources = new Map(
    [...files].map(([name, text]) => [name, ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true)]),
  );
  const library = join(ts.getDefaultLibFilePath(options), "..");
  const host: ts.CompilerHost = {
    fileExists: (name) => sources.has(name) || ts.sys.fileExists(name),
    readFile: (name) => files.get(name) ?? ts.sys.readFile(name),
    getSourceFile(name, version) {
      const own = sources.get(name);
      if (own !== undefined) return own;
      if (!libraries.has(name)) {
        const text = ts.sys.readFile(name);
        libraries.set(name, text === undefined ? undefined : ts.createSourceFile(name, text, version));
      }
      return libraries.get(name);
    },
    getDefaultLibFileName: () => join(library, "lib.es2022.d.ts"),
    getDefaultLibLocation: () => library,
    writeFile: () => {},
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    directoryExists: () => true,
    getDirectories: () => [],
  };
  const program = ts.createProgram({ rootNames: [...sources.keys()], options, host });
  return [...sources].flatMap(([file, source]) =>
    [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((found) => ({
      file,
      line: source.getLineAndCharacterOfPosition(found.start ?? 0).line + 1,
      message: ts.flattenDiagnosticMessageText(found.messageText, " "),
    })),
  );
}

/** A JSON value as a TypeScript expression; keys such as `__proto__` stay keys. */
export function expression(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(expression).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `[${JSON.stringify(key)}]: ${expression(member)}`,
  );
  return `{ ${members.join(", ")} }`;
}
