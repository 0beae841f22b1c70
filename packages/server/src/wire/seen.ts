import type { Repeated } from "./skills.ts";

/**
 * What one client's model has of a skill, as people are told. At its first turn: its whole description, a cut one, or its name.
 * Else it finds the skill by search, reads it from disk by itself, can load it by its exact name although nothing lists it, or
 * is not served it.
 */
export const SEEN = {
  whole: "whole description",
  cut: "description cut",
  name: "name only",
  search: "found by search",
  native: "read by the agent itself",
  unlisted: "loads by name only",
  hidden: "not served",
} as const;

export type SeenAs = keyof typeof SEEN;

/** An agent, in the version and connection in which it was last seen here, else in its newest version. */
interface WireSeenAgent {
  /** As it names itself. */
  readonly client: string;
  readonly version?: string;
  readonly connection: "stdio" | "http";
  readonly profile?: string;
  readonly title: string;
  /** What `--agent` calls it. */
  readonly agent: string;
  /** `connected`: now, or since the server started. `installed`: on this machine. */
  readonly group: "connected" | "installed" | "other";
  /** A sentence about the agent and not about one skill, such as that its lists were not measured. */
  readonly note?: string;
}

/** Skills × agents. The rows are those of the list of skills with this tag, and then `more`. */
export interface SeenAnswer {
  readonly tag: string;
  /** What a filter or a missing approval keeps back, for administrators. */
  readonly more: readonly string[];
  readonly agents: readonly (WireSeenAgent & {
    /** The index of its column: agents that are told the same share one. */
    readonly column: number;
    readonly counts: Readonly<Record<SeenAs, number>>;
  })[];
  /** `seen why`, such as `name budget`, for each row. */
  readonly columns: readonly Repeated[];
}

/** Who sees one skill, and why. */
export interface SkillSeenAnswer {
  readonly name: string;
  readonly agents: readonly (WireSeenAgent & {
    readonly seen: SeenAs;
    readonly why: string;
    /** One sentence. */
    readonly text: string;
    readonly levers: readonly WireLever[];
  })[];
}

/** What changes what an agent has of a skill: a flag, a setting or a command, and what the page can do at once. */
interface WireLever {
  readonly command: string;
  readonly does: string;
  readonly action?: "always" | "usual" | "enable" | "enable-for-agent" | "review" | "repair" | "open";
  /** The file of another skill that it is about. */
  readonly file?: string;
}

/** What was written about each skill before, which undoes the change. */
export interface VisibilityAnswer {
  readonly skills: readonly {
    readonly name: string;
    readonly file: string;
    readonly before?: "always" | "name-only" | "manual" | "usual";
  }[];
}
