/** The ranked search, as the rest of the program sees it. How it works: docs/search-design.md. */

export { runToEnd, type Steps } from "../../catalog/steps.ts";
export { type SearchDocument, searchDocumentOf } from "./index/search-document.ts";
export { createIndexBuilder, EMPTY_INDEX, type SearchIndex, updateIndex } from "./index/search-index.ts";
export { type RankedAnswer, searchIndex } from "./rank/rank-skills.ts";
export { parseIndex, serializeIndex } from "./saved/snapshot.ts";
