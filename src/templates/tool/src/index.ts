import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
import { Type } from "typebox";

export default defineToolPlugin({
  id: "__ID__",
  name: "__NAME__",
  description: "Agent tools for __NAME__.",
  tools: (tool) => [
    tool({
      name: "echo",
      label: "Echo",
      description: "Echo input text.",
      parameters: Type.Object({
        input: Type.String({ description: "Text to echo." }),
      }),
      // Closed objects let a model see the whole shape of the result before it calls the tool.
      outputSchema: Type.Object({ input: Type.String() }, { additionalProperties: false }),
      execute: async ({ input }) => ({ input }),
    }),
  ],
});
