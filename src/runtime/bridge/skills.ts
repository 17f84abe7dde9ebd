import type { CellSessionOptions } from "../types.js";
import { BridgeFailure } from "./failure.js";

type Skills = NonNullable<CellSessionOptions["skills"]>;

export function listSkills(skills: Skills): { name: string; description: string; location: string }[] {
  return skills.map(({ name, description, location }) => ({ name, description, location }));
}

/** The whole instructions of a skill. @throws BridgeFailure `invalid_input` for an unknown name */
export async function readSkill(skills: Skills, name: unknown): Promise<string> {
  const skill = skills.find((candidate) => candidate.name === name);
  if (skill !== undefined) return skill.read();
  const shown = typeof name === "string" ? JSON.stringify(name.slice(0, 80)) : typeof name;
  const known = skills.map((candidate) => candidate.name).join(", ") || "(none)";
  throw new BridgeFailure(`no skill ${shown}; available: ${known}`, "invalid_input");
}
