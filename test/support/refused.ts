import { Refusal } from "#util/pure";

/** The refusal that an action ends in. Any other end fails the test. */
export function refusalOf(action: () => unknown): Refusal {
  try {
    action();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("This was not refused.");
}
