import { agentTitle, type ClientInfo, clientMeant, clientTitle, findAgents, surroundingsOf } from "#agents";
import type { Snapshot, SnapshotSource } from "#skills";
import { pluginId } from "#skills";
import { homeFolder } from "#util";
import { defined, memoizeWeak } from "#util/pure";
import { countExamples } from "../../../dashboard/skills/skill-facts.ts";
import { countFindings } from "../../../health/all-findings.ts";
import { type ClientViewSettings, viewClient } from "../../../mcp/client-view/client-view.ts";
import type { Checks, UsageRecords } from "../../../services.ts";
import type {
  OverviewAnswer,
  WireAgent,
  WireConfigured,
  WireReplicas,
  WireTurnOne,
} from "../../../wire/overview.ts";
import type { ProblemsAnswer } from "../../../wire/problems.ts";
import type { ServerState } from "../../../wire/skills.ts";
import type { SeenClient } from "../../transports/client-log.ts";
import { type ApiRequest, isAdministrator } from "../api-request.ts";
import type { Handlers } from "../create-api.ts";
import { json } from "../json-answer.ts";
import { clientIn, type ListSettings, settingsIn } from "../model/model-handlers.ts";
import { maySee, withUsualClient } from "../model/usual-client.ts";

/** A client that sends single requests counts as connected for this time after its last one. */
const CONNECTED_MS = 120_000;

/** The clients whose first turn is shown, besides those that are connected. */
const USUAL_CLIENTS = ["claude-code", "codex", "gemini-cli", "opencode"] as const;
const MOST_CLIENTS = 6;

export interface OverviewServices {
  readonly skills: Pick<SnapshotSource, "snapshot">;
  readonly checks: Pick<Checks, "repositories" | "problems">;
  readonly likelyUse: UsageRecords["likelyUse"];
  readonly home: string;
}

export interface OverviewOptions {
  readonly clients: () => readonly SeenClient[];
  readonly lists: ListSettings;
  readonly server?: (() => ServerState) | undefined;
}

export function overviewReads(
  { skills, checks, likelyUse, home }: OverviewServices,
  { clients, lists, server }: OverviewOptions,
): Handlers {
  const turnOne = createTurnOne(likelyUse, lists);
  return {
    async overview(request) {
      const snapshot = await skills.snapshot();
      const seen = clients()
        .filter((client) => maySee(request, client))
        .map((client) => seenBy(request, client));
      const isAdmin = isAdministrator(request);
      const configured = isAdmin ? await clientsHere(home) : undefined;
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
        turnOne: turnOne(snapshot, seen, request),
      } satisfies OverviewAnswer);
    },
    async problems() {
      const list = await checks.problems();
      return json({ counts: countFindings(list), list } satisfies ProblemsAnswer);
    },
  };
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

function agentOf({ client, subject, profile, era, sessions, firstSeen, lastSeen }: SeenClient): WireAgent {
  return {
    client: client.name,
    ...(client.version === undefined ? {} : { version: client.version }),
    ...defined({ title: clientTitle(client.name) }),
    era,
    ...(subject === undefined ? {} : { caller: subject }),
    ...(profile === undefined ? {} : { profile }),
    isConnected: sessions > 0 || Date.now() - lastSeen < CONNECTED_MS,
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

/** The clients that are installed on this machine, and whether their configuration names us. */
async function clientsHere(home: string): Promise<readonly WireConfigured[]> {
  const found = await findAgents("user", surroundingsOf(home === homeFolder() ? undefined : home));
  return found
    .filter(({ isInstalled, state }) => isInstalled || state === "connected")
    .map(({ agent: { id, title }, state }) => ({ id, title, isConnected: state === "connected" }));
}

/** Whose first turn is shown, as the address of `model` says it. */
type AskedTurn = Pick<WireTurnOne, "client" | "version" | "connection" | "profile">;

/** Pages ask every few seconds, and the lists of many skills are long: each is written once for each snapshot. */
function createTurnOne(likelyUse: UsageRecords["likelyUse"], lists: ListSettings) {
  const knownOf = memoizeWeak((_snapshot: Snapshot) => new Map<string, WireTurnOne>());
  return (snapshot: Snapshot, seen: readonly SeenClient[], request: ApiRequest): readonly WireTurnOne[] => {
    const known = knownOf(snapshot);
    const found = new Map<string, WireTurnOne>();
    // Settings can change while somebody is connected: a profile may be gone.
    const profiles = new Set(lists.profiles().map(({ name }) => name));
    const current = seen.filter(({ profile }) => profile === undefined || profiles.has(profile));
    for (const wanted of [...current.map(askedOf), ...USUAL_CLIENTS.map((client) => ({ client }))]) {
      const title = agentTitle(wanted.client);
      if (found.has(title) || found.size >= MOST_CLIENTS) continue;
      const full = withUsualClient({ ...request, query: new URLSearchParams({ ...wanted }) }, current);
      const client = clientIn(full.query);
      const settings = settingsIn(full, lists, snapshot);
      const { name, version } = client;
      const asked: AskedTurn = { ...wanted, client: name, ...defined({ version }) };
      const { descriptionFormat, descriptionBudget, instructionsBudget } = settings;
      const disabled = settings.disabledByClient?.(client)?.key;
      const key = JSON.stringify([asked, descriptionFormat, descriptionBudget, instructionsBudget, disabled]);
      const shown = known.get(key) ?? {
        ...asked,
        title,
        ...firstTurn(snapshot, client, settings, likelyUse),
      };
      known.set(key, shown);
      found.set(title, shown);
    }
    return [...found.values()];
  };
}

function askedOf({ client: { name, version }, profile }: SeenClient): AskedTurn {
  return {
    client: clientMeant(name).name,
    ...(version === undefined ? {} : { version }),
    connection: "http",
    ...(profile === undefined ? {} : { profile }),
  };
}

function firstTurn(
  snapshot: Snapshot,
  client: ClientInfo,
  settings: ClientViewSettings,
  likelyUse: UsageRecords["likelyUse"],
) {
  const { tokens, shown, skills, native, complete } = viewClient(snapshot, client, settings, likelyUse).view;
  return { tokens: tokens.total, shown, skills, native: native.length, complete };
}
