import type { Results } from "./results.ts";

export function writeDocs(_: Results): void {}
