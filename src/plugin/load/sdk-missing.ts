export interface WantedNames {
  names: string[];
  /** The module is only ever imported by `import()`, so importing it is using it. */
  dynamicOnly: boolean;
}

const NAME = "[\\p{ID_Start}$_][\\p{ID_Continue}$\\u200c\\u200d]*";

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/**
 * The names a source text takes from a module, found by pattern: exact enough to invent exports for, cheap
 * enough for bundles of any size. Text that only looks like an import adds a name nobody asks for.
 */
export function importedNames(source: string, specifier: string): WantedNames {
  const quoted = `["']${escapeRegExp(specifier)}["']`;
  const names = new Set<string>();
  let isStatic = false;
  for (const match of source.matchAll(
    new RegExp(`\\b(?:import|export)\\b([^"'\`;()=]*?)\\bfrom\\s*${quoted}`, "gu"),
  )) {
    isStatic = true;
    addClauseNames(match[1] ?? "", source, names);
  }
  if (new RegExp(`\\bimport\\s*${quoted}`, "u").test(source)) isStatic = true;
  for (const match of source.matchAll(
    new RegExp(`\\{([^{}]*)\\}\\s*=\\s*await\\s+import\\(\\s*${quoted}`, "gu"),
  )) {
    addBraceNames((match[1] ?? "").replace(/:/g, " as "), names);
  }
  return { names: [...names], dynamicOnly: !isStatic && names.size === 0 };
}

function addBraceNames(list: string, names: Set<string>): void {
  for (const part of list.split(",")) {
    const name = new RegExp(`^\\s*(?:type\\s+)?(${NAME})`, "u").exec(part)?.[1];
    if (name !== undefined && !/^\s*type\s+(?!as\b)/.test(part)) names.add(name);
  }
}

function addClauseNames(clause: string, source: string, names: Set<string>): void {
  const text = clause.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, " ");
  if (/^\s*type\s+(?!,|from\b)/.test(text)) return;
  const braces = /\{([^}]*)\}/.exec(text);
  if (braces !== null) addBraceNames(braces[1] ?? "", names);
  const outside = text.replace(/\{[^}]*\}/, "");
  const namespace = new RegExp(`\\*\\s*as\\s+(${NAME})`, "u").exec(outside)?.[1];
  if (namespace !== undefined) {
    const member = new RegExp(
      `(?<![\\p{ID_Continue}$.])${escapeRegExp(namespace)}\\s*\\.\\s*(${NAME})`,
      "gu",
    );
    for (const match of source.matchAll(member)) names.add(match[1] ?? "default");
  }
  if (new RegExp(`^\\s*${NAME}`, "u").test(outside)) names.add("default");
}

export interface MissingModule {
  specifier: string;
  plugin: string;
  names: readonly string[];
  /** The module these names are missing from; absent when the whole subpath is unknown. */
  knownUrl?: string;
  failWhenImported?: boolean;
}

/** What a use of something we do not provide says. */
export function missingMessage(plugin: string, specifier: string, name?: string): string {
  const what = name === undefined || name === "default" ? specifier : `${name} of ${specifier}`;
  return `plugin ${plugin} uses ${what}, which this toolchain does not provide`;
}

/**
 * A value that stands for something we do not provide: it can be imported, passed and tested, and any
 * other use throws, naming plugin and place. While the SDK loads a channel's bundle, uses give more such
 * values instead: bundles prepare much at load time that nobody here will ever call. Written without free
 * names, since its text is put in modules.
 */
export function missingValue(message: string): unknown {
  const loading = Symbol.for("openclaw.host.loading-bundle");
  const use = (): unknown => {
    if ((globalThis as { [key: symbol]: unknown })[loading] === true) return make();
    throw new Error(message);
  };
  const make = (): unknown =>
    new Proxy(function missing() {}, {
      apply: use,
      construct: use as () => object,
      set: () => use() !== undefined,
      get: (_target, key) => {
        if (key === Symbol.iterator && use()) return () => [].values();
        if (key === Symbol.toPrimitive && use()) return (hint: string) => (hint === "number" ? 0 : "");
        if (key === "then" || typeof key === "symbol") return undefined;
        return use();
      },
    });
  return make();
}

/** Source of an ES module that stands in for what we do not provide. */
export function missingModule(module: MissingModule): string {
  const { plugin, specifier, names, knownUrl } = module;
  if (module.failWhenImported) {
    return `throw new Error(${JSON.stringify(missingMessage(plugin, specifier))});`;
  }
  const lines = [`const missingValue = ${missingValue.toString()};`];
  if (knownUrl !== undefined) lines.push(`export * from ${JSON.stringify(knownUrl)};`);
  names.forEach((name, index) => {
    const message = missingMessage(plugin, specifier, name);
    lines.push(`const m${index} = missingValue(${JSON.stringify(message)});`);
    lines.push(`export { m${index} as ${name} };`);
  });
  return lines.join("\n");
}
