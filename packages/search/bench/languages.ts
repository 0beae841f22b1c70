import { readFileSync } from "node:fs";
import type { SearchDocument } from "../src/engine/index/build-segment.ts";
import type { Synonyms } from "../src/engine/rank/parse-query.ts";
import { parseSynonyms } from "../src/read-synonyms.ts";
import type { LabelledQuery, LabelledSet } from "./labelled-sets.ts";

/** Languages that some of the prompts were translated into for this benchmark. */
export const LANGUAGES = ["fr", "de", "es", "zh", "ja"] as const;

type Language = (typeof LANGUAGES)[number];

/** By language: translations of prompts of a set, with what is right for the prompt; and the same prompts in English. */
export function translatedQueries(
  language: Language,
  { name, queries }: LabelledSet,
): readonly { readonly english: LabelledQuery; readonly translated: LabelledQuery }[] {
  return readLines(`${language}.tsv`).flatMap((line) => {
    const [id = "", query = ""] = line.split("\t");
    const [set, number] = id.split(" ");
    const english = set === name ? queries[Number(number) - 1] : undefined;
    return english === undefined ? [] : [{ english, translated: { ...english, query } }];
  });
}

/** The documents of a set, some of them with an example in a language; and their ids. */
export function withExamples(
  language: Language,
  documents: readonly SearchDocument[],
): { readonly documents: readonly SearchDocument[]; readonly changed: ReadonlySet<string> } {
  const examples = new Map(
    readLines("examples.tsv").flatMap((line) => {
      const [written, id = "", example = ""] = line.split("\t");
      return written === language ? [[id, example] as const] : [];
    }),
  );
  return {
    documents: documents.map((document) => ({
      ...document,
      examples: [...document.examples, ...[examples.get(document.id) ?? []].flat()],
    })),
    changed: new Set(examples.keys()),
  };
}

/** What a user might write for these languages. */
export function readSynonyms(): Synonyms {
  const reading = parseSynonyms(readLines("synonyms.yaml").join("\n"));
  if (!reading.ok) throw new Error(`prompts/synonyms.yaml: ${reading.reason}`);
  return reading.synonyms;
}

function readLines(name: string): readonly string[] {
  return readFileSync(new URL(`./prompts/${name}`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "");
}
