import { agentTitle } from "#agents";
import { qualifiedNames, resolveName, type Snapshot, whyNotServed } from "#skills";
import { nameKey, Refusal } from "#util/pure";
import type { SkillsForClient } from "./client-view.ts";
import { foundSkills, type SkillFinding } from "./found-skills.ts";
import { explainSeen, type SeenCell, seenBy } from "./seen-by.ts";

/** Clients that have the same of a skill, with the reason and what changes it. */
type SeenGroup = ReturnType<typeof explainSeen> &
  Pick<SeenCell, "seen" | "why"> & {
    readonly titles: readonly string[];
    /** What they call themselves. */
    readonly clients: readonly string[];
  };

interface WhySeen {
  readonly name: string;
  /** How it was found: `served`, or why it is not. */
  readonly kind: SkillFinding["kind"];
  readonly groups: readonly SeenGroup[];
}

/** What each of these clients has of one skill and why; those that have the same for the same reason are one group. */
export function whySeen(
  snapshot: Snapshot,
  wanted: { readonly name: string } | { readonly file: string },
  told: readonly SkillsForClient[],
): WhySeen {
  const all = foundSkills(snapshot);
  const at =
    "file" in wanted ? all.findIndex(({ file }) => file === wanted.file) : indexNamed(snapshot, wanted.name);
  const found = all[at];
  if (found === undefined) {
    const file = "file" in wanted ? wanted.file : wanted.name;
    const detail = { code: "unknown-skill", name: file, suggestions: [] } as const;
    throw new Refusal(`There is no longer a skill at '${file}'.`, detail);
  }
  const groups = new Map<string, { readonly cell: SeenCell; readonly told: SkillsForClient[] }>();
  for (const one of told) {
    const cell = seenBy(one)(snapshot)[at];
    if (cell === undefined) continue;
    const key = JSON.stringify(cell);
    const group = groups.get(key) ?? { cell, told: [] };
    group.told.push(one);
    groups.set(key, group);
  }
  return {
    name: found.name,
    kind: found.kind,
    groups: [...groups.values()].map(({ cell, told: alike }) => {
      const titles = [...new Set(alike.map(titleOf))];
      const [first] = alike;
      return {
        titles,
        clients: alike.map(({ view }) => view.client),
        seen: cell.seen,
        why: cell.why,
        ...explainSeen(found, { titles, cell, told: first as SkillsForClient }),
      };
    }),
  };
}

function titleOf({ view }: SkillsForClient): string {
  return view.title ?? agentTitle(view.client);
}

/** What a person means by a name: what it loads, else what was found under it. */
function indexNamed(snapshot: Snapshot, typed: string): number {
  const all = foundSkills(snapshot);
  try {
    const entry = resolveName(snapshot.catalog, typed);
    return all.findIndex((found) => found.kind === "served" && found.entry === entry);
  } catch (error) {
    if (!(error instanceof Refusal) || error.detail.code !== "unknown-skill") throw error;
    const key = nameKey(typed.trim());
    const at = all.findIndex(
      (found) => found.kind !== "served" && namesOf(found).some((name) => nameKey(name) === key),
    );
    if (at >= 0) return at;
    throw whyNotServed(error, snapshot, typed) ?? error;
  }
}

/** Everything that a skill which is not served may be called. */
function namesOf(found: SkillFinding): readonly string[] {
  if (found.kind === "not-approved") return found.review.names;
  const skill =
    found.kind === "filtered" || found.kind === "shadowed"
      ? found.skill
      : found.kind === "disabled"
        ? found.entry.skill
        : undefined;
  return skill === undefined ? [found.name] : [found.name, skill.name, ...qualifiedNames(skill)];
}
