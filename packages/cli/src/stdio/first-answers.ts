import type { ClientInfo } from "#agents";
import type { App, ListTools } from "#server";
import { withoutDisabled } from "#skills";
import type { ServerPlan } from "../plan-server.ts";
import { cachedAnswersFor, type FirstAnswers } from "./cached-answers.ts";

/** By then a client has its first answers. */
const IDLE_MS = 1_000;

/**
 * The instructions and the first list of tools. A client waits for them, and they take a scan, so those of the last run
 * are sent if nothing that they show has changed. A list is corrected by `list_changed` if the scan shows another one.
 */
export function createFirstAnswers(
  app: Pick<App, "snapshot" | "likelyUse">,
  plan: ServerPlan,
  listTools: ListTools,
): (client: ClientInfo) => Promise<FirstAnswers> {
  const startedAt = Date.now();
  const answersTo = async (client: ClientInfo): Promise<FirstAnswers> => {
    const cache = cachedAnswersFor(plan, client, app.likelyUse());
    const fresh = async (): Promise<FirstAnswers> => {
      const snapshot = withoutDisabled(await app.snapshot(), plan.settings.disabledByClient?.()?.(client));
      const list = listTools(snapshot, client);
      setTimeout(() => cache?.write(list, snapshot, startedAt), IDLE_MS).unref();
      return list;
    };
    const cached = cache?.read();
    if (cached === undefined) return fresh();
    // Cached anew for the next run, after the client has its list: the first scan blocks. This run's client is notified if the
    // SDK's list differs.
    setTimeout(() => void fresh().catch(() => {}), IDLE_MS).unref();
    return cached;
  };
  let answers: Promise<FirstAnswers> | undefined;
  // A process on stdio has one client.
  return (client) => (answers ??= answersTo(client));
}
