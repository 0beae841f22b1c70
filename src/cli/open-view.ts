import { type App, createApp } from "../app/create-app.ts";
import {
  lookAtSources,
  openGitLibraries,
  type SourceOptions,
  type SourcesSeen,
} from "../app/library/open-sources.ts";
import type { Snapshot } from "../registry/registry.ts";
import { diagnosticLine } from "../skill/diagnostic.ts";
import { Refusal, type RefusalDetail } from "../skill/refusal.ts";
import type { Terminal } from "./command.ts";
import type { FlagValues } from "./flags.ts";
import { printable } from "./render/columns.ts";
import { type VIEW_FLAGS, viewOptions } from "./shared-flags.ts";
import { terminalLog } from "./terminal-log.ts";

/** Looks at the disk once (with `asServed` just as a server would) and hands the app to a command that prints something. */
export async function withSkillView<T>(
  flags: FlagValues<typeof VIEW_FLAGS>,
  terminal: Terminal,
  use: (app: App, snapshot: Snapshot, wrongSettings: SourcesSeen["wrongSettings"]) => Promise<T>,
  { asServed = false }: { readonly asServed?: boolean } = {},
): Promise<T> {
  const options = viewOptions(flags);
  const { library, userDir } = options;
  const log = terminalLog(terminal);
  const wanted = { library, userDir, environment: process.env, log };
  const { git, config, wrongSettings } = asServed ? await lookAtSources(wanted) : await openCached(wanted);
  const { app, close } = createApp({
    ...options,
    ...(git === undefined ? {} : { git }),
    ...(config === undefined ? {} : { config: () => config.values }),
  });
  try {
    const snapshot = await app.snapshot();
    try {
      return await use(app, snapshot, wrongSettings);
    } catch (error) {
      // The skill that was not found may be one that could not be read.
      if (error instanceof Refusal && isUnexplained(error.detail)) sayDiagnostics(snapshot, terminal);
      throw error;
    }
  } finally {
    await Promise.all([close(), git?.close()]);
  }
}

function isUnexplained(detail: RefusalDetail): boolean {
  return detail.code === "unknown-skill" && detail.explained !== true;
}

/** What was fetched before is shown as it is; a server brings it up to date. */
async function openCached(wanted: SourceOptions): Promise<SourcesSeen> {
  const git = await openGitLibraries(wanted);
  await git?.fetchMissing();
  return { git, config: undefined, wrongSettings: [] };
}

/** One line for each thing that is wrong on the disk. */
export function sayDiagnostics({ diagnostics }: Pick<Snapshot, "diagnostics">, terminal: Terminal): void {
  for (const diagnostic of diagnostics) terminal.say(printable(diagnosticLine(diagnostic)));
}
