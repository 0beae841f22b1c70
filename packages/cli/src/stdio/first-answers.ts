import type { ClientInfo } from "#agents";
import type { ListTools } from "#server";
import { type LikelyUse, type Snapshot, withoutDisabled } from "#skills";
import type { ServerPlan } from "../plan-server.ts";
import { cachedAnswersFor } from "./cached-answers.ts";
import type { FirstAnswers } from "./stdio-session.ts";

/** By then a client has its first answers. */
const IDLE_MS = 1_000;

/** The skills that a server on stdio serves. */
interface Skills {
  readonly snapshot: () => Promise<Snapshot>;
  readonly likelyUse: () => LikelyUse;
}

/**
 * The instructions and the first list of tools, from the first scan. They are cached for the next start, which sends them
 * before the server is loaded if nothing that they show has changed (start/answer-early.ts).
 */
export function createFirstAnswers(
  { snapshot: scan, likelyUse }: Skills,
  plan: ServerPlan,
  listTools: ListTools,
): (client: ClientInfo) => Promise<FirstAnswers> {
  const startedAt = Date.now();
  const answersTo = async (client: ClientInfo): Promise<FirstAnswers> => {
    const snapshot = withoutDisabled(await scan(), plan.settings.disabledByClient?.()?.(client));
    const list = listTools(snapshot, client);
    const cache = cachedAnswersFor(plan, client, likelyUse());
    setTimeout(() => cache?.write(list, snapshot, startedAt), IDLE_MS).unref();
    return list;
  };
  let answers: Promise<FirstAnswers> | undefined;
  // A process on stdio has one client.
  return (client) => (answers ??= answersTo(client));
}
