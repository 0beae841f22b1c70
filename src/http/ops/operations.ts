import type { App } from "../../app/create-app.ts";
import type { RepoState } from "../../app/library/git-libraries.ts";
import { SCOPES } from "../auth/principal.ts";
import type { Exchange } from "../server/exchange.ts";
import { isLoopback } from "../server/host-guard.ts";
import { sendJson, sendText } from "../server/reply.ts";
import { createMetrics, type Metrics } from "./metrics.ts";

export interface OperationsOptions {
  readonly app: App;
  readonly git: () => readonly RepoState[];
  readonly sessions: () => number;
  readonly streams: () => number;
  readonly isDraining: () => boolean;
}

/** What those who run the server ask it: whether it lives, whether it is ready, and what it does. */
export interface Operations {
  readonly metrics: Metrics;
  health(exchange: Exchange): void;
  ready(exchange: Exchange): void;
  sendMetrics(exchange: Exchange): Promise<void>;
  close(): void;
}

/** More providers than there are agents; beyond it someone invents them. */
const MOST_PROVIDERS = 50;

export function createOperations({ app, git, sessions, streams, isDraining }: OperationsOptions): Operations {
  let skills: ReadonlyMap<string, number> | undefined;
  /** Whether the count has the content of every repository in it. */
  let isWhole = false;
  let isFirst = true;
  const count = async (): Promise<void> => {
    const hasContent = git().every(({ commit }) => commit !== undefined);
    // The last look may have begun before the content came.
    const look = isFirst || isWhole || !hasContent ? app.snapshot : app.refresh;
    isFirst = false;
    const { catalog, library } = await look();
    const byProvider = new Map<string, number>();
    for (const { skill } of catalog.entries) {
      const known = byProvider.has(skill.provider) || byProvider.size < MOST_PROVIDERS;
      const provider = known ? skill.provider : "other";
      byProvider.set(provider, (byProvider.get(provider) ?? 0) + 1);
    }
    if (library.skills.size > 0) byProvider.set("library", library.skills.size);
    skills = byProvider;
    isWhole ||= hasContent;
  };
  // A first look that fails is tried again with the next request; until then the server is not ready.
  const recount = (): void => void count().catch(() => {});
  recount();
  const stop = app.onChange(recount);

  const metrics = createMetrics({
    sessions,
    streams,
    skillsByProvider: () => skills ?? new Map(),
    refreshes: () => app.status().refreshes,
    gitAges: () =>
      new Map(
        git().flatMap(({ name, lastSync }) =>
          lastSync === undefined ? [] : [[name, (Date.now() - Date.parse(lastSync)) / 1000] as const],
        ),
      ),
    events: () => app.status().usage,
    sandbox: () => app.status().sandbox,
  });

  return {
    metrics,
    health: ({ response }) => sendJson(response, 200, { ok: true }),
    ready(exchange) {
      const ready = isWhole && !isDraining();
      if (!isWhole) recount();
      const total = [...(skills?.values() ?? [])].reduce((sum, value) => sum + value, 0);
      const body = { ready, skills: total };
      const { usage, sandbox, refreshes } = app.status();
      const details = {
        git: git().map(({ name, branch, commit, lastSync, syncing, failure }) => {
          return {
            name,
            branch,
            commit,
            last_sync: lastSync,
            syncing,
            failing_since: failure?.since,
            failure: failure?.message,
          };
        }),
        usage: usage === undefined ? undefined : { ...usage, failure: usage.failure?.reason },
        refreshes,
        sandbox,
        sessions: sessions(),
        draining: isDraining(),
      };
      sendJson(exchange.response, ready ? 200 : 503, mayOperate(exchange) ? { ...body, ...details } : body);
    },
    async sendMetrics(exchange) {
      const { response } = exchange;
      if (!mayOperate(exchange)) {
        sendJson(response, 403, { error: `Metrics are for this machine, or for the scope ${SCOPES[2]}.` });
        return;
      }
      sendText(response, 200, metrics.contentType, await metrics.text());
    },
    close: stop,
  };
}

/** The machine itself, but not a proxy on it that speaks for others; or whoever may administer. */
function mayOperate({ request, principal }: Exchange): boolean {
  if (principal.subject !== undefined && principal.scopes.has("skills:admin")) return true;
  const { headers, socket } = request;
  const isForwarded = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  return !isForwarded && isLoopback(socket.remoteAddress ?? "");
}
