import fc from "fast-check";
import type { SearchDocument } from "../../src/engine/index/build-segment.ts";

/** Few words, so that generated documents share many: plain, inflected, stop words, identifiers, aliases, other scripts. */
const WORDS = [
  "deploy", "deploys", "deploying", "kubernetes", "k8s", "cluster", "the", "and", "review", "reviews", "pull", "request",
  "pr", "GitHub", "github", "getUserName", "snake_case", "c++", ".net", "node.js", "pdf", "PDFFile", "form", "forms",
  "database", "db", "postgres", "migration", "migratoin", "kubernets", "图表", "データ", "über", "café", "x",
]; // biome-ignore format: one word list

const word = fc.constantFrom(...WORDS);
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));

function documentWith(id: fc.Arbitrary<string>): fc.Arbitrary<SearchDocument> {
  return fc.record({
    id,
    name: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join("-")),
    description: text,
    keywords: fc.array(word, { maxLength: 3 }),
    examples: fc.array(text, { maxLength: 2 }),
    body: fc.array(text, { maxLength: 4 }).map((lines) => lines.join("\n")),
  });
}

const IDS = Array.from({ length: 14 }, (_, index) => `skill-${index}`);
export const id = fc.constantFrom(...IDS);
export const document = documentWith(id);
export const corpus = fc.uniqueArray(document, { maxLength: 12, selector: ({ id }) => id });
export const query = fc.oneof(
  text,
  fc.tuple(text, text).map(([prose, code]) => `${prose}\n\`\`\`\n${code}\n\`\`\``),
);

export function doc(id: string, rest: Partial<SearchDocument> = {}): SearchDocument {
  return { id, name: id, description: "", keywords: [], examples: [], body: "", ...rest };
}
