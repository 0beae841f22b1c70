import type { whySeen } from "#server";
import { SEEN } from "#server/wire";
import { wrap } from "./layout.ts";
import { type Look, printable } from "./text.ts";

type SeenGroups = Pick<ReturnType<typeof whySeen>, "groups">;

/** What `doctor --why` prints for people: a sentence for the agents that see a skill alike, and what changes it. */
export function renderWhySeen({ groups }: SeenGroups, { width, style }: Look): string {
  const lines = groups.flatMap(({ text, levers }) => [
    ...(width === undefined ? [printable(text)] : wrap(printable(text), width)),
    ...levers.map(({ command, does }) => `  ${style.cyan(printable(command))} ${printable(does)}`),
  ]);
  return `${lines.join("\n")}\n`;
}

/** Who sees a skill, as `info` prints it: a line for each way. */
export function seenLines({ groups }: SeenGroups): readonly string[] {
  return groups.map(({ titles, seen }) => `${titles.join(", ")}: ${SEEN[seen]}`);
}
