/** What a scaffold is filled with. */
export interface TemplateValues {
  id: string;
  /** Display name, any text on one line. */
  name: string;
  /** Range or `file:` path of the `openclaw` devDependency. */
  toolchain: string;
  version: string;
}

const TOKEN = /__(ID|NAME|ENV|OPTION|TOOLCHAIN|VERSION)__/g;

/** `stock-quotes` -> `STOCK_QUOTES`. */
function upperSnake(id: string): string {
  return id.replaceAll("-", "_").toUpperCase();
}

/** `stock-quotes` -> `stockQuotes`. */
function lowerCamel(id: string): string {
  return id.replace(/-+(.)?/g, (_, next: string | undefined) => (next ?? "").toUpperCase());
}

/**
 * A template's text with its tokens replaced. In code and JSON every token stands inside double quotes, so
 * values go in as the inside of a JSON string; elsewhere they go in as they are.
 */
export function fillTemplate(text: string, path: string, values: TemplateValues): string {
  const quoted = /\.(ts|json)$/.test(path);
  const byToken: Record<string, string> = {
    ID: values.id,
    NAME: values.name,
    ENV: `${upperSnake(values.id)}_API_KEY`,
    OPTION: `${lowerCamel(values.id)}ApiKey`,
    TOOLCHAIN: values.toolchain,
    VERSION: values.version,
  };
  return text.replace(TOKEN, (_, token: string) => {
    const value = byToken[token] ?? "";
    return quoted ? JSON.stringify(value).slice(1, -1) : value;
  });
}

/** `my_cool-tool2` -> `My Cool Tool2`. */
export function titleOf(id: string): string {
  return id
    .split(/[-_]/)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}
