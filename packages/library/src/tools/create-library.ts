import { DEFAULT_VALUES } from "#config";
import type { SearchResult } from "#search";
import { type Audience, lookUp, type Places, repoProvenance, type Snapshot, whyWithheld } from "#skills";
import type { createRefresher, GitLibraries } from "#sources";
import type { Usage, UsedBy } from "#usage";
import type { Log } from "#util";
import { defined, LONGEST_NAME, Refusal } from "#util/pure";
import { skillTree } from "../matching/skill-tree.ts";
import { protectedIn } from "../sandbox/protected-names.ts";
import { findLibrarySkill, unknownPath } from "./find-library-skill.ts";
import { getAsset, type WantedAsset } from "./get-asset.ts";
import { contentOf, getSkill, type Suggestion, type WantedSkill } from "./get-skill.ts";
import { explainNotApproved } from "./not-approved.ts";
import type { ScriptOptions, Scripts } from "./open-scripts.ts";
import { type RunScriptDeps, runScript, type ScriptCall, type ScriptRequest } from "./run-script.ts";

/** What can be done with a library. */
export type LibraryTools = ReturnType<typeof createLibraryTools>;

type Refresher = ReturnType<typeof createRefresher>;

interface LibraryOptions {
  readonly options: ScriptOptions & { readonly git?: Pick<GitLibraries, "repoAt" | "states"> };
  readonly places: Places;
  /** Every folder that is searched for skills, also for callers who see none of them. */
  readonly roots: () => Promise<readonly string[]>;
  /** Waits for the first clone of each repository. */
  readonly settled: () => Promise<Snapshot>;
  readonly refresh: () => Promise<Snapshot>;
  readonly search: (task: string, limit: number, audience: Audience) => Promise<SearchResult>;
  readonly usage: Pick<Usage, "record" | "saved">;
  readonly log: Log;
  /** Whether scripts may run for the callers of these tools. */
  readonly allowsScripts: () => boolean;
  readonly seesRepo: Parameters<Refresher>[0]["seesRepo"];
  readonly scripts: Scripts;
  readonly refresher: Refresher;
  readonly refuseUnapproved: RunScriptDeps["refuseUnapproved"];
}

/** The library tools. */
export function openLibrary(given: LibraryOptions) {
  const ready = createReadySnapshot(given);
  const snapshot = async () => refuseWithheld("library", await ready());
  const shared = { warn: createWarner(given.log), snapshot };
  return {
    tools: createLibraryTools(given, shared, () => ({})),
    toolsOf: (by: () => UsedBy) => createLibraryTools(given, shared, by),
  };
}

function createLibraryTools(
  given: LibraryOptions,
  {
    warn,
    snapshot,
  }: { readonly warn: (message: string) => void; readonly snapshot: () => Promise<Snapshot> },
  by: () => UsedBy,
) {
  const usage: Pick<Usage, "record"> = { record: (type, data) => given.usage.record(type, data, by()) };
  const { options, search, log, refresher, refresh, seesRepo } = given;
  const { config = () => DEFAULT_VALUES } = options;
  const suggest = async (task: string) => suggestionsFrom(await search(task, MOST_SUGGESTIONS, "models"));
  const library = async () => (await snapshot()).library;
  return {
    /** A dry run shows a person what an agent would get, so it is not recorded as use. */
    async getSkill({ dryRun = false, ...wanted }: WantedSkill & { readonly dryRun?: boolean }) {
      const current = await snapshot();
      const deps = { config: config(), usage: dryRun ? UNRECORDED : usage, suggest, warn };
      return explainNotApproved(current, { skillPath: wanted.skillPath ?? "" }, () =>
        getSkill(current.library, wanted, deps),
      );
    },
    /** Where a skill came from, as far as that is known; undefined where nothing is. */
    async provenance(skillPath: string): Promise<ReturnType<typeof repoProvenance> | undefined> {
      const skill = (await library()).skills.get(skillPath);
      const repo = skill && (skill.repo ?? options.git?.repoAt(skill.file));
      const approved = skill?.approved === undefined ? {} : { approved: `sha256:${skill.approved}` };
      const known = { ...repoProvenance(repo), ...approved };
      return Object.keys(known).length === 0 ? undefined : known;
    },
    /** The text of one skill with everything it inherits. */
    async readContent(skillPath: string) {
      const current = await library();
      return contentOf(current, findLibrarySkill(current, skillPath));
    },
    async listSkills(path: string) {
      const current = await library();
      const tree = path.length > LONGEST_NAME ? undefined : skillTree(current, path);
      if (tree === undefined) throw unknownPath(path, [...current.skills.keys()]);
      return { tree };
    },
    async getAsset(wanted: WantedAsset) {
      const current = await snapshot();
      const deps = { maxBytes: config().assets.max_size_bytes, usage };
      return explainNotApproved(current, wanted, () => getAsset(current.library, wanted, deps));
    },
    async runScript(request: ScriptRequest, call: ScriptCall) {
      // The settings come with the content, so they are read after it.
      const current = refuseWithheld("scripts", await snapshot());
      if (!given.allowsScripts()) {
        const reason = "Scripts are not run here: the profile that you are served does not allow them.";
        throw new Refusal(reason, { code: "library", reason: "scripts-disabled" });
      }
      const deps = scriptDeps(given, [...(await given.roots()), ...protectedIn(given.places.cwd)], usage, by);
      return explainNotApproved(current, request, () => runScript(current.library, request, deps, call));
    },
    async reportUsage(feedback: SkillFeedback) {
      const path = recordFeedback(await snapshot(), feedback, { usage, log });
      // It is on the disk before the answer says that it is recorded.
      if (await given.usage.saved()) return { recorded: true, message: `Feedback recorded for ${path}` };
      const message = `Feedback for ${path} could not be written to the disk; the log of the server says why.`;
      return { recorded: false, message };
    },
    async refreshSkills(onStep?: (message: string) => void) {
      let current: Snapshot | undefined;
      const refreshNow = async () => (current = await refresh());
      const answer = await refresher({ refresh: refreshNow, seesRepo, usage, ...(onStep && { onStep }) });
      // With other content the settings are read again.
      if ((answer.files_changed ?? 0) === 0 && current !== undefined) refuseWithheld("library", current);
      return answer;
    },
  };
}

function scriptDeps(
  { options, places, scripts, log, refuseUnapproved }: LibraryOptions,
  trusted: readonly string[],
  usage: Pick<Usage, "record">,
  by: () => UsedBy,
): RunScriptDeps {
  const { scripts: config } = (options.config ?? (() => DEFAULT_VALUES))();
  const { cwd, home } = places;
  const network = config.network ?? (options.remoteCallers ? "off" : "declared");
  return {
    config: { ...config, network },
    runner: scripts.open,
    folders: { project: cwd, home, projectAllowed: !options.remoteCallers, listed: config.folders },
    trusted,
    refuseUnapproved,
    enter: (label) => scripts.enter(by().caller, label),
    usage,
    log,
  };
}

type SkillFeedback = Readonly<{ skillPath: string; useful: boolean; comment: string | undefined }>;

function recordFeedback(
  snapshot: Snapshot,
  { skillPath, useful, comment }: SkillFeedback,
  { usage, log }: { readonly usage: Pick<Usage, "record">; readonly log: Log },
): string {
  const path = nameOf(snapshot, skillPath);
  usage.record("skill_feedback", { skill_path: path, useful, ...defined({ comment }) });
  const callerText = comment === undefined ? undefined : `: ${comment}`;
  log.info(`feedback: ${path} was ${useful ? "useful" : "not useful"}`, defined({ callerText }));
  return path;
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

/** SkillFeedback can be about any skill: a library's by its path, any other by the name that loads it. */
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

function suggestionsFrom({ results, nearest }: SearchResult): readonly Suggestion[] {
  return [...results, ...nearest].map(({ name, description, skill_path }) => ({
    name,
    description,
    ...defined({ skill_path }),
  }));
}

/** Refuses what is not served while the settings are wrong, with the reason. */
function refuseWithheld(what: "library" | "scripts", snapshot: Snapshot): Snapshot {
  const problems = whyWithheld(what, snapshot.wrongSettings);
  if (problems.length === 0) return snapshot;
  const lines = problems.map(({ place, message }) => `${place}: ${message}`);
  throw new Refusal(`The settings are wrong, and are used again once they are repaired. ${lines.join(" ")}`, {
    code: "bad-config",
    problems,
  });
}

/** The current library. If the first clone failed, an empty library would be a wrong answer. */
function createReadySnapshot({
  settled,
  options: { git },
  seesRepo,
}: LibraryOptions): () => Promise<Snapshot> {
  if (git === undefined) return settled;
  return async () => {
    const current = await settled();
    const failing = git
      .states()
      .find(
        ({ failure, commit, url }) => failure !== undefined && commit === undefined && seesRepo(current, url),
      );
    if (current.library.skills.size > 0 || failing?.failure === undefined) return current;
    const { since, message } = failing.failure;
    throw new Refusal(`The library could not be fetched since ${since}. ${message}`, {
      code: "library",
      reason: "not-fetched",
    });
  };
}
