import { skillTree } from "../../catalog/library/skill-tree.ts";
import type { Audience } from "../../catalog/model-entries.ts";
import { lookUp } from "../../catalog/resolve-name.ts";
import type { ScriptRunner } from "../../library/scripts/script-runner.ts";
import type { Snapshot } from "../../registry/registry.ts";
import { Refusal } from "../../skill/refusal.ts";
import type { Log } from "../../system/log.ts";
import type { Usage } from "../../usage/create-usage.ts";
import { DEFAULT_VALUES } from "../config/settings.ts";
import type { AppOptions } from "../options.ts";
import type { SearchResult } from "../search/search-skills.ts";
import type { Places } from "../skills/view-options.ts";
import { findLibrarySkill, unknownPath } from "./find-library-skill.ts";
import { getAsset, type WantedAsset } from "./get-asset.ts";
import { contentOf, getSkill, type Suggestion, type WantedSkill } from "./get-skill.ts";
import type { GitLibraries } from "./git-libraries.ts";
import { createLazyRunner } from "./lazy-runner.ts";
import { createRefresher } from "./refresh-skills.ts";
import { runScript, type ScriptCall, type ScriptRequest } from "./run-script.ts";

/** What can be done with a library. */
export type LibraryTools = ReturnType<typeof createLibraryTools>;

interface LibraryOptions {
  readonly options: AppOptions;
  readonly places: Places;
  /** Waits for the first clone of each repository. */
  readonly settled: () => Promise<Snapshot>;
  readonly refresh: () => Promise<Snapshot>;
  readonly search: (task: string, limit: number, audience: Audience) => Promise<SearchResult>;
  readonly usage: Pick<Usage, "record">;
  readonly log: Log;
}

/** The library tools, and the sandbox that their scripts run in. */
export function openLibrary(given: LibraryOptions) {
  const { config = () => DEFAULT_VALUES, sandboxDefault = "preferred" } = given.options;
  const runner = createLazyRunner(() => config().scripts.sandbox ?? sandboxDefault, given.log);
  return {
    tools: createLibraryTools(given, runner.open),
    /** `off`: scripts are disabled. */
    sandboxStatus: async () => (config().scripts.enabled ? (await runner.open()).sandbox() : "off"),
    lastSandbox: runner.lastSandbox,
    close: runner.close,
  };
}

function createLibraryTools(given: LibraryOptions, runner: () => Promise<ScriptRunner>) {
  const { options, places, refresh, search, usage, log } = given;
  const { git, config = () => DEFAULT_VALUES } = options;
  const suggest = async (task: string) => suggestionsFrom(await search(task, MOST_SUGGESTIONS, "models"));
  const warn = createWarner(log);
  const snapshot = createReadySnapshot(given.settled, git);
  const library = async () => (await snapshot()).library;
  return {
    /** A dry run shows a person what an agent would get, so it is not recorded as use. */
    getSkill: async ({ dryRun = false, ...wanted }: WantedSkill & { readonly dryRun?: boolean }) =>
      getSkill(await library(), wanted, {
        config: config(),
        usage: dryRun ? UNRECORDED : usage,
        suggest,
        warn,
      }),
    /** The text of one skill with everything it inherits. */
    async readContent(skillPath: string) {
      const current = await library();
      return contentOf(current, findLibrarySkill(current, skillPath));
    },
    async listSkills(path: string) {
      const current = await library();
      const tree = skillTree(current, path);
      if (tree === undefined) throw unknownPath(path, [...current.skills.keys()]);
      return { tree };
    },
    getAsset: async (wanted: WantedAsset) =>
      getAsset(await library(), wanted, { maxBytes: config().assets.max_size_bytes, usage }),
    async runScript(request: ScriptRequest, call: ScriptCall) {
      // The settings come with the content, so they are read after it.
      const current = await library();
      const { scripts } = config();
      const folders = {
        project: places.cwd,
        home: places.home,
        projectAllowed: options.remoteCallers !== true,
        listed: scripts.folders,
      };
      return runScript(current, request, { config: scripts, runner, folders, usage, log }, call);
    },
    async reportUsage({
      skillPath,
      useful,
      comment,
    }: Readonly<{ skillPath: string; useful: boolean; comment: string | undefined }>) {
      const path = nameOf(await snapshot(), skillPath);
      usage.record("skill_feedback", {
        skill_path: path,
        useful,
        ...(comment === undefined ? {} : { comment }),
      });
      log.info(
        `feedback: ${path} was ${useful ? "useful" : "not useful"}${comment === undefined ? "" : `: ${comment}`}`,
      );
      return { recorded: true, message: `Feedback recorded for ${path}` };
    },
    refreshSkills: createRefresher({ refresh, git, usage }),
  };
}

/** Logs each message once, however often a skill is served. */
function createWarner(log: Log): (message: string) => void {
  const logged = new Set<string>();
  return (message) => {
    if (logged.has(message)) return;
    logged.add(message);
    log.warn(message);
  };
}

const UNRECORDED: Pick<Usage, "record"> = { record() {} };

/** Feedback can be about any skill: a library's by its path, any other by the name that loads it. */
function nameOf({ library, catalog }: Snapshot, given: string): string {
  try {
    return findLibrarySkill(library, given).path;
  } catch (error) {
    const result = lookUp(catalog.names, given);
    if (result.kind === "found") return result.entry.listedAs;
    throw error;
  }
}

const MOST_SUGGESTIONS = 3;

function suggestionsFrom({ results }: SearchResult): readonly Suggestion[] {
  return results.map(({ name, description, skill_path }) => ({
    name,
    description,
    ...(skill_path === undefined ? {} : { skill_path }),
  }));
}

/** The current library. If the first clone failed, an empty library would be a wrong answer. */
function createReadySnapshot(
  settled: () => Promise<Snapshot>,
  git: GitLibraries | undefined,
): () => Promise<Snapshot> {
  if (git === undefined) return settled;
  return async () => {
    const current = await settled();
    const failing = git.states().find(({ failure, commit }) => failure !== undefined && commit === undefined);
    if (current.library.skills.size > 0 || failing?.failure === undefined) return current;
    const { since, message } = failing.failure;
    throw new Refusal(`The library could not be fetched since ${since}. ${message}`, {
      code: "library",
      reason: "not-fetched",
    });
  };
}
