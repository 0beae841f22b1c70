import { type SkillRow, skillRows } from "../../app/dashboard/skill-rows.ts";
import { cutText } from "../../catalog/cut-text.ts";
import type { Snapshot } from "../../registry/registry.ts";
import type { Repeated, SkillColumns } from "./wire.ts";

/** As much as a wide window shows on one line. */
const LONGEST_DESCRIPTION = 160;

export function skillColumns(snapshot: Snapshot): SkillColumns {
  const rows = skillRows(snapshot);
  const places = rows.map(({ file }) => splitPlace(file));
  return {
    count: rows.length,
    name: rows.map(({ name }) => name),
    description: rows.map(({ description }) => cutText(description, LONGEST_DESCRIPTION)),
    provider: repeated(rows, ({ provider }) => provider),
    location: repeated(rows, ({ location }) => location),
    plugin: repeated(rows, ({ plugin }) => plugin),
    status: repeated(rows, ({ status }) => status),
    folder: repeated(places, ({ folder }) => folder),
    tail: places.map(({ tail }) => tail),
  };
}

function repeated<T>(items: readonly T[], valueOf: (item: T) => string): Repeated {
  const places = new Map<string, number>();
  const at = items.map((item) => {
    const value = valueOf(item);
    const place = places.get(value) ?? places.size;
    places.set(value, place);
    return place;
  });
  return { values: [...places.keys()], at };
}

/** Skills lie beside each other, so the folder above theirs is what repeats. */
function splitPlace(file: SkillRow["file"]): { readonly folder: string; readonly tail: string } {
  const last = Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\"));
  const before = Math.max(file.lastIndexOf("/", last - 1), file.lastIndexOf("\\", last - 1));
  return { folder: file.slice(0, before + 1), tail: file.slice(before + 1) };
}
