import { Refusal } from "#util/pure";
import type { PickChoice, Terminal } from "../command.ts";

/** Asks a person which ones are wanted; undefined where nobody can answer. */
export function skillPicker(
  { pick }: Pick<Terminal, "pick">,
  message: string,
): (<T extends PickChoice>(skills: readonly T[]) => Promise<readonly T[]>) | undefined {
  if (pick === undefined) return undefined;
  return async (skills) => {
    const chosen = await pick(message, skills);
    if (chosen === undefined) throw new Refusal("Nothing was changed.", { code: "interrupted" });
    return skills.filter((_, index) => chosen.includes(index));
  };
}
