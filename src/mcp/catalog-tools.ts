/** What the instructions say about the catalog tools. */
export const CATALOG_GUIDANCE =
  "Prefer `skills.list` for exhaustive metadata and `skills.search` for targeted lookups.";
