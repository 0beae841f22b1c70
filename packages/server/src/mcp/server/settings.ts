import type { DisabledByClient, Location, RuleLists } from "#skills";
import type { Log } from "#util";
import type { RequestObservation } from "../observe/observe-requests.ts";
import type { CapabilitySettings } from "./capabilities.ts";

/** The operator's choices about the served tools, the same for every session of a process. */
export interface ServerSettings extends CapabilitySettings {
  /** `underscore` advertises `skills_list` for `skills.list`. Calls may use either. */
  readonly toolNames: "dotted" | "underscore";
  readonly descriptionFormat: "xml" | "list";
  /** The most characters of the `skill` tool's description. Undefined: depends on the client. */
  readonly descriptionBudget: number | undefined;
  /** The most characters of the server's instructions. Undefined: depends on the client. 0: none. */
  readonly instructionsBudget?: number | undefined;
  /** Where a skill that the client reads by itself is left out of its lists. Nowhere when absent. */
  readonly leaveOut?: readonly Location[];
  /** Whether a client's workspace folders become project folders: only where a process serves one client. */
  readonly clientRoots?: boolean;
  /** How long a client may cache a list: until the next scan. Not at all when absent. */
  readonly listsLastMs?: number;
  /** `private` where callers authenticate, so that no shared cache answers them; else `public`. */
  readonly cacheScope?: "public" | "private";
  /** The rules of the settings that `disabledByClient` knows too. */
  readonly visibility?: RuleLists;
  /** Returns what the operator disabled for each client; asked once for each session. Absent: nothing is disabled. */
  readonly disabledByClient?: () => DisabledByClient | undefined;
  /** Sees every request; nobody does when absent. */
  readonly observation?: RequestObservation;
  /** Receives failures that concern the operator. */
  readonly log: Log;
}
