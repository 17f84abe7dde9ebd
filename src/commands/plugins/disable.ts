import type { Command } from "commander";
import type { CommandContext } from "../command.js";
import { configureSwitch } from "./switch.js";

export function configure(command: Command, context: CommandContext): void {
  configureSwitch(command, context, false);
}
