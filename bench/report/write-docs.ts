import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startChart } from "./chart-svg.ts";
import { resultsMarkdown } from "./markdown.ts";
import type { Results } from "./results.ts";

const DOCS = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../docs");
const BEGIN = "<!-- figures: written by npm run bench:docs -->";
const END = "<!-- figures: end -->";

/** Updates the tables of docs/explanation/performance.md and the chart of the README. */
export function writeDocs(results: Results): void {
  const page = path.join(DOCS, "explanation", "performance.md");
  const text = readFileSync(page, "utf8");
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) {
    throw new Error(`${page} needs the lines '${BEGIN}' and '${END}', between which the results go.`);
  }
  writeFileSync(page, `${text.slice(0, begin)}${BEGIN}\n\n${resultsMarkdown(results)}\n\n${text.slice(end)}`);
  mkdirSync(path.join(DOCS, "assets"), { recursive: true });
  writeFileSync(path.join(DOCS, "assets", "start.svg"), startChart(results));
}
