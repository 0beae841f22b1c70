import { Refusal } from "../../skill/refusal.ts";

/** Lets so many runs in at once and so many wait, in the order they came. */
export interface RunQueue {
  /** Resolves when the run may begin; call what it gives when the run is over. */
  enter(label: string, signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  readonly begin: () => void;
}

export function createRunQueue(atOnce: number, mostWaiting: number): RunQueue {
  const waiting: Waiting[] = [];
  let running = 0;

  function leaver(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      running--;
      next();
    };
  }

  function next(): void {
    if (running >= atOnce) return;
    const first = waiting.shift();
    if (first === undefined) return;
    running++;
    first.begin();
  }

  return {
    async enter(label, signal) {
      if (signal.aborted) throw cancelled(label);
      if (running < atOnce) {
        running++;
        return leaver();
      }
      if (waiting.length >= mostWaiting) {
        throw new Refusal(
          `${label}: ${atOnce} scripts are running and ${mostWaiting} are waiting, so this one was not started. ` +
            "Call it again when one of them has ended.",
          { code: "library", reason: "busy" },
        );
      }
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.splice(waiting.indexOf(entry), 1);
          reject(cancelled(label));
        };
        const entry: Waiting = {
          begin: () => {
            signal.removeEventListener("abort", leave);
            resolve(leaver());
          },
        };
        waiting.push(entry);
        signal.addEventListener("abort", leave, { once: true });
      });
    },
  };
}

export const cancelled = (label: string): Refusal =>
  new Refusal(`${label}: the run was cancelled, and everything it had started was ended.`, {
    code: "library",
    reason: "cancelled",
  });
