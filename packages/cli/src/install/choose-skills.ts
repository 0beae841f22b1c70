import { Refusal } from "#util/pure";
import type { Terminal } from "../command.ts";
import { cutToColumns } from "../render/layout.ts";
import { printable } from "../render/text.ts";

/** Shows a numbered list and asks which ones are wanted. */
export async function askForSkills<T extends { readonly name: string; readonly description: string }>(
  skills: readonly T[],
  { logLine, errorStyle, width = 80, ask }: Terminal,
): Promise<readonly T[]> {
  const digits = String(skills.length).length;
  for (const [index, { name, description }] of skills.entries()) {
    const line = `${String(index + 1).padStart(digits)}  ${printable(name)}`;
    const rest = cutToColumns(printable(description), Math.max(20, width - line.length - 2));
    logLine(`${errorStyle.bold(line)}  ${errorStyle.dim(rest)}`);
  }
  const answer = await ask?.("Which ones? Numbers or names with spaces between, or 'all': ");
  const chosen = chosenFrom(skills, answer ?? "");
  if (chosen.length === 0)
    throw new Refusal("No skill was chosen, and nothing was changed.", { code: "cannot-install", name: "" });
  return chosen;
}

/** What an answer means: `all`, numbers, ranges and names. */
export function chosenFrom<T extends { readonly name: string }>(
  skills: readonly T[],
  answer: string,
): readonly T[] {
  const words = answer.split(/[\s,]+/).filter((word) => word !== "");
  if (words.some((word) => word.toLowerCase() === "all")) return skills;
  const isMeant = (word: string, name: string, number: number): boolean => {
    const [, from = "", to = from] = /^(\d+)(?:-(\d+))?$/.exec(word) ?? [];
    return from === ""
      ? word.toLowerCase() === name.toLowerCase()
      : number >= Number(from) && number <= Number(to);
  };
  const unknown = words.find((word) => !skills.some(({ name }, index) => isMeant(word, name, index + 1)));
  if (unknown !== undefined)
    throw new Refusal(`'${unknown}' is none of the skills in the list. Nothing was changed.`, {
      code: "cannot-install",
      name: unknown,
    });
  return skills.filter(({ name }, index) => words.some((word) => isMeant(word, name, index + 1)));
}
