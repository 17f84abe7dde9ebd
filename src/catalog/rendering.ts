/** Stand-ins until the declaration renderers exist. */
export function declareNative(tool: {
  callableName: string;
  source: string;
  parameters: unknown;
  outputSchema: unknown;
}): string {
  return `declare function ${tool.callableName}(input: unknown): Promise<unknown>;`;
}

export interface McpParam {
  name: string;
  optional: boolean;
  description?: string;
  default?: unknown;
}

export function renderMcpParams(_schema: unknown): {
  optionalInput: boolean;
  typeText: string;
  params: McpParam[];
} {
  return { optionalInput: true, typeText: "Record<string, unknown>", params: [] };
}
