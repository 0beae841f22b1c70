import type { SearchAnswer } from "./search.ts";
import type { SkillFixAnswer } from "./skill-facts.ts";
import type { SourcesAnswer } from "./sources.ts";
import type { TryClient, TryWhy } from "./try.ts";

/**
 * The JSON between the API and the dashboard. It imports nothing, so that both sides are checked against it: the page knows
 * no Node, and the server no browser.
 */

type WireSkillStatus = "ok" | "warning" | "ambiguous" | "disabled" | "shadowed" | "broken";

/** A column whose values repeat. */
export interface Repeated {
  readonly values: readonly string[];
  /** For each row, the index of its value. */
  readonly at: readonly number[];
}

/** Every row, as columns: ten thousand are parsed in milliseconds. */
export interface SkillColumns {
  /** Another list has another one. */
  readonly tag: string;
  readonly count: number;
  readonly name: readonly string[];
  /** Cut to one line. */
  readonly description: readonly string[];
  readonly provider: Repeated;
  readonly location: Repeated;
  readonly plugin: Repeated;
  readonly status: Repeated;
  /** A row's file is its folder and its tail. */
  readonly folder: Repeated;
  readonly tail: readonly string[];
}

export interface WireDiagnostic {
  /** As in `problems`. */
  readonly severity: "error" | "warning" | "advice";
  readonly code: string;
  readonly file: string;
  readonly line?: number;
  readonly message: string;
}

interface WireFile {
  readonly path: string;
  readonly bytes?: number;
  readonly kind?: "asset" | "script";
  readonly description?: string;
  /** The parent library skill that it comes from. */
  readonly from?: string;
  /** A script that declares that it needs the network. */
  readonly network?: true;
  /** Why it is not available. */
  readonly problem?: string;
}

/** One level of what a library skill inherits, the most general first and the skill itself last. */
interface WirePart {
  readonly name: string;
  readonly file: string;
  /** What follows the front matter; undefined when the file cannot be read. */
  readonly text?: string;
}

interface RelatedSkill {
  readonly relation: "shadows" | "shadowed-by" | "same-name" | "same-folder";
  readonly name: string;
  readonly provider: string;
  readonly location: string;
  readonly file: string;
}

export interface SkillUsage {
  readonly since: string;
  readonly until: string;
  readonly total: number;
  /** One number for each day of the span. */
  readonly perDay: readonly number[];
}

export interface SkillDetail {
  readonly kind: "skill" | "library" | "broken";
  readonly status: WireSkillStatus;
  readonly name: string;
  readonly description: string;
  readonly provider: string;
  readonly location: string;
  readonly plugin: string;
  readonly repository?: { readonly url: string; readonly path: string; readonly commit: string };
  readonly file: string;
  /** Who put it there, if it was not the user, such as `bundled example`. */
  readonly label?: string;
  /** Every name that loads it, the shortest first. */
  readonly loadedBy: readonly string[];
  /** Who is offered it, and why; absent where the author says nothing. */
  readonly invocation?: string;
  /** Fields of the front matter that hosts act on, as `field: value`. */
  readonly hostFields: readonly string[];
  /** Exactly what an agent gets; undefined when it gets nothing. */
  readonly agentText?: string;
  /** For a library skill: the whole answer of `get_skill`. */
  readonly agentAnswer?: string;
  /** The Markdown after the front matter. */
  readonly body?: string;
  /** The file as it is, for people who repair it. */
  readonly source?: { readonly text: string; readonly cut: boolean };
  readonly keywords: readonly string[];
  readonly files: readonly WireFile[];
  readonly filesCut: boolean;
  readonly parts: readonly WirePart[];
  readonly related: readonly RelatedSkill[];
  readonly diagnostics: readonly WireDiagnostic[];
  /** What can be corrected in its file without guessing. */
  readonly fix?: SkillFixAnswer;
  /** Its file may be edited here: it comes from no repository, plugin or package. */
  readonly isOwn?: boolean;
  readonly usage: SkillUsage;
}

export interface TryAnswer {
  readonly task: string;
  readonly find: SearchAnswer;
  /** What `skills.search` answers. */
  readonly allWords: {
    readonly total: number;
    readonly results: readonly {
      readonly installName: string;
      readonly meta: { readonly name: string; readonly description: string };
      readonly skillPath: string;
      readonly score: number;
      readonly excerpt: string;
    }[];
  };
  /** What `get_skill` answers; undefined where there is no library. */
  readonly getSkill?: TryGetSkillAnswer;
  readonly client: TryClient;
  /** The best skills and why, whether they fit or not, best first. */
  readonly why: readonly TryWhy[];
}

export type TryGetSkillAnswer =
  | {
      readonly no_match: true;
      readonly message: string;
      readonly suggestions: readonly {
        readonly name: string;
        readonly description: string;
        readonly skill_path?: string;
      }[];
    }
  | {
      readonly ambiguous: true;
      readonly message: string;
      readonly candidates: readonly {
        readonly skill_path: string;
        readonly score: number;
        readonly description: string;
        readonly matched_keywords: readonly string[];
      }[];
    }
  | {
      readonly skill_path: string;
      readonly score: number;
      readonly matched_keywords: readonly string[];
      readonly content: string;
    }
  | { readonly refused: true; readonly message: string };

/** The description of the `skill` tool as one kind of client receives it. */
export interface DescriptionAnswer {
  readonly client: string;
  readonly format: "xml" | "list";
  readonly budget: number;
  /** The default budget of this client. */
  readonly usualBudget: number;
  readonly text: string;
  /** The server's instructions, which list skills too for some clients. */
  readonly instructions: string;
  readonly characters: number;
  readonly tokens: number;
  /** With every description in full. */
  readonly fullCharacters: number;
  readonly fullTokens: number;
  /** True: every skill is there with its whole description. */
  readonly complete: boolean;
  readonly skills: number;
  readonly shown: number;
  /** The skills with the longest descriptions, and what is left of each. */
  readonly costs: readonly SkillCost[];
}

export interface SkillCost {
  readonly name: string;
  readonly characters: number;
  readonly tokens: number;
  /** Within the budget; 0 when it is not named at all. */
  readonly shown: number;
}

export interface HealthAnswer {
  readonly version: string;
  readonly skills: number;
  readonly librarySkills: number;
  readonly roots: SourcesAnswer["folders"];
  readonly shadowed: readonly { readonly name: string; readonly path: string; readonly shadowedBy: string }[];
  readonly diagnostics: readonly WireDiagnostic[];
  readonly freshness: {
    readonly watcher: "on" | "off" | "limited";
    readonly intervalMs?: number | undefined;
    readonly lastRefresh?: string | undefined;
  };
  readonly git: readonly Omit<SourcesAnswer["repositories"][number], "skills">[];
  readonly sandbox: { readonly kind: string; readonly reason?: string; readonly warning?: string } | "off";
  readonly usage?:
    | {
        readonly queued: number;
        readonly delivered: number;
        readonly dropped: number;
        readonly lastDelivery?: string | undefined;
        readonly failure?: { readonly reason: string; readonly since: string } | undefined;
      }
    | undefined;
  readonly server?: ServerState | undefined;
}

export interface ServerState {
  readonly sessions: number;
  readonly streams: number;
  /** Sessions and requests by protocol era. */
  readonly eras: Readonly<Record<string, number>>;
  /** The replicas of this server; absent where it is the only one. */
  readonly fleet?: WireFleet;
}

interface WireFleet {
  /** `degraded`: Redis is away, and this replica goes on with what it knows. */
  readonly state: "connected" | "degraded";
  readonly reason?: string | undefined;
  readonly since: string;
  readonly queued: { readonly writes: number; readonly dropped: number };
  readonly replica: string;
  readonly revision: string;
  /** The others. */
  readonly replicas: readonly {
    readonly replica: string;
    readonly revision: string;
    readonly version: string;
    readonly commits: Readonly<Record<string, string>>;
  }[];
  /** Whether some of them serve something else. */
  readonly differ: boolean;
}

export interface ErrorAnswer {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly suggestions?: readonly string[];
    readonly candidates?: readonly string[];
  };
}
