import path from "node:path";
import type { Diagnostic } from "../../skill/diagnostic.ts";

/**
 * Why an entry that was listed is not there: Node puts U+FFFD for bytes of a name that are not UTF-8, and a file of the
 * name that it gives does not exist. Undefined where the name is whole, so that the entry is simply gone.
 */
export function unreadableName(file: string): Diagnostic | undefined {
  if (!path.basename(file).includes("\uFFFD")) return undefined;
  const message =
    "Its name is not valid UTF-8, so it cannot be opened, and no skill in it is served. Rename it; \uFFFD stands where the name is wrong.";
  return { severity: "error", code: "unreadable", file, message };
}
