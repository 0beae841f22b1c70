import { type App, createApp } from "../app/create-app.ts";
import type { Snapshot } from "../registry/registry.ts";
import { diagnosticLine } from "../skill/diagnostic.ts";
import type { Terminal } from "./command.ts";
import type { FlagValues } from "./flags.ts";
import { printable } from "./render/columns.ts";
import { type VIEW_FLAGS, viewOptions } from "./shared-flags.ts";

/** Looks at the disk once, says what is wrong with it, and hands the app to a command that prints something. */
export async function withSkillView<T>(
  flags: FlagValues<typeof VIEW_FLAGS>,
  terminal: Terminal,
  use: (app: App, snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const { app, close } = createApp(viewOptions(flags));
  try {
    const snapshot = await app.snapshot();
    for (const diagnostic of snapshot.diagnostics) terminal.say(printable(diagnosticLine(diagnostic)));
    return await use(app, snapshot);
  } finally {
    close();
  }
}
