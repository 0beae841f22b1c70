import type { ClientInfo } from "#agents";
import { type Snapshot, withoutDisabled } from "#skills";
import type { ListTools } from "../mcp/definitions/tool-list.ts";
import type { LikelyUse } from "../mcp/describe/list-order.ts";
import type { ServerPlan } from "../server-plan.ts";
import { cachedAnswersFor } from "./cached-answers.ts";
import type { FirstAnswers } from "./stdio-session.ts";

/** By then a client has its first answers, whatever else it asks for. */
const IDLE_MS = 1_000;

/** The skills that a server on stdio serves, and what it was started with. */
interface FirstSkills {
  readonly snapshot: () => Promise<Snapshot>;
  readonly likelyUse: () => LikelyUse;
  /** As it is now. */
  readonly plan: () => ServerPlan;
  /** Before the first scan began. */
  readonly startedAt: number;
}

/** What a client is told first, and the cache of it for the next start. */
interface CachingAnswers {
  readonly to: (client: ClientInfo) => Promise<FirstAnswers>;
  /** Writes what is not cached yet, in a few milliseconds. Called when nobody waits for an answer, and at the end of a session. */
  save(): void;
}

/**
 * The instructions and the first list of tools. A client waits for them, and they take a scan, so those of the last run are
 * sent if nothing that they show has changed. `list_changed` corrects a list if the scan shows another one.
 */
export function createFirstAnswers(
  { snapshot: scan, likelyUse, plan: planNow, startedAt }: FirstSkills,
  listTools: ListTools,
): CachingAnswers {
  let write: (() => void) | undefined;
  const save = (): void => {
    write?.();
    write = undefined;
  };
  const answersTo = async (client: ClientInfo): Promise<FirstAnswers> => {
    const plan = planNow();
    const cache = cachedAnswersFor(plan, client, likelyUse());
    const fresh = async (): Promise<FirstAnswers> => {
      const snapshot = withoutDisabled(await scan(), plan.settings.disabledByClient?.()?.(client));
      const list = listTools(snapshot, client);
      // Settings that changed meanwhile decide another list, which this plan does not lead to.
      if (planNow() === plan) write = () => cache?.write(list, snapshot, startedAt);
      setTimeout(save, IDLE_MS).unref();
      return list;
    };
    const cached = cache?.read();
    if (cached === undefined) return fresh();
    // Cached anew for the next run, once the client has its list: the first scan blocks.
    setTimeout(() => void fresh().catch(() => {}), IDLE_MS).unref();
    return cached;
  };
  let answers: Promise<FirstAnswers> | undefined;
  // A process on stdio has one client.
  return { to: (client) => (answers ??= answersTo(client)), save };
}
