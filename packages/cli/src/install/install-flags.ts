import { type InstallPlaces, scopeFor, type Target, targetOf } from "#install";
import { movedFolders } from "#skills";
import { expandHome, homeFolder, type Log } from "#util";
import { type Flags, type FlagValues, flag } from "../flags.ts";
import { JSON_FLAG } from "../shared-flags.ts";

/** The flags of every command that looks after installed skills. */
export const INSTALL_FLAGS = {
  ...JSON_FLAG,
  global: flag.switch("use ~/.agents/skills instead of the project's folder (short: -g)", "g"),
  "user-dir": flag.text("<dir>", "use instead of the home folder"),
} satisfies Flags;

export const DRY_RUN_FLAG = {
  "dry-run": flag.switch("show the plan without changing anything"),
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

/** Where a command works: the user's folder with `-g`, else where the named skills are installed. */
export async function chosenTarget(
  given: FlagValues<typeof INSTALL_FLAGS>,
  names: readonly string[],
  places: InstallPlaces,
): Promise<Target> {
  return targetOf(given.global ? "user" : await scopeFor(names, places), places);
}
