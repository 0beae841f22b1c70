import type { App } from "../../app/create-app.ts";
import type { RepoState } from "../../app/library/git-libraries.ts";
import { type Exchange, sendJson, sendText } from "../server/exchange.ts";
import { isLoopback } from "../server/host-guard.ts";
import { createMetrics, type Metrics } from "./metrics.ts";

export interface OperationsOptions {
  readonly app: App;
  readonly git: () => readonly RepoState[];
  readonly state: () => { readonly sessions: number; readonly streams: number };
  readonly isDraining: () => boolean;
}

/** Health, readiness and metrics. */
export interface Operations {
  readonly metrics: Metrics;
  health(exchange: Exchange): void;
  ready(exchange: Exchange): void;
  sendMetrics(exchange: Exchange): Promise<void>;
  close(): void;
}

export function createOperations({ app, git, state, isDraining }: OperationsOptions): Operations {
  const counts = countSkills(app, git);
  const metrics = createMetrics({
    sessions: () => state().sessions,
    streams: () => state().streams,
    skillsByProvider: () => counts.byProvider,
    refreshes: () => app.status().refreshes,
    gitAges: () => gitAges(git()),
    events: () => app.status().usage,
    sandbox: () => app.status().sandbox,
  });

  function details(): object {
    const { usage, sandbox, refreshes } = app.status();
    return {
      git: git().map(repoDetails),
      usage: usage === undefined ? undefined : { ...usage, failure: usage.failure?.reason },
      refreshes,
      sandbox,
      sessions: state().sessions,
      draining: isDraining(),
    };
  }

  return {
    metrics,
    health: ({ response }) => sendJson(response, 200, { ok: true }),
    ready(exchange) {
      const ready = counts.isComplete && !isDraining();
      if (!counts.isComplete) counts.update();
      const skills = [...counts.byProvider.values()].reduce((sum, value) => sum + value, 0);
      const body = { ready, skills, ...(mayOperate(exchange) ? details() : {}) };
      sendJson(exchange.response, ready ? 200 : 503, body);
    },
    async sendMetrics(exchange) {
      const { response } = exchange;
      if (mayOperate(exchange)) return sendText(response, 200, metrics.contentType, await metrics.text());
      return sendJson(response, 403, {
        error: "Metrics are available from this machine, or with the scope skills:admin.",
      });
    },
    close: () => counts.close(),
  };
}

/** Further providers count as "other", so that the number of time series is bounded. */
const MAX_PROVIDERS = 50;

function countSkills(app: App, git: () => readonly RepoState[]) {
  let isFirst = true;
  const count = async (): Promise<void> => {
    const hasContent = git().every(({ commit }) => commit !== undefined);
    // The last scan may have begun before the content of a repository was there.
    const read = isFirst || counts.isComplete || !hasContent ? app.snapshot : app.refresh;
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
    close: app.onChange(update),
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

/** Callers on this machine, except through a proxy, and callers with the scope skills:admin. */
function mayOperate({ request, principal }: Exchange): boolean {
  if (principal.subject !== undefined && principal.scopes.has("skills:admin")) return true;
  const { headers, socket } = request;
  const isForwarded = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  return !isForwarded && isLoopback(socket.remoteAddress ?? "");
}
