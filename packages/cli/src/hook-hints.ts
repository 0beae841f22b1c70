import { traitsOf } from "#agents";
import { homeOf, type SuggestibleSkill, writeHints } from "#search";
import type { Snapshot } from "#skills";
import { modelEntries, nativeSkills, readDisabledByClient, withoutDisabled } from "#skills";
import { ownFolderIn } from "#util";
import { sharedFolders } from "./plan-server.ts";

interface HintFlags {
  readonly "user-dir": string | undefined;
}

/** Writes what the hook of a client needs in this folder. Returns how many skills it may suggest. */
export async function writeHintsFor(
  search: Parameters<typeof writeHints>[0],
  snapshot: Snapshot,
  client: string,
  { given, flags }: { readonly given: HintFlags; readonly flags: readonly string[] },
): Promise<number> {
  const home = homeOf(flags);
  const skills = suggestibleSkills(snapshot, client, home, given);
  await writeHints(search, snapshot, skills, { client, flags, home, cwd: process.cwd() });
  return skills.length;
}

/** The skills that a hook may suggest: not those that authors keep from models, nor those disabled for the client. */
function suggestibleSkills(
  snapshot: Snapshot,
  client: string,
  home: string,
  { "user-dir": userDir }: HintFlags,
): readonly SuggestibleSkill[] {
  const disabled = readDisabledByClient(ownFolderIn(home))?.({ name: client });
  const isNative = nativeSkills(snapshot, traitsOf({ name: client }), sharedFolders(false, {}, userDir));
  return modelEntries(withoutDisabled(snapshot, disabled).catalog).map((entry) => ({
    entry,
    isNative: isNative(entry),
  }));
}
