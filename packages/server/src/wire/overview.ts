/** What the landing page shows at once. Like wire.ts, it imports nothing. */
export interface OverviewAnswer {
  readonly skills: number;
  readonly librarySkills: number;
  /** How many of the skills, library skills aside, are examples that come with skills-mcp. */
  readonly examples: number;
  /** Folders, plugins and repositories that skills are served from. */
  readonly places: number;
  readonly repositories: readonly {
    readonly name: string;
    readonly commit?: string | undefined;
    readonly lastSync?: string | undefined;
    readonly isFailing: boolean;
  }[];
  /** Who is connected to this server now, or was since it started. Others' are for administrators alone. */
  readonly agents: readonly WireAgent[];
  /** Clients on this machine whose configuration names skills-mcp, or could. Only with the right to change something. */
  readonly configured?: readonly WireConfigured[];
  /** The replicas of this server, for administrators; absent where it is the only one. */
  readonly fleet?: WireReplicas;
  /** What a model is told at its first turn, by client. */
  readonly turnOne: readonly WireTurnOne[];
}

export interface WireAgent {
  /** As it names itself. */
  readonly client: string;
  readonly version?: string;
  /** What people call it, where it is known. */
  readonly title?: string;
  /** `legacy`: a session up to 2025-11-25. `modern`: single requests since 2026-07-28. */
  readonly era: "legacy" | "modern";
  /** The profile that it is served, for administrators; absent: everything. */
  readonly profile?: string;
  /** Who it is, on a server with tokens. */
  readonly caller?: string;
  /** Open sessions; requests of the modern era have none and count as connected for a moment. */
  readonly isConnected: boolean;
  readonly sessions: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
}

export interface WireConfigured {
  readonly id: string;
  readonly title: string;
  readonly isConnected: boolean;
}

export interface WireReplicas {
  /** `degraded`: Redis is away, so that the others are not known. */
  readonly state: "connected" | "degraded";
  readonly replica: string;
  readonly revision: string;
  readonly others: readonly {
    readonly replica: string;
    readonly revision: string;
    readonly version: string;
  }[];
  /** Whether some of them serve something else. */
  readonly differ: boolean;
}

/** What a model reads at its first turn; equal to `model` for this client, version, connection and profile. */
export interface WireTurnOne {
  readonly client: string;
  readonly version?: string;
  /** `http`: a client of this server. Absent: one that starts a server of its own. */
  readonly connection?: "http";
  readonly profile?: string;
  readonly title: string;
  readonly tokens: number;
  readonly shown: number;
  readonly skills: number;
  /** Skills that the client reads from disk by itself. */
  readonly native: number;
  /** Every skill with its whole description. */
  readonly complete: boolean;
}
