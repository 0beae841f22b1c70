import type { AuditLogTarget, ConfigValues, SandboxMode } from "#config";
import type { FleetShare } from "#fleet";
import type { OpenViewOptions } from "#skills";
import type { GitLibraries } from "#sources";
import type { UsageSettings } from "#usage";
import type { Log } from "#util";

/** Everything that a program that embeds us, or a command line, can set. */
export interface AppOptions extends Omit<OpenViewOptions, "git"> {
  /** Where the record of who was served what goes. Default: to a file over HTTP and where there are rules of trust. */
  readonly auditLog?: AuditLogTarget;
  /** Settings of the library; the defaults when absent. */
  readonly config?: () => ConfigValues;
  /** Libraries from git. The caller closes them. */
  readonly git?: GitLibraries;
  /** Where usage events go; they are not recorded when absent. */
  readonly usage?: UsageSettings;
  /** The sandbox mode unless the settings have one. Default: `preferred`. */
  readonly sandboxDefault?: SandboxMode;
  /** True: scripts may not work in the project, only in the folders that the operator lists. */
  readonly remoteCallers?: boolean;
  /** What replicas of this server count together; undefined: it is the only one. Closed with the app, unlike its Redis. */
  readonly share?: FleetShare;
  /** Receives progress, skipped files and refresh notices. */
  readonly log?: Log;
}
