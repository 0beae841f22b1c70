/** What was used and suggested, as the dashboard shows it. Like wire.ts, this imports nothing. */
interface UsageTotals {
  readonly events: number;
  readonly suggested: number;
  /** Tasks that agents described, whatever was found. */
  readonly searched: number;
  readonly served: number;
  readonly assets: number;
  readonly scripts: number;
  readonly noMatch: number;
  readonly ambiguous: number;
  readonly errors: number;
}

export interface UsageAnswer {
  /** Present when it is the usage of all replicas, and not of the machine that answers alone. */
  readonly scope?: "fleet";
  readonly since: string;
  readonly until: string;
  readonly totals: UsageTotals;
  readonly days: readonly (UsageTotals & { readonly day: string })[];
  readonly mostUsed: readonly {
    readonly skill: string;
    readonly count: number;
    readonly perDay: readonly number[];
  }[];
  /** Skills that nobody loaded, and that no agent reads by itself. */
  readonly neverUsed: readonly string[];
  /** Skills that nobody loaded through a server, and that an agent reads by itself: whether they are used is not known. */
  readonly readByAgents: readonly string[];
  /** What hooks suggested: how often, and how often the skill was then loaded or not. */
  readonly suggestions: readonly {
    readonly skill: string;
    readonly suggested: number;
    readonly loaded: number;
    readonly ignored: number;
    /** Of skills that the agent reads by itself, which no server sees. */
    readonly native: number;
  }[];
  readonly noMatch: readonly {
    readonly query: string;
    readonly count: number;
    /** Whether a task was described, or a skill called by a name that none has. */
    readonly kind: "search" | "name";
  }[];
  readonly ambiguous: readonly { readonly query: string; readonly count: number }[];
  readonly feedback: readonly {
    readonly skill: string;
    readonly useful: number;
    readonly notUseful: number;
    readonly comments: readonly { readonly day: string; readonly useful: boolean; readonly text: string }[];
  }[];
  readonly scripts: readonly {
    readonly skill: string;
    readonly file: string;
    readonly runs: number;
    readonly failures: number;
    readonly p50Ms?: number | undefined;
  }[];
  /** How often agents came to each step. Steps can be skipped. */
  readonly funnel: {
    readonly suggested: number;
    readonly searched: number;
    readonly loaded: number;
    readonly scripts: number;
  };
  /** The funnel of each skill that was suggested, found or loaded; most loads first. */
  readonly skills: readonly {
    readonly skill: string;
    readonly suggested: number;
    /** How often it was among the results of a search. */
    readonly found: number;
    readonly loaded: number;
    readonly scripts: number;
    /** The last day of the span on which it was loaded. */
    readonly lastUsed?: string;
  }[];
  readonly clients: readonly ClientUsage[];
  /** Those who authenticated: oneself, or everyone for an administrator. Nobody on a server without tokens. */
  readonly callers: readonly GroupUsage[];
}

/** What one client or caller did. */
interface GroupUsage {
  readonly name: string;
  readonly events: number;
  readonly suggested: number;
  readonly searched: number;
  readonly loaded: number;
  readonly scripts: number;
  readonly noMatch: number;
  /** The skills that it loaded, most first. */
  readonly skills: readonly { readonly skill: string; readonly count: number }[];
  /** How many it loaded on each of `days`. */
  readonly perDay: readonly number[];
}

interface ClientUsage extends GroupUsage {
  readonly versions: readonly { readonly version: string; readonly count: number }[];
}
