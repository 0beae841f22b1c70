import type { Log } from "../../system/log.ts";
import type { CapabilitySettings } from "./capabilities.ts";

/** What the operator decided about the served tools. The same for every session of a process. */
export interface ServerSettings extends CapabilitySettings {
  /** `underscore` advertises `skills_list` for `skills.list`. Calls may use either. */
  readonly toolNames: "dotted" | "underscore";
  readonly descriptionFormat: "xml" | "list";
  /** Undefined: by what is known of the client. */
  readonly descriptionBudget: number | undefined;
  /** Whether a client's workspace folders become project folders: only where a process serves one client. */
  readonly clientRoots?: boolean;
  /** How long a client may keep a list: until the next scan. Not at all when absent. */
  readonly listsLastMs?: number;
  /** `private` where callers must say who they are, so that no shared cache answers for us; else `public`. */
  readonly cacheScope?: "public" | "private";
  /** Receives one line for each failure that someone should look into. */
  readonly log: Log;
}
