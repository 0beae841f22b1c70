import path from "node:path";
import type { ConfigProblem } from "#config";
import type { Fleet } from "#fleet";
import { openFleetShare } from "#fleet";
import { compose, type Services } from "#server";
import type { Snapshot } from "#skills";
import { inspectSources, openGitLibraries } from "#sources";
import { policyProblems } from "#trust";
import type { UsageSettings } from "#usage";
import { homeFolder, type Log, ownFolderIn } from "#util";
import { Refusal } from "#util/pure";
import type { FlagValues } from "./flags.ts";
import { distinctProblems } from "./settings-problems.ts";
import { type VIEW_FLAGS, viewOptions } from "./shared-flags.ts";
import { logDiagnostics } from "./terminal-log.ts";

/** What a command does with the skills that it is given. */
type ViewUser<T> = (
  services: Services,
  snapshot: Snapshot,
  wrongSettings: Awaited<ReturnType<typeof inspectSources>>["wrongSettings"],
) => Promise<T>;

/**
 * Scans once and hands the services to a command. With `asServed` it uses the settings and repositories as a server would, with `redis`
 * the usage of all replicas.
 */
export async function withSkillView<T>(
  flags: FlagValues<typeof VIEW_FLAGS>,
  log: Log,
  use: ViewUser<T>,
  { asServed = false, redis, problems = [] }: ViewSettings = {},
): Promise<T> {
  const options = viewOptions(flags);
  const { library, userDir, repos } = options;
  const wanted = { library, repos, userDir, environment: process.env, log };
  const ownFolder = ownFolderIn(path.resolve(userDir ?? homeFolder()));
  const { git, config, wrongSettings } = asServed
    ? await inspectAll(wanted, [...problems, ...(await policyProblems(ownFolder, options.audit))])
    : await openCached(wanted);
  const share = await openFleetShare(redis, ownFolder);
  const { services, close } = compose({
    ...options,
    ...(wrongSettings.length === 0 ? {} : { wrongSettings }),
    ...(git === undefined ? {} : { git }),
    ...(config === undefined ? {} : { config: () => config.values }),
    ...(share === undefined ? {} : { share }),
    // A command records no usage, but recorded usage decides the order of a server's lists.
    ...(asServed ? { usage: UNSENT } : {}),
  });
  try {
    const snapshot = await services.skills.snapshot();
    try {
      return await use(services, snapshot, wrongSettings);
    } catch (error) {
      // The skill that was not found may be one that could not be read.
      if (error instanceof Refusal && isUnexplained(error.detail)) logDiagnostics(snapshot.diagnostics, log);
      throw error;
    }
  } finally {
    await Promise.all([close(), git?.close()]);
  }
}

/** What a command sees of the settings. */
interface ViewSettings {
  /** True: the settings and repositories as a server would use them. */
  readonly asServed?: boolean;
  readonly redis?: Fleet["redis"] | undefined;
  /** What is wrong in the files that `flags` come from. */
  readonly problems?: readonly ConfigProblem[];
}

/** What a server would serve, with everything that is wrong in its settings. */
async function inspectAll(
  wanted: Parameters<typeof inspectSources>[0],
  problems: readonly ConfigProblem[],
): ReturnType<typeof inspectSources> {
  const inspected = await inspectSources(wanted);
  return { ...inspected, wrongSettings: distinctProblems([...problems, ...inspected.wrongSettings]) };
}

const UNSENT: UsageSettings = {
  endpoint: undefined,
  context: "off",
  history: true,
};

function isUnexplained(detail: Refusal["detail"]): boolean {
  return detail.code === "unknown-skill" && detail.explained !== true;
}

/** Opens repositories as they were fetched before: only a server updates them. */
async function openCached(wanted: Parameters<typeof inspectSources>[0]): ReturnType<typeof inspectSources> {
  const git = await openGitLibraries(wanted);
  await git?.fetchMissing();
  return { git, config: undefined, wrongSettings: [] };
}
