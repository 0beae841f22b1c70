import path from "node:path";
import type { Diagnostic } from "../skill/diagnostic.ts";
import type { FoundFile } from "./walk.ts";

/** Of several spellings in one folder, `SKILL.md` is the one; `.SKILL.md` beside any of them is ignored. */
export function chooseFiles(files: readonly FoundFile[]): { chosen: FoundFile[]; diagnostics: Diagnostic[] } {
  const byFolder = new Map<string, FoundFile[]>();
  for (const file of files) {
    const same = byFolder.get(file.dir);
    if (same === undefined) byFolder.set(file.dir, [file]);
    else same.push(file);
  }
  const chosen: FoundFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const same of byFolder.values()) {
    const [first] = same;
    const best =
      same.find((file) => file.fileName === "SKILL.md") ?? same.find((file) => !isDisabled(file)) ?? first;
    if (best === undefined) continue;
    chosen.push(best);
    if (same.length > 1) diagnostics.push(severalFiles(best, same));
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
