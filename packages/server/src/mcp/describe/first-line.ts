import type { Entry } from "#skills";
import { cutText, oneLine } from "#util/pure";

const OPENING = "Before you start a task, load the matching skill with the `skill` tool";
const SHORT_OPENING = "Before a task, load its skill with `skill`";
const FINDER = "`find_skills` finds";
const MOST_NAMES = 1_000;
/** With fewer words in common, some names tell more. */
const FEWEST_TOPICS = 3;
const NO_TOPIC: ReadonlySet<string> = new Set(
  "and are for from its not off out per the tool tools use using via with your skill skills".split(" "),
);

/** Which tool tells of every skill; undefined where none does. */
type AllIn = "find_skills" | "skill" | undefined;

/**
 * The first line of the instructions, which must make sense without the rest. It opens with the short sentence only where that
 * leaves space to tell more of the skills.
 */
export function writeFirstLine(entries: readonly Entry[], most: number, allIn: AllIn): string {
  const short = writeLine(SHORT_OPENING, entries, most, allIn);
  const line = writeLine(OPENING, entries, most, allIn);
  return line === short || line.slice(OPENING.length) === short.slice(SHORT_OPENING.length) ? line : short;
}

/** After the opening: all names if they fit, otherwise the words that most names share, otherwise some names. */
function writeLine(opening: string, entries: readonly Entry[], most: number, allIn: AllIn): string {
  const { length: total } = entries;
  if (total === 0) return cutText("Skills are instructions for a task: load one with `skill`.", most);
  // No more than these can fit, and they tell the topics.
  const names = entries.slice(0, MOST_NAMES).map(({ listedAs }) => oneLine(listedAs));
  const all = `${opening}: `;
  const named = joinWithin(names, most - all.length - 1);
  if (named.count === total) return `${all}${named.text}.`;

  const search = restOf(total, allIn);
  const about = `${opening}. Topics: `;
  const topics = joinWithin(topicsOf(entries.slice(0, MOST_NAMES)), most - about.length - 1 - search.length);
  if (topics.count >= FEWEST_TOPICS) return `${about}${topics.text}.${search}`;
  // Another name tells more than where the list is, which the opening says.
  const others = allIn === "skill" ? restOf(total, undefined) : search;
  const some = joinWithin(names, most - all.length - 2 - others.length);
  if (some.count > 0) return `${all}${some.text} …${others}`;
  return cutText(`${opening}.${search}`, most);
}

function restOf(total: number, allIn: AllIn): string {
  if (allIn === undefined) return ` ${total} in all.`;
  return ` All ${total}: ${allIn === "skill" ? "`skill` lists them" : `${FINDER} the right one`}.`;
}

/** The names in one line, as many as fit, and how many there are besides. */
export function writeNames(entries: readonly Entry[], most: number, finder: boolean): string {
  const { length: total } = entries;
  if (total === 0 || most <= 0) return "";
  const names = entries.slice(0, most).map(({ listedAs }) => oneLine(listedAs));
  const opening = "Names: ";
  const rest = finder ? `; ${FINDER} them.` : ".";
  const whole = joinWithin(names, most - opening.length - 1);
  if (whole.count === total) return `${opening}${whole.text}.`;
  const reserved = ` … and ${total} more${rest}`.length;
  const { text, count } = joinWithin(names, most - opening.length - reserved);
  return count === 0 ? "" : `${opening}${text} … and ${total - count} more${rest}`;
}

/** Words that at least two names have in common, the most frequent first. An agent that prefixes names is no topic. */
function topicsOf(entries: readonly Entry[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { listedAs, skill } of entries) {
    const prefix = `${skill.provider}:`;
    const name = listedAs.startsWith(prefix) ? listedAs.slice(prefix.length) : listedAs;
    for (const word of new Set(name.toLowerCase().split(/[^\p{L}\p{N}]+/u))) {
      if (word.length > 2 && !/^\d+$/.test(word) && !NO_TOPIC.has(word))
        counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return [...counts]
    .filter(([, count]) => count > 1)
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .map(([word]) => word);
}

function joinWithin(
  parts: readonly string[],
  most: number,
): { readonly text: string; readonly count: number } {
  let length = 0;
  let count = 0;
  for (const part of parts) {
    length += part.length + (count === 0 ? 0 : 2);
    if (length > most) break;
    count++;
  }
  return { text: parts.slice(0, count).join(", "), count };
}
