import { randomUUID } from "node:crypto";
import { createSlots } from "../../fleet/limits/slots.ts";
import type { Redis } from "../../fleet/redis.ts";
import { Refusal } from "../../skill/refusal.ts";

/** Scripts of one authenticated caller that run or wait at the same time, on all replicas. */
const MOST_SCRIPTS = 4;
/** A killed replica frees its places after this time. */
const TTL_MS = 30_000;

/** Resolves with a function to call once when the script has ended. */
type EnterScript = (caller: string | undefined, label: string) => Promise<() => void>;

/** Keeps one caller from taking all places of the machine that runs scripts. Without authentication there is nobody to count. */
export function createScriptSlots(redis: Redis | undefined): EnterScript {
  const shared = redis && createSlots(redis, { name: "scripts", ttlMs: TTL_MS });
  const own = new Map<string, number>();
  const countOf = (caller: string): number => own.get(caller) ?? 0;
  const leaveOwn = (caller: string): void => {
    if (countOf(caller) <= 1) own.delete(caller);
    else own.set(caller, countOf(caller) - 1);
  };
  return async (caller, label) => {
    if (caller === undefined) return () => {};
    if (countOf(caller) >= MOST_SCRIPTS) throw tooMany(label);
    own.set(caller, countOf(caller) + 1);
    const id = randomUUID();
    // Where Redis does not answer, those of this replica count.
    const release = shared === undefined ? () => {} : await shared.occupy(caller, id, MOST_SCRIPTS);
    if (release === undefined) {
      leaveOwn(caller);
      throw tooMany(label);
    }
    return () => {
      leaveOwn(caller);
      release();
    };
  };
}

function tooMany(label: string): Refusal {
  return new Refusal(
    `${label}: ${MOST_SCRIPTS} of your scripts are running or waiting, so this one was not started. Retry when one of them has ended.`,
    { code: "library", reason: "busy" },
  );
}
