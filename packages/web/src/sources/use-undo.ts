import type { PlanAnswer } from "#server/wire";
import { messageOf } from "../api/client.ts";
import { useDashboard } from "../state/context.ts";

/** Takes back the last change of installed skills, if it is still the one of these. */
export function useUndo(): (names: readonly string[]) => Promise<void> {
  const { client, notify, reload } = useDashboard();
  return async (names) => {
    try {
      const { failed } = await client.post<PlanAnswer>("sources/undo", { names });
      const [first] = failed;
      notify(first === undefined ? `Took back the change of ${names.join(", ")}.` : first.message);
      reload();
    } catch (error) {
      notify(messageOf(error));
    }
  };
}
