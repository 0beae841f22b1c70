/** Where skills come from, and what can be done about it. Like wire.ts, it imports nothing. */
export interface SourcesAnswer {
  readonly folders: readonly {
    readonly dir: string;
    readonly provider: string;
    readonly location: string;
    readonly plugin?: string;
    readonly exists: boolean;
    readonly skills: number;
  }[];
  readonly repositories: readonly WireRepository[];
  readonly installed: readonly WireInstalled[];
  /** False on a server with tokens, where only its operator installs skills. */
  readonly mayInstall: boolean;
  readonly locks: readonly {
    readonly scope: "project" | "user";
    readonly file: string;
    readonly problem?: string;
  }[];
  /** What `undo` would take back; only for who may change something. */
  readonly undo?: { readonly names: readonly string[] };
  readonly lastScan?: string | undefined;
}

interface WireRepository {
  readonly name: string;
  readonly url: string;
  readonly branch: string;
  readonly commit?: string | undefined;
  readonly lastSync?: string | undefined;
  readonly syncing: boolean;
  readonly failure?: { readonly message: string; readonly since: string } | undefined;
  /** Files of it that were skipped. */
  readonly findings: readonly { readonly code: string; readonly path: string }[];
  readonly skills: number;
}

interface WireInstalled {
  readonly name: string;
  readonly scope: "project" | "user";
  readonly state:
    | "as-locked"
    | "disabled"
    | "edited"
    | "missing"
    | "unlinked"
    | "not-a-folder"
    | "unknown-origin";
  readonly source: string;
  readonly folder: string;
  /** The commit or version. */
  readonly current?: string;
  readonly changedAt?: string;
  /** Of an edited one: the files that differ from the lock; of an unlinked one: the places in agents' folders that do. */
  readonly files?: readonly string[];
}

/** The answer to `POST sources/check`, which asks the sources over the network. */
export interface UpdatesAnswer {
  readonly skills: readonly {
    readonly name: string;
    readonly scope: "project" | "user";
    readonly current?: string;
    readonly newest?: string;
    readonly isOutdated: boolean;
    /** Why nothing is known of the source. */
    readonly problem?: string;
  }[];
}

interface WirePlanned {
  readonly action: "add" | "update" | "keep" | "remove" | "conflict";
  readonly name: string;
  readonly source: string;
  readonly commit?: string;
  readonly folder: string;
  readonly files: {
    readonly added: readonly string[];
    readonly changed: readonly string[];
    readonly removed: readonly string[];
    readonly merged: readonly string[];
    readonly kept: readonly string[];
  };
  readonly reason?: string;
  /** What the audit finds in what would be installed. */
  readonly findings?: readonly {
    readonly rule: string;
    readonly severity: "info" | "low" | "medium" | "high" | "critical";
    readonly file: string;
    readonly line?: number;
    readonly message: string;
  }[];
  /** Unified, with hidden characters as escapes. */
  readonly diff?: string;
}

/** What was done, or would be. */
export interface PlanAnswer {
  readonly scope: "project" | "user";
  readonly dryRun: boolean;
  readonly plan: readonly WirePlanned[];
  readonly failed: readonly { readonly name: string; readonly message: string }[];
  /** The command that does the same in a terminal. */
  readonly command: string;
}

/** A source has several skills, and none was named. */
export interface ChoicesAnswer {
  readonly choices: readonly { readonly name: string; readonly description: string }[];
}
