import type { ServerSettings } from "./mcp/server/settings.ts";
import type { AppOptions } from "./options.ts";

/** The flags as settings. Planning reads no file, but with a profile what is disabled in it. */
export interface ServerPlan {
  /** The home folder, or what `--user-dir` names in its place. */
  readonly home: string;
  /** Our own folder there. */
  readonly ownFolder: string;
  readonly app: AppOptions;
  readonly settings: Omit<ServerSettings, "log">;
}
