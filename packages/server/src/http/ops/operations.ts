import type { FleetHealth } from "#fleet";
import type { SnapshotSource } from "#skills";
import type { RepoState } from "#sources";
import type { Checks } from "../../services.ts";
import { insufficientScope } from "../auth/authenticate.ts";
import { type Exchange, sendJson, sendText } from "../server/exchange.ts";
import { isLoopback } from "../server/host-guard.ts";
import type { Metrics } from "./metrics.ts";

export interface OperationsOptions {
  readonly skills: SnapshotSource;
  readonly status: Checks["status"];
  readonly git: () => readonly RepoState[];
  readonly state: () => {
    readonly sessions: number;
    readonly streams: number;
    readonly fleet?: FleetHealth;
  };
  readonly isDraining: () => boolean;
  /** Whether everyone may know how many skills there are: not where callers see different ones. */
  readonly isCounted: () => boolean;
  /** Whether callers have tokens: then a request from this machine alone opens nothing. */
  readonly hasTokens: boolean;
  readonly metrics: Metrics;
}

/** Health, readiness and metrics. */
export interface Operations {
  readonly metrics: Metrics;
  health(exchange: Exchange): void;
  ready(exchange: Exchange): void;
  sendMetrics(exchange: Exchange): Promise<void>;
  close(): void;
}

export function createOperations(options: OperationsOptions): Operations {
  const { skills: served, status, git, state, isDraining, hasTokens, metrics, isCounted } = options;
  const mayOperate = (exchange: Exchange): boolean =>
    hasTokens ? exchange.principal.scopes.has("skills:admin") : isFromThisMachine(exchange);
  const counts = countSkills(served, git);
  metrics.read({
    sessions: () => state().sessions,
    streams: () => state().streams,
    skillsByProvider: () => counts.byProvider,
    refreshes: () => status().refreshes,
    gitAges: () => gitAges(git()),
    events: () => status().usage,
    fleet: () => state().fleet,
    sandbox: () => status().sandbox,
  });

  function details(): object {
    const { usage, sandbox, refreshes } = status();
    return {
      git: git().map(repoDetails),
      usage: usage === undefined ? undefined : { ...usage, failure: usage.failure?.reason },
      refreshes,
      sandbox,
      sessions: state().sessions,
      draining: isDraining(),
      fleet: state().fleet,
    };
  }

  return {
    metrics,
    health: ({ response }) => sendJson(response, 200, { ok: true, server: "skills-mcp" }),
    ready(exchange) {
      const ready = counts.isComplete && !isDraining();
      if (!counts.isComplete) counts.update();
      const skills = [...counts.byProvider.values()].reduce((sum, value) => sum + value, 0);
      const { fleet } = state();
      const isTold = isCounted() || mayOperate(exchange);
      const body = {
        ready,
        ...(isTold ? { skills } : {}),
        ...(fleet && fleetState(fleet)),
        ...(mayOperate(exchange) ? details() : {}),
      };
      sendJson(exchange.response, ready ? 200 : 503, body);
    },
    async sendMetrics(exchange) {
      const { response } = exchange;
      if (mayOperate(exchange)) return sendText(response, 200, metrics.contentType, await metrics.text());
      if (hasTokens) throw insufficientScope("skills:admin", exchange.base);
      return sendJson(response, 403, { error: "Metrics are available from this machine only." });
    },
    close: () => counts.close(),
  };
}

/** What everyone may know: whether Redis is away, and whether all replicas serve the same, which nobody knows meanwhile. */
function fleetState({ state, differ }: FleetHealth): object {
  const revisions = state === "degraded" ? "unknown" : differ ? "differ" : "same";
  return { redis: state, revisions };
}

/** Further providers count as "other", so that the number of time series is bounded. */
const MAX_PROVIDERS = 50;

function countSkills(skills: SnapshotSource, git: () => readonly RepoState[]) {
  let isFirst = true;
  const count = async (): Promise<void> => {
    const hasContent = git().every(({ commit }) => commit !== undefined);
    // The last scan may have begun before the content of a repository was there.
    const read = isFirst || counts.isComplete || !hasContent ? skills.snapshot : skills.refresh;
    isFirst = false;
    const { catalog, library } = await read();
    const byProvider = new Map<string, number>();
    for (const { skill } of catalog.entries) {
      const isListed = byProvider.has(skill.provider) || byProvider.size < MAX_PROVIDERS;
      const provider = isListed ? skill.provider : "other";
      byProvider.set(provider, (byProvider.get(provider) ?? 0) + 1);
    }
    if (library.skills.size > 0) byProvider.set("library", library.skills.size);
    counts.byProvider = byProvider;
    counts.isComplete ||= hasContent;
  };
  // A scan that fails is tried again with the next request; until then the server is not ready.
  const update = (): void => void count().catch(() => {});
  const counts = {
    byProvider: new Map<string, number>() as ReadonlyMap<string, number>,
    /** Whether the content of every repository is counted. */
    isComplete: false,
    update,
    close: skills.onChange(update),
  };
  update();
  return counts;
}

function repoDetails({ name, branch, commit, lastSync, syncing, failure }: RepoState): object {
  return {
    name,
    branch,
    commit,
    last_sync: lastSync,
    syncing,
    failing_since: failure?.since,
    failure: failure?.message,
  };
}

function gitAges(states: readonly RepoState[]): ReadonlyMap<string, number> {
  return new Map(
    states.flatMap(({ name, lastSync }) =>
      lastSync === undefined ? [] : [[name, (Date.now() - Date.parse(lastSync)) / 1000] as const],
    ),
  );
}

/** Without a proxy in between. */
function isFromThisMachine({ request: { headers, socket } }: Exchange): boolean {
  const isForwarded = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  return !isForwarded && isLoopback(socket.remoteAddress ?? "");
}
