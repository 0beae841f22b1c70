/** The ranked search, as the rest of the program sees it. How it works: docs/search-design.md. */
export { type RankedAnswer, searchIndex } from "./rank-skills.ts";
export { type SearchDocument, searchDocumentOf } from "./search-document.ts";
export { createIndexBuilder, EMPTY_INDEX, type SearchIndex, updateIndex } from "./search-index.ts";
export { parseIndex, serializeIndex } from "./snapshot.ts";
export { runToEnd, type Steps } from "./steps.ts";
