import { type SkillNode, skillTree } from "../../catalog/library/skill-tree.ts";
import { lookUp } from "../../catalog/resolve-name.ts";
import type { ScriptRunner } from "../../library/scripts/script-runner.ts";
import type { Snapshot } from "../../registry/registry.ts";
import type { Log } from "../../system/log.ts";
import type { Usage } from "../../usage/create-usage.ts";
import type { ConfigValues } from "../config/settings.ts";
import { findLibrarySkill, unknownPath } from "./find-library-skill.ts";
import { type AssetAnswer, getAsset } from "./get-asset.ts";
import { contentOf, type GetSkillAnswer, type GetSkillDeps, getSkill } from "./get-skill.ts";
import type { GitLibraries } from "./git-libraries.ts";
import { createIndexKeeper } from "./keyword-index-keeper.ts";
import { createReadySnapshot } from "./ready-snapshot.ts";
import { createRefresher, type RefreshSkills } from "./refresh-skills.ts";
import { runScript, type ScriptAnswer, type ScriptCall, type ScriptRequest } from "./run-script.ts";
import type { WorkingFolders } from "./working-folder.ts";

/** What can be done with a library. */
export interface LibraryTools {
  getSkill(wanted: {
    context: string;
    skillPath: string | undefined;
    /** True: someone looks at what an agent would get, which is no use of a skill. */
    dryRun?: boolean;
  }): Promise<GetSkillAnswer>;
  /** The text of one skill with everything it inherits. */
  readContent(skillPath: string): Promise<string>;
  listSkills(path: string): Promise<{ readonly tree: SkillNode }>;
  getAsset(wanted: { skillPath: string; file: string }): Promise<AssetAnswer>;
  runScript(request: ScriptRequest, call: ScriptCall): Promise<ScriptAnswer>;
  reportUsage(feedback: Feedback): Promise<{ readonly recorded: true; readonly message: string }>;
  readonly refreshSkills: RefreshSkills;
}

interface Feedback {
  readonly skillPath: string;
  readonly useful: boolean;
  readonly comment: string | undefined;
}

export interface LibraryDeps {
  readonly snapshot: () => Promise<Snapshot>;
  readonly refresh: () => Promise<Snapshot>;
  /** As it is now: content that comes from git brings its own. */
  readonly config: () => ConfigValues;
  readonly git: GitLibraries | undefined;
  readonly usage: Pick<Usage, "record">;
  readonly suggest: GetSkillDeps["suggest"];
  readonly runner: () => Promise<ScriptRunner>;
  readonly folders: Omit<WorkingFolders, "listed">;
  readonly log: Log;
}

export function createLibraryTools(deps: LibraryDeps): LibraryTools {
  const { config, usage, suggest, runner, log } = deps;
  const indexOf = createIndexKeeper();
  const warn = createWarner(log);
  const snapshot = createReadySnapshot(deps);
  const library = async () => (await snapshot()).library;
  return {
    getSkill: async ({ dryRun = false, ...wanted }) =>
      getSkill(await library(), wanted, {
        config: config(),
        usage: dryRun ? UNRECORDED : usage,
        suggest,
        indexOf,
        warn,
      }),
    async readContent(skillPath) {
      const current = await library();
      return contentOf(current, findLibrarySkill(current, skillPath));
    },
    async listSkills(path) {
      const current = await library();
      const tree = skillTree(current, path);
      if (tree === undefined) throw unknownPath(path, [...current.skills.keys()]);
      return { tree };
    },
    getAsset: async (wanted) =>
      getAsset(await library(), wanted, { maxBytes: config().assets.max_size_bytes, usage }),
    async runScript(request, call) {
      // The settings come with the content, so they are asked for after it.
      const current = await library();
      const { scripts } = config();
      const folders = { ...deps.folders, listed: scripts.folders };
      return runScript(current, request, { config: scripts, runner, folders, usage, log }, call);
    },
    async reportUsage({ skillPath, useful, comment }) {
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
    refreshSkills: createRefresher({ refresh: deps.refresh, git: deps.git, usage }),
  };
}

/** Says each thing once, however often a skill is served. */
function createWarner(log: Log): (message: string) => void {
  const said = new Set<string>();
  return (message) => {
    if (said.has(message)) return;
    said.add(message);
    log.warn(`${message}`);
  };
}

const UNRECORDED: Pick<Usage, "record"> = { record() {} };

/** A skill of any kind can be judged: a library's by its path, any other by the name that loads it. */
function nameOf({ library, catalog }: Snapshot, given: string): string {
  try {
    return findLibrarySkill(library, given).path;
  } catch (error) {
    const result = lookUp(catalog.names, given);
    if (result.kind === "found") return result.entry.listedAs;
    throw error;
  }
}
