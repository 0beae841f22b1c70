import { LONGEST_NAME, plainName } from "../skill/skill.ts";
import { type Catalog, type Entry, identityOf } from "./catalog.ts";

/**
 * The name under which each skill is published: one that the specification allows, because installers accept no other. A skill keeps its own name if that loads it, or if no other has it; the
 * others are published under the name that lists show, `office:pdf` as `office-pdf`. Internal skills are for their own
 * repository.
 */
export function publishNames({ entries }: Catalog): ReadonlyMap<string, Entry> {
  const open = entries.filter(({ skill }) => skill.invocation?.internal !== true);
  const published = new Map<string, Entry>();
  const renamed: Entry[] = [];
  const sharers = countNames(open);
  for (const entry of open) {
    const { name } = entry.skill;
    const keepsName = name === plainName(name) && (entry.listedAs === name || sharers.get(name) === 1);
    if (keepsName && !published.has(name)) published.set(name, entry);
    else renamed.push(entry);
  }
  for (const entry of renamed) {
    const name = plainName(entry.listedAs);
    if (name !== "" && !published.has(name)) published.set(name, entry);
    else published.set(withMark(name, identityOf(entry.skill)), entry);
  }
  return published;
}

function countNames(entries: readonly Entry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { skill } of entries) counts.set(skill.name, (counts.get(skill.name) ?? 0) + 1);
  return counts;
}

/** Told apart by what the skill is and not by a number, so that it does not change when another skill appears. */
function withMark(name: string, identity: string): string {
  const mark = markOf(identity);
  const room = LONGEST_NAME - mark.length - 1;
  return `${(name === "" ? "skill" : name).slice(0, room).replace(/-$/, "")}-${mark}`;
}

/** Two 32-bit FNV-1a hashes as text: enough to tell the skills of one machine apart. */
function markOf(text: string): string {
  const hash = (start: number): string => {
    let value = start;
    for (let index = 0; index < text.length; index++) {
      value = Math.imul(value ^ text.charCodeAt(index), 0x0100_0193);
    }
    return (value >>> 0).toString(36);
  };
  return hash(0x811c_9dc5) + hash(0x7ee3_623a);
}
