import { Refusal } from "#util/pure";

/** Scripts of one authenticated caller that run or wait at the same time, on all replicas. */
const MOST_SCRIPTS = 4;

/** What counts the scripts of a caller on all replicas. */
export interface SharedScriptSlots {
  /** Takes a place for a script of this caller; undefined when all are taken. The returned function frees it. */
  readonly enterScript: (caller: string, most: number) => Promise<(() => void) | undefined>;
}

/** Resolves with a function to call once when the script has ended. */
type EnterScript = (caller: string | undefined, label: string) => Promise<() => void>;

/** Keeps one caller from taking all places of the machine that runs scripts. Without authentication there is nobody to count. */
export function createScriptSlots(share: SharedScriptSlots | undefined): EnterScript {
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
    // Where Redis does not answer, those of this replica count.
    const release = share === undefined ? () => {} : await share.enterScript(caller, MOST_SCRIPTS);
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
