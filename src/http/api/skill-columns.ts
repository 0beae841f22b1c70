import { createHash } from "node:crypto";
import { skillRows } from "../../app/dashboard/skill-rows.ts";
import { cutText } from "../../catalog/cut-text.ts";
import type { Snapshot } from "../../registry/registry.ts";
import type { Repeated, SkillColumns } from "./wire.ts";

/** As much as a wide window shows on one line. */
const MAX_DESCRIPTION = 160;

/** Serializes the list once for each snapshot, with an entity tag. */
export function createSkillList() {
  const cache = new WeakMap<Snapshot, { readonly text: string; readonly tag: string }>();
  return (snapshot: Snapshot) => {
    const cached = cache.get(snapshot);
    if (cached !== undefined) return cached;
    const text = JSON.stringify(skillColumns(snapshot));
    const list = { text, tag: `W/"${createHash("sha1").update(text).digest("base64url")}"` };
    cache.set(snapshot, list);
    return list;
  };
}

function skillColumns(snapshot: Snapshot): SkillColumns {
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

function repeated<T>(items: readonly T[], valueOf: (item: T) => string): Repeated {
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
