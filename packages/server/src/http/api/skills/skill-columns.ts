import { createHash } from "node:crypto";
import type { Snapshot } from "#skills";
import { cutText } from "#util/pure";
import { skillRows } from "../../../dashboard/skill-rows.ts";
import type { Repeated, SkillColumns } from "../../../wire/skills.ts";

/** As much as a wide window shows on one line. */
const MAX_DESCRIPTION = 160;

/** Serializes the list once for each snapshot, with a tag that another list has only if it is the same. */
export function createSkillList() {
  const cache = new WeakMap<Snapshot, { readonly text: string; readonly tag: string }>();
  return (snapshot: Snapshot) => {
    const cached = cache.get(snapshot);
    if (cached !== undefined) return cached;
    const columns = JSON.stringify(skillColumns(snapshot));
    const tag = createHash("sha1").update(columns).digest("base64url");
    const list = { text: `{"tag":"${tag}",${columns.slice(1)}`, tag };
    cache.set(snapshot, list);
    return list;
  };
}

function skillColumns(snapshot: Snapshot): Omit<SkillColumns, "tag"> {
  const rows = skillRows(snapshot);
  const paths = rows.map(({ file }) => splitPath(file));
  return {
    count: rows.length,
    name: rows.map(({ name }) => name),
    description: rows.map(({ description }) => cutText(description, MAX_DESCRIPTION)),
    provider: repeated(rows, ({ provider }) => provider),
    location: repeated(rows, ({ location }) => location),
    plugin: repeated(rows, ({ plugin }) => plugin),
    status: repeated(rows, ({ status }) => status),
    folder: repeated(paths, ({ folder }) => folder),
    tail: paths.map(({ tail }) => tail),
  };
}

export function repeated<T>(items: readonly T[], valueOf: (item: T) => string): Repeated {
  const indexes = new Map<string, number>();
  const at = items.map((item) => {
    const value = valueOf(item);
    const index = indexes.get(value) ?? indexes.size;
    indexes.set(value, index);
    return index;
  });
  return { values: [...indexes.keys()], at };
}

/** Skill folders are siblings, so the folder above them is what repeats. */
function splitPath(file: string): { readonly folder: string; readonly tail: string } {
  const last = Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\"));
  const before = Math.max(file.lastIndexOf("/", last - 1), file.lastIndexOf("\\", last - 1));
  return { folder: file.slice(0, before + 1), tail: file.slice(before + 1) };
}
