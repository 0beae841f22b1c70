import path from "node:path";
import type { App } from "../app/create-app.ts";
import { homeOf } from "../app/hook/run-hook.ts";
import { type SuggestibleSkill, writeHints } from "../app/hook/write-hints.ts";
import { withoutSkills } from "../app/skills/withheld-skills.ts";
import { modelEntries } from "../catalog/model-entries.ts";
import { traitsOf } from "../mcp/clients/known-clients.ts";
import { nativeSkills } from "../mcp/clients/listed-skills.ts";
import { readWithheld } from "../mcp/clients/withheld.ts";
import type { Snapshot } from "../registry/registry.ts";
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
  const withheld = readWithheld(path.join(home, ".skills-mcp"))?.({ name: client });
  const isNative = nativeSkills(snapshot, traitsOf({ name: client }), sharedFolders(false, {}, userDir));
  return modelEntries(withoutSkills(snapshot, withheld).catalog).map((entry) => ({
    entry,
    isNative: isNative(entry),
  }));
}
