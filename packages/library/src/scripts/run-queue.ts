import { Refusal } from "#util/pure";
import { cancelled } from "./script-run.ts";

/** Runs `atOnce` scripts at the same time and lets `mostWaiting` wait, first come, first served. */
export function createRunQueue(atOnce: number, mostWaiting: number) {
  const waiting: (() => void)[] = [];
  let running = 0;

  /** Hands the place to the first that waits. */
  function leave(): void {
    const first = waiting.shift();
    if (first === undefined) running--;
    else first();
  }

  return {
    /** Resolves when the run may begin, with a function to call once when it is over. */
    async enter(label: string, signal: AbortSignal): Promise<() => void> {
      if (signal.aborted) throw cancelled(label);
      if (running < atOnce) {
        running++;
        return leave;
      }
      if (waiting.length >= mostWaiting) {
        throw new Refusal(
          `${label}: ${atOnce} scripts are running and ${mostWaiting} are waiting, so this one was not started. ` +
            "Retry when one of them has ended.",
          { code: "library", reason: "busy" },
        );
      }
      return new Promise((resolve, reject) => {
        const cancel = (): void => {
          waiting.splice(waiting.indexOf(begin), 1);
          reject(cancelled(label));
        };
        const begin = (): void => {
          signal.removeEventListener("abort", cancel);
          resolve(leave);
        };
        waiting.push(begin);
        signal.addEventListener("abort", cancel, { once: true });
      });
    },
  };
}
