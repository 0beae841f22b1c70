import path from "node:path";
import { traitsOf } from "#agents";
import { type SuggestibleSkill, writeHints } from "#search";
import type { App } from "#server";
import type { Snapshot } from "#skills";
import { modelEntries, nativeSkills, readDisabledByClient, withoutDisabled } from "#skills";
import { homeOf } from "./hook/run-hook.ts";
import { sharedFolders } from "./plan-server.ts";

interface HintFlags {
  readonly "user-dir": string | undefined;
}

/** Writes what the hook of a client needs in this folder. Returns how many skills it may suggest. */
export async function writeHintsFor(
  app: App,
  snapshot: Snapshot,
  client: string,
  { given, flags }: { readonly given: HintFlags; readonly flags: readonly string[] },
): Promise<number> {
  const home = homeOf(flags);
  const skills = suggestibleSkills(snapshot, client, home, given);
  await writeHints(app, snapshot, skills, { client, flags, home, cwd: process.cwd() });
  return skills.length;
}

/** What a client's model may be told of: neither what its author keeps from models nor what is disabled for the client. */
function suggestibleSkills(
  snapshot: Snapshot,
  client: string,
  home: string,
  { "user-dir": userDir }: HintFlags,
): readonly SuggestibleSkill[] {
  const disabled = readDisabledByClient(path.join(home, ".skills-mcp"))?.({ name: client });
  const isNative = nativeSkills(snapshot, traitsOf({ name: client }), sharedFolders(false, {}, userDir));
  return modelEntries(withoutDisabled(snapshot, disabled).catalog).map((entry) => ({
    entry,
    isNative: isNative(entry),
  }));
}
