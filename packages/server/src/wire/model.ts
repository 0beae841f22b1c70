/** What a client's model sees at its first turn. Like wire.ts, it imports nothing. */
export interface ModelAnswer {
  /** The clients that one can choose. */
  readonly clients: readonly {
    readonly name: string;
    readonly title: string;
    /** The first version of each behaviour, the newest first; empty where all versions are alike. */
    readonly versions: readonly string[];
    /** Whether somebody measured what it shows a model. */
    readonly known: boolean;
  }[];
  readonly client: string;
  /** Of the client, where it matters. */
  readonly version?: string;
  readonly title?: string;
  readonly connection: "stdio" | "http";
  readonly format: "xml" | "list";
  readonly budgets: { readonly description: number; readonly instructions: number };
  /** The budgets without the ones that were asked for. */
  readonly usualBudgets: { readonly description: number; readonly instructions: number };
  readonly instructions: string;
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly tokens: { readonly description: number; readonly schema: number };
  }[];
  readonly tokens: { readonly instructions: number; readonly total: number };
  /** True: every skill is there with its whole description. */
  readonly complete: boolean;
  readonly skills: number;
  readonly shown: number;
  readonly native: readonly string[];
  readonly reasons: readonly ModelReason[];
  /** The first skills of the list, and how much of each is shown. */
  readonly list: readonly {
    readonly name: string;
    readonly shown: "whole" | "cut" | "name" | "absent";
    readonly tokens: number;
  }[];
  /** How many skills are shown in each way. */
  readonly amounts: Readonly<Record<"whole" | "cut" | "name" | "absent", number>>;
}

interface ModelReason {
  readonly code: string;
  readonly text: string;
  readonly lever?: { readonly command: string; readonly does: string };
  readonly skills?: readonly string[];
}
