import { movedFolders } from "#agents";
import { type InstallPlaces, targetOf, targetWith } from "#install";
import type { Log } from "#util";
import { expandHome, homeFolder } from "#util";
import { badUsage, type Flags, type FlagValues, flag } from "../flags.ts";
import { JSON_FLAG } from "../shared-flags.ts";

/** The flags of every command that looks after installed skills. */
export const INSTALL_FLAGS = {
  ...JSON_FLAG,
  global: flag.switch("use ~/.agents/skills instead of the project's folder", "g"),
  "user-dir": flag.text("<dir>", "use instead of the home folder"),
} satisfies Flags;

export const DRY_RUN_FLAG = {
  "dry-run": flag.switch("show the plan without changing anything"),
} satisfies Flags;

/** `--skill`, which other tools have in place of names after the command. */
export const SKILL_FLAG = {
  skill: flag.list("<name>", "a skill, as an argument names it; '*' for all (repeatable)", { short: "s" }),
} satisfies Flags;

/** Progress is logged only after this time, and then every two seconds. */
const QUIET_MS = 1_000;

export function installPlaces(
  flags: Pick<FlagValues<typeof INSTALL_FLAGS>, "user-dir">,
  log: Log,
): InstallPlaces {
  const given = flags["user-dir"];
  let next = Date.now() + QUIET_MS;
  return {
    cwd: process.cwd(),
    home: given === undefined ? homeFolder() : expandHome(given, homeFolder()),
    // With --user-dir, environment variables that move agents' folders do not count.
    moved: given === undefined ? movedFolders(process.env) : {},
    environment: process.env,
    log,
    onProgress(text) {
      if (Date.now() < next) return;
      next = Date.now() + 2 * QUIET_MS;
      log.info(text);
    },
  };
}

/** Where a command works: the user's folder with `-g`, the project's with `-p`, else where the named skills are installed. */
export function chosenTarget(
  given: FlagValues<typeof INSTALL_FLAGS> & { readonly project?: boolean },
  names: readonly string[],
  places: InstallPlaces,
) {
  if (given.global && given.project === true)
    throw badUsage("--project", "--global and --project contradict each other: pass one of them.");
  if (given.global) return targetOf("user", places);
  return given.project === true ? targetOf("project", places) : targetWith(names, places);
}
