import { structuredPatch } from "diff";

/** A bearer token in a configuration: screens are shared and output is logged, so that it is not shown. */
const TOKEN = /\bBearer [^\s"'${}()]+/g;

/** The lines of a configuration that change, with two lines around them. */
export function changedLines(before: string | undefined, after: string | undefined): readonly string[] {
  const { hunks } = structuredPatch("", "", before ?? "", after ?? "", "", "", { context: 2 });
  return hunks.flatMap(({ lines, oldStart }, index) => [
    ...(index === 0 && oldStart <= 1 ? [] : ["…"]),
    ...lines.map((line) => line.replace(TOKEN, "Bearer <token>")),
  ]);
}
