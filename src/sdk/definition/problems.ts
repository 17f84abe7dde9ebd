/** One thing wrong with a definition, where it is. */
export interface DefinitionProblem {
  /** Tool name, or `#index` for a tool without one; absent when the plugin itself is meant. */
  tool?: string;
  field: string;
  message: string;
}

/** Thrown by `defineToolPlugin` for a definition no host could use. Lists everything found, not only the first. */
export class ToolPluginDefinitionError extends TypeError {
  readonly problems: readonly DefinitionProblem[];

  constructor(plugin: unknown, problems: readonly DefinitionProblem[]) {
    const label = typeof plugin === "string" && plugin.trim() !== "" ? ` "${plugin}"` : "";
    super(`defineToolPlugin${label}: ${problems.map(describeProblem).join("; ")}`);
    this.name = "ToolPluginDefinitionError";
    this.problems = problems;
  }
}

export function describeProblem({ tool, field, message }: DefinitionProblem): string {
  return tool === undefined ? `${field} ${message}` : `tool "${tool}": ${field} ${message}`;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `undefined`, `null` and the like read better by name than by `typeof`. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Problems of everything but the tools. */
export function pluginProblems(definition: unknown): DefinitionProblem[] {
  if (!isRecord(definition)) {
    return [{ field: "definition", message: `must be an object, not ${kindOf(definition)}` }];
  }
  const problems: DefinitionProblem[] = [];
  const add = (field: string, message: string): void => void problems.push({ field, message });
  for (const field of ["id", "name", "description"]) {
    const value = definition[field];
    if (typeof value !== "string") add(field, `must be a string, not ${kindOf(value)}`);
    else if (field === "id" && value.trim() === "") add(field, "must not be blank");
  }
  if (definition.activation !== undefined && !isRecord(definition.activation)) {
    add("activation", `must be an object, not ${kindOf(definition.activation)}`);
  }
  if (definition.configSchema !== undefined && !isRecord(definition.configSchema)) {
    add("configSchema", `must be a schema object, not ${kindOf(definition.configSchema)}`);
  }
  if (typeof definition.tools !== "function") {
    add("tools", `must be a function that returns a list of tools, not ${kindOf(definition.tools)}`);
  }
  return problems;
}

/** Problems of the list `tools` returned. */
export function toolListProblems(list: unknown): DefinitionProblem[] {
  if (list instanceof Promise) {
    return [{ field: "tools", message: "must return its list at once, not a promise" }];
  }
  if (!Array.isArray(list)) {
    return [{ field: "tools", message: `must return an array, not ${kindOf(list)}` }];
  }
  const problems: DefinitionProblem[] = [];
  const seen = new Map<string, number>();
  list.forEach((tool: unknown, index) => {
    problems.push(...toolProblems(tool, index));
    const name = isRecord(tool) ? tool.name : undefined;
    if (typeof name !== "string" || name.trim() === "") return;
    const first = seen.get(name);
    if (first === undefined) seen.set(name, index);
    else
      problems.push({
        tool: name,
        field: "name",
        message: `is used twice (tools #${first} and #${index}); names must be unique`,
      });
  });
  return problems;
}

function toolProblems(tool: unknown, index: number): DefinitionProblem[] {
  if (!isRecord(tool)) {
    return [{ tool: `#${index}`, field: "definition", message: `must be an object, not ${kindOf(tool)}` }];
  }
  const named = typeof tool.name === "string" && tool.name.trim() !== "";
  const label = named ? (tool.name as string) : `#${index}`;
  const problems: DefinitionProblem[] = [];
  const add = (field: string, message: string): void => void problems.push({ tool: label, field, message });
  if (!named) {
    add(
      "name",
      typeof tool.name === "string" ? "must not be blank" : `must be a string, not ${kindOf(tool.name)}`,
    );
  }
  if (tool.label !== undefined && typeof tool.label !== "string") {
    add("label", `must be a string, not ${kindOf(tool.label)}`);
  }
  if (typeof tool.description !== "string") {
    add("description", `must be a string, not ${kindOf(tool.description)}`);
  }
  if (!isRecord(tool.parameters)) {
    add("parameters", `must be a schema object, not ${kindOf(tool.parameters)}`);
  }
  if (tool.outputSchema !== undefined && !isRecord(tool.outputSchema)) {
    add("outputSchema", `must be a schema object, not ${kindOf(tool.outputSchema)}`);
  }
  if (tool.optional !== undefined && typeof tool.optional !== "boolean") {
    add("optional", `must be true or false, not ${kindOf(tool.optional)}`);
  }
  if (![undefined, true, false, "execute"].includes(tool.workspaceAccess as never)) {
    add("workspaceAccess", 'must be false, "execute" or true');
  }
  problems.push(...bodyProblems(tool).map((problem) => ({ tool: label, ...problem })));
  return problems;
}

function bodyProblems(tool: Record<string, unknown>): DefinitionProblem[] {
  const { execute, factory } = tool;
  if (execute === undefined && factory === undefined) {
    return [{ field: "execute", message: "is missing; define execute or factory" }];
  }
  if (execute !== undefined && factory !== undefined) {
    return [{ field: "factory", message: "stands beside execute; define one of them" }];
  }
  if (execute !== undefined && typeof execute !== "function") {
    return [{ field: "execute", message: `must be a function, not ${kindOf(execute)}` }];
  }
  if (factory !== undefined && typeof factory !== "function") {
    return [{ field: "factory", message: `must be a function, not ${kindOf(factory)}` }];
  }
  if (factory !== undefined && tool.outputSchema !== undefined) {
    return [
      {
        field: "outputSchema",
        message: "does not belong on a factory tool; put it on the tool the factory returns",
      },
    ];
  }
  return [];
}
