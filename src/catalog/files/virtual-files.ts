import { type ApiFile, type ApiFileInfo, CatalogInputError } from "../types.js";
import { isUnder, normalizeApiPath, normalizeApiPrefix } from "./paths.js";

/** A file whose text is made when first asked for. */
export interface FileSource {
  path: string;
  description?: string;
  /** Whether a listing states the size, which makes the text. */
  sized: boolean;
  render: () => string;
}

/** The read-only tree of a run's `API`, in listing order. */
export class VirtualFiles {
  readonly #sources: ReadonlyMap<string, FileSource>;
  readonly #rendered = new Map<string, ApiFile>();

  constructor(sources: readonly FileSource[]) {
    this.#sources = new Map(sources.map((source) => [source.path, source]));
  }

  /** Everything, or one file or folder. Throws `CatalogInputError` for an invalid prefix. */
  list(prefix?: unknown): ApiFileInfo[] {
    const wanted = normalizeApiPrefix(prefix);
    return [...this.#sources.values()]
      .filter(({ path }) => wanted === undefined || isUnder(path, wanted))
      .map((source) =>
        source.sized
          ? {
              path: source.path,
              ...(source.description === undefined ? {} : { description: source.description }),
              bytes: this.#file(source).bytes,
            }
          : { path: source.path },
      );
  }

  /** Throws `CatalogInputError` for an invalid or unknown path, and whatever rendering throws. */
  read(path: unknown): ApiFile {
    const normalized = normalizeApiPath(path);
    const source = this.#sources.get(normalized);
    if (source === undefined) {
      throw new CatalogInputError(`Unknown API file: ${normalized}; API.list() shows what exists`, true);
    }
    return this.#file(source);
  }

  #file(source: FileSource): ApiFile {
    const known = this.#rendered.get(source.path);
    if (known !== undefined) return known;
    const content = source.render();
    const file: ApiFile = {
      path: source.path,
      content,
      ...(source.description === undefined ? {} : { description: source.description }),
      bytes: Buffer.byteLength(content),
    };
    this.#rendered.set(source.path, file);
    return file;
  }
}
