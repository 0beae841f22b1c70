import { array, boolean, enum as oneOf, optional, record, strictObject, string } from "zod";
import type { InstallPlaces, InstallResult, listInstalled } from "#install";
import type { Snapshot, SnapshotSource } from "#skills";
import { commandText, escapeInvisibleCharacters, Refusal } from "#util/pure";
import type { Checks } from "../../../services.ts";
import type { ChoicesAnswer, PlanAnswer, SourcesAnswer, UpdatesAnswer } from "../../../wire/sources.ts";
import { type ApiRequest, badBody, isAdministrator } from "../api-request.ts";
import type { Handlers } from "../create-api.ts";
import { json } from "../json-answer.ts";

const MOST_NAMES = 1_000;
const LONGEST = 2_000;
const SCOPE = oneOf(["project", "user"]);
const NAMES = array(string().min(1).max(LONGEST)).max(MOST_NAMES);

const UPDATE = strictObject({
  scope: SCOPE,
  names: NAMES.min(1),
  seen: optional(record(string(), string())),
  dryRun: boolean(),
});
const ADD = strictObject({
  source: string().trim().min(1).max(LONGEST),
  names: NAMES,
  scope: SCOPE,
  dryRun: boolean(),
});
const UNDO = strictObject({ names: NAMES.min(1) });

export function sourceReads(
  skills: Pick<SnapshotSource, "snapshot">,
  checks: Pick<Checks, "health">,
  places: InstallPlaces,
): Handlers {
  return {
    async sources(request) {
      const { listInstalled } = await import("#install");
      const [{ roots, git, freshness }, found] = await Promise.all([checks.health(), listInstalled(places)]);
      const { undo } = found;
      const isAdmin = isAdministrator(request);
      const { installed, locks } = isAdmin
        ? { installed: found.skills, locks: found.locks }
        : seenIn(await skills.snapshot(), found);
      return json({
        folders: roots,
        repositories: git.map((repo) => ({ ...repo, skills: skillsOf(roots, repo.name) })),
        installed,
        mayInstall: mayInstall(request),
        locks,
        ...(isAdmin && undo !== undefined ? { undo: { names: undo.names } } : {}),
        ...(isAdmin ? { lastScan: freshness.lastRefresh } : {}),
      } satisfies SourcesAnswer);
    },
  };
}

/**
 * Installed skills that are served from the folder they are installed in, and the locks that list them. Where an approved copy is
 * served, the state of the folder would tell of a version that nobody approved; why a lock cannot be read may name any skill.
 */
function seenIn({ catalog }: Snapshot, { skills, locks }: Awaited<ReturnType<typeof listInstalled>>) {
  const folders = new Set(catalog.entries.map(({ skill }) => skill.realDir));
  const installed = skills.filter(({ folder }) => folders.has(folder));
  const scopes = new Set(installed.map(({ scope }) => scope));
  return {
    installed,
    locks: locks.filter(({ scope, problem }) => scopes.has(scope) && problem === undefined),
  };
}

/** Each of them is refused without the right to change something. */
export function sourceWrites(skills: Pick<SnapshotSource, "refresh">, places: InstallPlaces): Handlers {
  /** Agents see what was installed at once, not with the next scan. */
  const after = async (result: InstallResult, command: string): Promise<PlanAnswer> => {
    if (!result.dryRun) await skills.refresh();
    return planAnswer(result, command);
  };
  return {
    async "sources/check"() {
      const { checkForUpdates } = await import("#install");
      return json({ skills: await checkForUpdates(places) } satisfies UpdatesAnswer);
    },
    async "sources/update"(_, body) {
      const { seen, ...wanted } = read(
        UPDATE,
        body,
        '{"scope": "project", "names": ["pdf"], "dryRun": true}',
      );
      const command = commandText(["update", ...flagOf(wanted.scope), ...wanted.names]);
      const { updateInstalled } = await import("#install");
      const result = await updateInstalled({ ...wanted, ...(seen === undefined ? {} : { seen }) }, places);
      return json(await after(result, command));
    },
    async "sources/add"(request, body) {
      const example = '{"source": "owner/repo", "names": ["pdf"], "scope": "project", "dryRun": true}';
      const wanted = read(ADD, body, example);
      const command = commandText(["add", ...flagOf(wanted.scope), wanted.source, ...wanted.names]);
      if (!mayInstall(request)) throw onlyByOperator(command);
      const { installFrom } = await import("#install");
      const result = await installFrom(wanted, places);
      if ("choices" in result) return json(result satisfies ChoicesAnswer);
      return json(await after(result, command));
    },
    async "sources/undo"(_, body) {
      const { names } = read(UNDO, body, '{"names": ["pdf"]}');
      const { undoInstall } = await import("#install");
      return json(await after(await undoInstall(names, places), commandText(["undo"])));
    },
  };
}

/** On a server for many, what a source may bring is for whoever has a shell there. */
function mayInstall({ subject }: Pick<ApiRequest, "subject">): boolean {
  return subject === undefined;
}

function onlyByOperator(command: string): Refusal {
  return new Refusal(`On a server with tokens, skills are added by its operator: \`${command}\`.`, {
    code: "cannot-install",
    name: "",
  });
}

function flagOf(scope: "project" | "user"): readonly string[] {
  return scope === "user" ? ["-g"] : [];
}

function planAnswer({ scope, dryRun, plan, failed }: InstallResult, command: string): PlanAnswer {
  return {
    scope,
    dryRun,
    // Whoever decides must see what a model would read.
    plan: plan.map(({ diff, ...step }) => ({
      ...step,
      ...(diff === undefined ? {} : { diff: escapeInvisibleCharacters(diff) }),
    })),
    failed: failed.map(({ name, reason }) => ({ name, message: reason })),
    command,
  };
}

function skillsOf(roots: SourcesAnswer["folders"], repository: string): number {
  return roots.filter(({ provider }) => provider === repository).reduce((sum, { skills }) => sum + skills, 0);
}

function read<T>(
  schema: { safeParse(body: unknown): { success: true; data: T } | { success: false } },
  body: unknown,
  example: string,
): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw badBody(example);
}
