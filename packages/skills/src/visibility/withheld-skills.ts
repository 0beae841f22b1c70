import { memoizeWeak, nameKey, Refusal } from "#util/pure";
import { type Catalog, type Entry, fullName } from "../catalog/catalog.ts";
import type { Snapshot } from "../registry/registry.ts";
import type { Skill } from "../skill/skill.ts";

/** Skills that one client is not served, and why. */
export interface Withheld {
  /** Another value means other skills. */
  readonly key: string;
  readonly sets: readonly WithheldSet[];
}

interface WithheldSet {
  /** The keys of their full names. */
  readonly names: ReadonlySet<string>;
  /** Such as `for Codex`. */
  readonly forWhom: string;
  /** What `enable` takes to undo it, such as `--agent codex`. */
  readonly flag: string;
}

/** The set of withheld skills that contains this one. */
export function setWith({ sets }: Withheld, skill: Skill): WithheldSet | undefined {
  const key = nameKey(fullName(skill));
  return sets.find(({ names }) => names.has(key));
}

const viewsOf = memoizeWeak((_snapshot: Snapshot) => new Map<string, Snapshot>());

/** A snapshot without the skills that are withheld. The others keep their names; loading one of these says why. */
export function withoutSkills(snapshot: Snapshot, withheld: Withheld | undefined): Snapshot {
  if (withheld === undefined) return snapshot;
  const views = viewsOf(snapshot);
  const view = views.get(withheld.key) ?? restricted(snapshot, withheld);
  views.set(withheld.key, view);
  return view;
}

function restricted(snapshot: Snapshot, withheld: Withheld): Snapshot {
  const { catalog, withFiles } = snapshot;
  const isLeft = ({ skill }: Entry): boolean => setWith(withheld, skill) === undefined;
  const entries = catalog.entries.filter(isLeft);
  if (entries.length === catalog.entries.length) return snapshot;
  return {
    ...snapshot,
    catalog: { entries, names: namesOf(catalog, isLeft) },
    hasFiles: entries.some(({ skill }) => withFiles.has(skill.realDir)),
    withheld: {
      names: catalog.names,
      whyNot(entry) {
        const set = setWith(withheld, entry.skill);
        return set === undefined ? undefined : refusalFor(entry, set);
      },
    },
  };
}

function refusalFor({ listedAs }: Entry, { forWhom, flag }: WithheldSet): Refusal {
  return new Refusal(
    `Skill '${listedAs}' is disabled ${forWhom}. To enable it, run: skills-mcp enable ${listedAs} ${flag}`,
    { code: "disabled-skill", name: listedAs },
  );
}

function namesOf({ names }: Catalog, isLeft: (entry: Entry) => boolean): Catalog["names"] {
  const byName = new Map<string, readonly Entry[]>();
  for (const [name, entries] of names.byName) {
    const left = entries.filter(isLeft);
    if (left.length > 0) byName.set(name, left);
  }
  return {
    byName,
    ofQualified(key) {
      const entry = names.ofQualified(key);
      return entry !== undefined && isLeft(entry) ? entry : undefined;
    },
  };
}
