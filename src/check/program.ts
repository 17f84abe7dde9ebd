import { posix } from "node:path";
import type ts from "typescript";
import type { CellLanguage } from "../runtime/types.js";

export type TypeScript = typeof ts;

/** A cell as the compiler understands it, among its declarations. */
export interface CellProgram {
  ts: TypeScript;
  checker: ts.TypeChecker;
  cell: ts.SourceFile;
  diagnostics: readonly ts.Diagnostic[];
  /** Offset in the author's source of an offset in `cell`. */
  offsetInSource(offset: number): number;
}

// The compiler does not look at what a top-level return gives back, so the cell becomes a function.
const BEFORE = "void (async () => {\n";
const AFTER = "\n})();\n";

/**
 * Type-checks a cell as the body of an async function in a module of its own; one whose default export is
 * a function stands as it is. Nothing is read from disk but the compiler's own library files. Loads the
 * compiler.
 */
export async function compileCell(
  source: string,
  language: CellLanguage,
  declarations: ReadonlyMap<string, string>,
): Promise<CellProgram> {
  const { default: ts } = await import("typescript");
  const name = language === "typescript" ? "/cell.ts" : "/cell.js";
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    lib: ["lib.esnext.d.ts"],
    types: [],
    allowJs: true,
    checkJs: true,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    skipDefaultLibCheck: true,
    noResolve: true,
    allowUnreachableCode: true,
    allowUnusedLabels: true,
  };
  const text = source.replace(/\bexport\s*\{\s*\}/g, (empty) => empty.replace(/[^\r\n]/g, " "));
  const wrapped = !/\bexport\s+default\b/.test(text);
  const texts = new Map(declarations).set(name, wrapped ? BEFORE + text + AFTER : text);
  const program = ts.createProgram({
    rootNames: [...texts.keys()],
    options,
    host: host(ts, texts, options),
  });
  const cell = program.getSourceFile(name);
  if (cell === undefined) throw new Error("the compiler did not read the cell");
  return {
    ts,
    checker: program.getTypeChecker(),
    cell,
    diagnostics: program.getSemanticDiagnostics(cell),
    offsetInSource: (offset) => Math.max(0, wrapped ? offset - BEFORE.length : offset),
  };
}

const libraries = new Map<string, ts.SourceFile>();

function host(
  ts: TypeScript,
  texts: ReadonlyMap<string, string>,
  options: ts.CompilerOptions,
): ts.CompilerHost {
  const folder = posix.dirname(ts.getDefaultLibFilePath(options));
  return {
    getSourceFile: (path, languageVersion) => {
      const text = texts.get(path);
      if (text !== undefined) return ts.createSourceFile(path, text, languageVersion, true);
      if (!path.startsWith(folder)) return undefined;
      let file = libraries.get(path);
      const found = file === undefined ? ts.sys.readFile(path) : undefined;
      if (found !== undefined) {
        file = ts.createSourceFile(path, found, languageVersion, true);
        libraries.set(path, file);
      }
      return file;
    },
    getDefaultLibFileName: () => posix.join(folder, "lib.esnext.d.ts"),
    getDefaultLibLocation: () => folder,
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    fileExists: (path) => texts.has(path),
    readFile: (path) => texts.get(path),
    writeFile: () => {},
  };
}
