// Writes the tables of docs/explanation/performance.md and the README's chart again, from bench/results.json or the file that is named.
import { RESULTS_FILE, readResults } from "./report/results.ts";
import { writeDocs } from "./report/write-docs.ts";

writeDocs(readResults(process.argv[2] ?? RESULTS_FILE));
