import type { Command } from "commander";
import { configJsonSchema } from "../../config/schema.js";
import { type CommandContext, examples } from "../command.js";

export function configure(command: Command, { reporter }: CommandContext): void {
  command.option("--json", "the same output").action(() => {
    const schema = configJsonSchema();
    reporter.document(schema);
    reporter.print(JSON.stringify(schema, null, 2));
  });
  examples(command, ["openclaw config schema > openclaw.schema.json"]);
}
