/** What the instructions say about the catalog tools. */
export const CATALOG_GUIDANCE =
  "Prefer `skills.list` for exhaustive metadata and `skills.search` for targeted lookups.";

/** The annotations of tools that only read the local disk. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
