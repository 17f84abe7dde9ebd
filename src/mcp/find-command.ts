import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/**
 * The file a command line starts, as the system would find it.
 * @throws Error that says in one line why there is none
 */
export function findCommand(command: string, searchPath: string | undefined, cwd: string): string {
  const shown = JSON.stringify(command);
  const named = command.includes("/");
  const candidates = named
    ? [isAbsolute(command) ? command : resolve(cwd, command)]
    : (searchPath ?? "").split(delimiter).map((folder) => join(resolve(cwd, folder), command));
  let refused = false;
  for (const file of candidates) {
    try {
      if (!statSync(file).isFile()) continue;
      accessSync(file, constants.X_OK);
      return file;
    } catch (error) {
      refused ||= (error as NodeJS.ErrnoException).code === "EACCES";
    }
  }
  if (refused) throw new Error(`${shown} may not be run (EACCES)`);
  throw new Error(`there is no command ${shown} (ENOENT)`);
}
