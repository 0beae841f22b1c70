import type { Library, LibrarySkill } from "../library/library.ts";
import { sameInvocation } from "../skill/invocation.ts";
import type { Skill } from "../skill/skill.ts";
import type { Catalog, Entry } from "./catalog.ts";

/** What a refresh changed that a client can see in a listing. */
export interface CatalogChange {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

interface Visible {
  readonly catalog: Catalog;
  readonly library: Library;
  /** Whether any skill has files besides its own: then there is a tool to read them. */
  readonly hasFiles: boolean;
}

/** The difference between two snapshots as clients see them, or undefined when there is none. */
export function visibleChange(before: Visible, after: Visible): CatalogChange | undefined {
  const skills =
    before.catalog === after.catalog
      ? NONE
      : difference(before.catalog.entries, after.catalog.entries, listedName, looksTheSame);
  const library =
    before.library === after.library
      ? NONE
      : difference(
          [...before.library.skills.values()],
          [...after.library.skills.values()],
          pathOf,
          librarySkillsLookTheSame,
        );
  const added = skills.added + library.added;
  const removed = skills.removed + library.removed;
  const changed = skills.changed + library.changed;
  if (added + removed + changed > 0) return { added, removed, changed };
  return before.hasFiles === after.hasFiles ? undefined : { ...NONE, changed: 1 };
}

const NONE: CatalogChange = { added: 0, removed: 0, changed: 0 };
const listedName = ({ listedAs }: Entry): string => listedAs;
const pathOf = ({ path }: LibrarySkill): string => path;

function difference<T>(
  before: readonly T[],
  after: readonly T[],
  nameOf: (item: T) => string,
  same: (a: T, b: T) => boolean,
): CatalogChange {
  const known = new Map(before.map((item) => [nameOf(item), item]));
  let added = 0;
  let changed = 0;
  for (const item of after) {
    const previous = known.get(nameOf(item));
    if (previous === undefined) added++;
    else if (!same(previous, item)) changed++;
    known.delete(nameOf(item));
  }
  return { added, changed, removed: known.size };
}

function looksTheSame(a: Entry, b: Entry): boolean {
  return (
    a.skill === b.skill ||
    (a.skill.description === b.skill.description &&
      a.skill.provider === b.skill.provider &&
      a.skill.location === b.skill.location &&
      sameInvocation(a.skill.invocation, b.skill.invocation) &&
      isSamePlace(a.skill, b.skill))
  );
}

/** A new version of a repository lies in another folder, which no list shows. */
function isSamePlace(a: Skill, b: Skill): boolean {
  if (a.repo === undefined || b.repo === undefined) return a.dir === b.dir;
  return a.repo.url === b.repo.url && a.repo.path === b.repo.path;
}

function librarySkillsLookTheSame(a: LibrarySkill, b: LibrarySkill): boolean {
  return a === b || JSON.stringify(shownOf(a)) === JSON.stringify(shownOf(b));
}

/** Without the paths on the disk: a new version of the same content has another path. */
function shownOf(skill: LibrarySkill): unknown {
  const { path, description, keywords, priority, inherit, assets, scripts, parent } = skill;
  return [path, description, keywords, priority, inherit, assets, scripts, parent];
}
