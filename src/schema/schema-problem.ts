import { type Place, pointer } from "./pointer.js";

/** A schema that cannot be used, with the place of the reason. */
export class SchemaProblem extends Error {
  constructor(place: Place | undefined, text: string) {
    super(`${pointer(place)}: ${text}`);
    this.name = "SchemaProblem";
  }
}
