import { agentTitle, clientTitle } from "#agents";
import type { Snapshot, SnapshotSource } from "#skills";
import { pluginId } from "#skills";
import { defined } from "#util/pure";
import type { PageTools } from "../../../dashboard/page-tools.ts";
import { countExamples } from "../../../dashboard/skills/skill-facts.ts";
import { countFindings } from "../../../health/all-findings.ts";
import type { Checks } from "../../../services.ts";
import type { OverviewAnswer, WireAgent, WireReplicas, WireTurnOne } from "../../../wire/overview.ts";
import type { ProblemsAnswer } from "../../../wire/problems.ts";
import type { ServerState } from "../../../wire/skills.ts";
import { isConnected, type SeenClient } from "../../transports/client-log.ts";
import { type ApiRequest, isAdministrator } from "../api-request.ts";
import type { Handlers } from "../create-api.ts";
import { json } from "../json-answer.ts";
import { agentsHere, askedOf, inKnownProfiles } from "../model/agents-here.ts";
import type { ClientViews } from "../model/client-views.ts";
import type { ListSettings } from "../model/model-handlers.ts";
import { maySee } from "../model/usual-client.ts";

/** The clients whose first turn is shown, besides those that are connected. */
const USUAL_CLIENTS = ["claude-code", "codex", "gemini-cli", "opencode"] as const;
const MOST_CLIENTS = 6;

export interface OverviewServices {
  readonly skills: Pick<SnapshotSource, "snapshot">;
  readonly checks: Pick<Checks, "repositories" | "problems">;
  readonly viewOf: ClientViews;
  readonly page: Pick<PageTools, "proposeFix">;
  readonly home: string;
}

export interface OverviewOptions {
  readonly clients: () => readonly SeenClient[];
  readonly lists: ListSettings;
  readonly server?: (() => ServerState) | undefined;
}

export function overviewReads(
  { skills, checks, viewOf, page, home }: OverviewServices,
  { clients, lists, server }: OverviewOptions,
): Handlers {
  return {
    async overview(request) {
      const snapshot = await skills.snapshot();
      const seen = clients()
        .filter((client) => maySee(request, client))
        .map((client) => seenBy(request, client));
      const isAdmin = isAdministrator(request);
      const configured = isAdmin ? await agentsHere(home) : undefined;
      // Its revision changes with the skills of everyone.
      const fleet = isAdmin ? server?.().fleet : undefined;
      return json({
        skills: snapshot.catalog.entries.length,
        librarySkills: snapshot.library.skills.size,
        examples: countExamples(snapshot),
        places: placesOf(snapshot),
        repositories: (await checks.repositories()).map(({ name, commit, lastSync, failure }) => ({
          ...{ name, commit, lastSync },
          isFailing: failure !== undefined,
        })),
        agents: seen.map(agentOf),
        ...(configured === undefined ? {} : { configured }),
        ...(fleet === undefined ? {} : { fleet: replicasOf(fleet) }),
        turnOne: turnOneOf(viewOf, lists, { snapshot, seen, request }),
      } satisfies OverviewAnswer);
    },
    async problems(request) {
      const list = await checks.problems();
      const wantsFixes = isAdministrator(request) && request.query.get("fixes") === "1";
      const fixable = wantsFixes ? await fixableIn(list, page) : undefined;
      return json({ counts: countFindings(list), list, ...defined({ fixable }) } satisfies ProblemsAnswer);
    },
  };
}

/** Each file is read: nobody repairs more at once. */
const MOST_FILES = 2_000;

async function fixableIn(
  list: Awaited<ReturnType<Checks["problems"]>>,
  { proposeFix }: Pick<PageTools, "proposeFix">,
): Promise<readonly string[]> {
  const files = new Set(
    list.flatMap(({ file, check }) => (file === undefined || check === "audit" ? [] : [file])),
  );
  const fixable: string[] = [];
  for (const file of [...files].slice(0, MOST_FILES))
    if ((await proposeFix(file)) !== undefined) fixable.push(file);
  return fixable;
}

/** How many folders, plugins and repositories skills are served from. */
function placesOf({ catalog, library }: Snapshot): number {
  const places = new Set(
    catalog.entries.map(({ skill: { provider, location, plugin } }) =>
      JSON.stringify([provider, location, plugin && pluginId(plugin)]),
    ),
  );
  return places.size + (library.skills.size > 0 ? 1 : 0);
}

/** Which profile somebody is served is for administrators alone. */
function seenBy(request: ApiRequest, client: SeenClient): SeenClient {
  return isAdministrator(request) ? client : { ...client, profile: undefined };
}

function agentOf(seen: SeenClient): WireAgent {
  const { client, subject, profile, era, sessions, firstSeen, lastSeen } = seen;
  return {
    client: client.name,
    ...(client.version === undefined ? {} : { version: client.version }),
    ...defined({ title: clientTitle(client.name) }),
    era,
    ...(subject === undefined ? {} : { caller: subject }),
    ...(profile === undefined ? {} : { profile }),
    isConnected: isConnected(seen),
    sessions,
    firstSeen: new Date(firstSeen).toISOString(),
    lastSeen: new Date(lastSeen).toISOString(),
  };
}

function replicasOf({
  state,
  replica,
  revision,
  replicas,
  differ,
}: NonNullable<ServerState["fleet"]>): WireReplicas {
  const others = replicas.map((one) => ({
    replica: one.replica,
    revision: one.revision,
    version: one.version,
  }));
  return { state, replica, revision, others, differ };
}

/** The first turn of those that are connected, and of usual clients. */
function turnOneOf(
  viewOf: ClientViews,
  lists: ListSettings,
  {
    snapshot,
    seen,
    request,
  }: { readonly snapshot: Snapshot; readonly seen: readonly SeenClient[]; readonly request: ApiRequest },
): readonly WireTurnOne[] {
  const found = new Map<string, WireTurnOne>();
  const current = inKnownProfiles(seen, lists);
  for (const wanted of [...current.map(askedOf), ...USUAL_CLIENTS.map((client) => ({ client }))]) {
    const title = agentTitle(wanted.client);
    if (found.has(title) || found.size >= MOST_CLIENTS) continue;
    const { client, told } = viewOf(snapshot, wanted, request, current);
    const { tokens, shown, skills, native, complete } = told.view;
    found.set(title, {
      ...wanted,
      client: client.name,
      ...defined({ version: client.version }),
      title,
      ...{ tokens: tokens.total, shown, skills, native: native.length, complete },
    });
  }
  return [...found.values()];
}
