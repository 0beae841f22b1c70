import type { WireProblem } from "#server/wire";

export interface ProblemFilter {
  readonly severity: string | null;
  readonly check: string | null;
  /** Words that a finding contains. */
  readonly words: string;
}

export interface ProblemGroup {
  readonly severity: WireProblem["severity"];
  readonly check: WireProblem["check"];
  readonly rule: string;
  readonly items: readonly WireProblem[];
}

export function filterProblems(list: readonly WireProblem[], filter: ProblemFilter): readonly WireProblem[] {
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean);
  return list.filter(({ severity, check, rule, message, file = "", name = "" }) => {
    if (filter.severity !== null && severity !== filter.severity) return false;
    if (filter.check !== null && check !== filter.check) return false;
    const text = `${rule} ${message} ${file} ${name}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const RANK: readonly WireProblem["severity"][] = ["error", "warning", "advice"];

/** By rule: a thousand of the same kind are one problem. The worst first, then the most frequent. */
export function groupProblems(list: readonly WireProblem[]): readonly ProblemGroup[] {
  const groups = new Map<string, { readonly items: WireProblem[] } & Omit<ProblemGroup, "items">>();
  for (const problem of list) {
    const { severity, check, rule } = problem;
    const key = `${severity} ${check} ${rule}`;
    const group = groups.get(key) ?? { severity, check, rule, items: [] };
    group.items.push(problem);
    groups.set(key, group);
  }
  return [...groups.values()].sort(
    (a, b) => RANK.indexOf(a.severity) - RANK.indexOf(b.severity) || b.items.length - a.items.length,
  );
}

/** By skill, or by file where it is not known. The skill with the worst finding first. */
export function groupBySkill(
  list: readonly WireProblem[],
): readonly { readonly skill: string; readonly items: readonly WireProblem[] }[] {
  const groups = new Map<string, WireProblem[]>();
  for (const problem of list) {
    const { skill } = placeOf(problem);
    groups.set(skill, [...(groups.get(skill) ?? []), problem]);
  }
  return [...groups].map(([skill, items]) => ({ skill, items }));
}

/** What people call the place of a finding: its skill, and the file in it. */
export function placeOf({ name, file, line }: Pick<WireProblem, "name" | "file" | "line">): {
  readonly skill: string;
  readonly at: string;
} {
  const parts = (file ?? "").split(/[\\/]/);
  const last = parts.at(-1) ?? "";
  const folder = parts.at(-2) ?? "";
  const at = line === undefined ? last : `${last}:${line}`;
  return { skill: name ?? (folder || "this server"), at: file === undefined ? "" : at };
}

const FOUND = " Found: ";

/** What all findings of a group say, to be said once; empty if they differ or there is one. */
export function sharedMessage(items: readonly Pick<WireProblem, "message">[]): string {
  const [first = "", ...others] = items.map(({ message }) => message.split(FOUND, 1)[0] ?? "");
  return others.length > 0 && others.every((other) => other === first) ? first : "";
}

/** What a finding says besides that. */
export function ownMessage(message: string, shared: string): string {
  return shared !== "" && message.startsWith(shared) ? message.slice(shared.length).trimStart() : message;
}
