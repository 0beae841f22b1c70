// For tests, which run commands in their own process. The program itself starts at start/main.ts.
export type { Terminal } from "./command.ts";
export { COMMANDS } from "./command-table.ts";
export { createStyle } from "./render/text.ts";
export { run } from "./run.ts";
