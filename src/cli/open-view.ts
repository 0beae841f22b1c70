import { type App, createApp } from "../app/create-app.ts";
import { openGitLibraries } from "../app/library/open-sources.ts";
import type { Snapshot } from "../registry/registry.ts";
import { diagnosticLine } from "../skill/diagnostic.ts";
import { Refusal } from "../skill/refusal.ts";
import type { Terminal } from "./command.ts";
import type { FlagValues } from "./flags.ts";
import { printable } from "./render/columns.ts";
import { type VIEW_FLAGS, viewOptions } from "./shared-flags.ts";

/** Looks at the disk once and hands the app to a command that prints something. */
export async function withSkillView<T>(
  flags: FlagValues<typeof VIEW_FLAGS>,
  terminal: Terminal,
  use: (app: App, snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const options = viewOptions(flags);
  const { library, userDir } = options;
  const log = (line: string): void => terminal.say(`skills-mcp: ${printable(line)}`);
  const git = await openGitLibraries({ library, userDir, environment: process.env, log });
  // What was fetched before is shown as it is; a server brings it up to date.
  await git?.fetchMissing();
  const { app, close } = createApp({ ...options, ...(git === undefined ? {} : { git }) });
  try {
    const snapshot = await app.snapshot();
    try {
      return await use(app, snapshot);
    } catch (error) {
      // The skill that was not found may be one that could not be read.
      if (error instanceof Refusal && error.detail.code === "unknown-skill")
        sayDiagnostics(snapshot, terminal);
      throw error;
    }
  } finally {
    await Promise.all([close(), git?.close()]);
  }
}

/** One line for each thing that is wrong on the disk. */
export function sayDiagnostics(snapshot: Snapshot, terminal: Terminal): void {
  for (const diagnostic of snapshot.diagnostics) terminal.say(printable(diagnosticLine(diagnostic)));
}
