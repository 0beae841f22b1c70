import { Refusal } from "../../skill/refusal.ts";
import { cancelled } from "./script-run.ts";

/** Runs `atOnce` scripts at the same time and lets `mostWaiting` wait, first come, first served. */
export function createRunQueue(atOnce: number, mostWaiting: number) {
  const waiting: (() => void)[] = [];
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
    first();
  }

  return {
    /** Resolves when the run may begin, with a function to call when it is over. */
    async enter(label: string, signal: AbortSignal): Promise<() => void> {
      if (signal.aborted) throw cancelled(label);
      if (running < atOnce) {
        running++;
        return leaver();
      }
      if (waiting.length >= mostWaiting) {
        throw new Refusal(
          `${label}: ${atOnce} scripts are running and ${mostWaiting} are waiting, so this one was not started. ` +
            "Retry when one of them has ended.",
          { code: "library", reason: "busy" },
        );
      }
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.splice(waiting.indexOf(begin), 1);
          reject(cancelled(label));
        };
        const begin = (): void => {
          signal.removeEventListener("abort", leave);
          resolve(leaver());
        };
        waiting.push(begin);
        signal.addEventListener("abort", leave, { once: true });
      });
    },
  };
}
