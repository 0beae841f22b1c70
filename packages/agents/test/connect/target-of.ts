import type { ConnectTarget } from "../../src/connect/connect-form.ts";
import { CONNECT_TARGETS } from "../../src/connect/connect-targets.ts";

/** The agent of an id that `connect` can write to. */
export function targetOf(id: string): ConnectTarget {
  const target = CONNECT_TARGETS.find((each) => each.id === id);
  if (target === undefined) throw new Error(`connect knows no agent '${id}'.`);
  return target;
}
