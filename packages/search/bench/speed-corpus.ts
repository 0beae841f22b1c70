import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Searched, searchedOf } from "./documents.ts";
import { readLabelledSet } from "./labelled-sets.ts";

/** Skills to index and what to ask of them. */
export interface SpeedCorpus {
  /** Makes them one after another, so that only an index that keeps their text pays for it. */
  documents(): Generator<Searched>;
  readonly queries: readonly string[];
}

const MOST_QUERIES = 1_000;
/** Shares no factor with the number of real skills, nor with a power of ten. */
const STEP = 7_919;

/** The skills below a folder, asked for with the words of their own descriptions. */
export function writtenCorpus(dir: string): SpeedCorpus {
  const names = readdirSync(dir);
  const read = (name: string): Searched | undefined =>
    searchedOf({ dir: name, text: readFileSync(path.join(dir, name, "SKILL.md"), "utf8") });
  const count = Math.min(names.length, MOST_QUERIES);
  return {
    *documents() {
      for (const name of names) {
        const searched = read(name);
        if (searched !== undefined) yield searched;
      }
    },
    queries: Array.from({ length: count }, (_, index) => {
      const { description } = read(names[(index * STEP) % names.length] ?? "")?.document ?? {
        description: "",
      };
      const task = description.slice(description.indexOf("asks to ") + "asks to ".length);
      // Half are as short as people type them, half as long as agents write them.
      return index % 2 === 0 ? (task.split(/[,.]/)[0] ?? "") : task;
    }),
  };
}

/**
 * Public skills with prompts that their authors wrote. Beyond as many as there are, a skill is given the body of
 * another. Nothing when they are not on this machine.
 */
export function realCorpus(size: number): SpeedCorpus | undefined {
  const set = readLabelledSet("skills");
  if (set === undefined) return undefined;
  const real = set.skills.flatMap((skill) => searchedOf(skill) ?? []);
  return {
    *documents() {
      for (let index = 0; index < size; index++) {
        const head = real[index % real.length];
        const other = real[(index + Math.floor(index / real.length) * STEP) % real.length];
        if (head === undefined || other === undefined) return;
        const id = `${head.document.id}-${index}`;
        yield { document: { ...head.document, id, body: other.document.body }, text: `${id}\n${other.text}` };
      }
    },
    queries: set.queries.map(({ query }) => query),
  };
}
