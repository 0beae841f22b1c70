import { autocompleteMultiselect, isCancel } from "@clack/prompts";
import type { PickChoice } from "./command.ts";
import { columnsOf, cutToColumns, padToColumns } from "./render/layout.ts";
import { count, printable } from "./render/text.ts";

/** The checkbox and the line that the list has at its left. */
const FRAME_COLUMNS = 8;
/** A name is cut, so that there is room for descriptions. */
const LONGEST_NAME = 32;

/**
 * A list that is filtered as one types. Its bundle is loaded when it is shown. Returns the numbers of what was chosen;
 * undefined after Ctrl+C or Escape.
 */
export async function pickOnTerminal(
  message: string,
  choices: readonly PickChoice[],
  { stdin: input, stderr: output }: Pick<NodeJS.Process, "stdin" | "stderr">,
): Promise<readonly number[] | undefined> {
  const names = choices.map(({ name }) => cutToColumns(printable(name), LONGEST_NAME));
  const nameColumns = Math.max(...names.map(columnsOf));
  const room = Math.max(20, (output.columns || 80) - FRAME_COLUMNS);
  const all = { value: -1, label: `all ${count(choices.length, "skill")}` };
  const chosen = await autocompleteMultiselect<number>({
    message,
    options: [
      all,
      ...choices.map(({ description }, value) => {
        const label = `${padToColumns(names[value] ?? "", nameColumns)}  ${printable(description)}`;
        return { value, label: cutToColumns(label, room) };
      }),
    ],
    required: true,
    filter(typed, { value, label = "" }) {
      const { name = "", description = "" } = choices[value] ?? {};
      const text = `${name} ${description} ${label}`.toLowerCase();
      return typed
        .toLowerCase()
        .split(/\s+/)
        .every((word) => text.includes(word));
    },
    input,
    output,
  });
  if (isCancel(chosen)) return undefined;
  return chosen.includes(all.value) ? choices.map((_, index) => index) : chosen.toSorted((a, b) => a - b);
}
