/** What the list of skills shows besides their names. Like wire.ts, it imports nothing. */
interface RepeatedText {
  readonly values: readonly string[];
  /** For each row, the index of its value. */
  readonly at: readonly number[];
}

/** One value for each row of `skills` with the same `tag`. */
export interface SkillFactsAnswer {
  readonly tag: string;
  /** Roughly what loading its text costs a model. */
  readonly tokens: readonly number[];
  /** Seconds since 1970 at which the file changed; 0 where that is not known. */
  readonly changed: readonly number[];
  readonly source: RepeatedText;
  /** Loads through a server in the last 30 days. */
  readonly uses: readonly number[];
  /** The rows of skills that an agent reads by itself, whose use is not known. */
  readonly readByAgents: readonly number[];
  /** A day such as `2026-11-17`; empty if not in the last year. */
  readonly lastUsed: RepeatedText;
}

/** The rows of `skills` with the same `tag` that have findings. */
export interface RowFindingsAnswer {
  readonly tag: string;
  readonly rows: readonly number[];
  readonly errors: readonly number[];
  /** Warnings and advice. */
  readonly others: readonly number[];
}

/** Where a skill comes from, and how it differs from what was installed. */
export interface OriginAnswer {
  readonly kind: "lock" | "repository" | "plugin" | "other" | "local";
  readonly source: string;
  readonly state?: "as-installed" | "edited" | "unknown";
  /** Unified, with hidden characters as escapes. */
  readonly diff?: string;
  readonly files?: readonly string[];
  /** For whom it is disabled although its file is enabled. */
  readonly disabledFor: readonly { readonly kind: "agent" | "profile"; readonly name: string }[];
}

/** For whom skills can be disabled. */
export interface AudiencesAnswer {
  readonly agents: readonly { readonly name: string; readonly title: string; readonly disabled: number }[];
  readonly profiles: readonly { readonly name: string; readonly disabled: number }[];
}

/** What became of each skill that was to be enabled or disabled. */
export interface ToggledAnswer {
  readonly skills: readonly {
    readonly name: string;
    readonly changed: boolean;
    /** Its file as it is called now. */
    readonly file: string;
  }[];
  /** The command that does this in a terminal. */
  readonly command: string;
}

export interface NewSkillAnswer {
  readonly name: string;
  readonly dir: string;
  readonly files: readonly string[];
  readonly served: boolean;
}

export interface EvalPromptAnswer {
  readonly file: string;
  readonly changed: boolean;
}

/** The text of a file that somebody edits, with what `validate` says about it. */
export interface SkillTextAnswer {
  readonly text: string;
  readonly findings: readonly {
    readonly severity: "error" | "advice";
    readonly code: string;
    readonly line?: number;
    readonly message: string;
  }[];
}

/** What `validate --fix` or an edit changes in the file of a skill. */
export interface SkillFixAnswer {
  readonly file: string;
  /** The rules that it no longer breaks. */
  readonly rules: readonly string[];
  /** Unified, with hidden characters as escapes. */
  readonly diff: string;
  /** The command that does this in a terminal. */
  readonly command: string;
}
