import path from "node:path";
import type { Diagnostic } from "../../skill/diagnostic.ts";
import type { FoundFile } from "./folder-tree.ts";

/**
 * Of several spellings in one folder, `SKILL.md` is the one; `.SKILL.md` beside any of them is ignored. The files are
 * sorted, so those of one folder follow each other.
 */
export function chooseFiles(files: readonly FoundFile[]): { chosen: FoundFile[]; diagnostics: Diagnostic[] } {
  const chosen: FoundFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (let from = 0, end = 0; from < files.length; from = end) {
    const first = files[from] as FoundFile;
    for (end = from + 1; end < files.length && files[end]?.dir === first.dir; ) end++;
    if (end === from + 1) {
      chosen.push(first);
      continue;
    }
    const same = files.slice(from, end);
    const best =
      same.find((file) => file.fileName === "SKILL.md") ?? same.find((file) => !isDisabled(file)) ?? first;
    chosen.push(best);
    diagnostics.push(severalFiles(best, same));
  }
  return { chosen, diagnostics };
}

function severalFiles(best: FoundFile, all: readonly FoundFile[]): Diagnostic {
  const others = all.filter((file) => file !== best).map((file) => file.fileName);
  const message = `${others.join(" and ")} in the same folder ${others.length === 1 ? "is" : "are"} ignored. Keep one of them.`;
  return {
    severity: "warning",
    code: "both-enabled-and-disabled",
    file: path.join(best.dir, best.fileName),
    message,
  };
}

/** `.SKILL.md`: turned off by its user. */
export function isDisabled(file: FoundFile): boolean {
  return file.fileName.startsWith(".");
}
