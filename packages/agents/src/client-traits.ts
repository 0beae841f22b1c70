import type { SkillFolders } from "./agent.ts";

/** What a client says of itself in `initialize`, or with every request since 2026-07-28. */
export interface ClientInfo {
  readonly name: string;
  readonly version?: string;
}

/** Where a model can read the list of skills: in the `skill` tool's description, or in the server's instructions. */
export type ListPlace = "description" | "instructions";

/** The most that a client takes of a text. */
export interface Limit {
  readonly count: number;
  /** What is counted: UTF-16 units, bytes of UTF-8, or UTF-16 units of the text as it is written in JSON. */
  readonly unit: "characters" | "bytes" | "json";
}

/** What is known of a client: how much of our text it shows a model, what it finds by itself, what it does with answers. */
export interface ClientTraits {
  /** What people call it. */
  readonly title: string;
  /** Where the list of skills is written, the first place filled first. Without it, the instructions have no more than a first line. */
  readonly listIn: readonly ListPlace[];
  /** The most characters of the `skill` tool's description, and of the server's instructions. */
  readonly budgets: Readonly<Record<ListPlace, number>>;
  /** The most characters of the first line of the instructions, which is all that some clients show at first. */
  readonly firstLineLimit: number;
  /** Whether the instructions name the skills again, because nobody knows whether the description is shown. */
  readonly repeatNames: boolean;
  /** Folders of skills that it reads by itself. */
  readonly reads: Pick<SkillFolders, "project" | "user">;
  /** Whether it also reads them in the folders above the project, up to the root of the repository. */
  readonly readsAbove: boolean;
  /** The providers whose plugins it loads by itself. */
  readonly readsPlugins: readonly string[];
  /** Whether its model can open files of this machine, and so needs no tool to read a skill's files. */
  readonly opensFiles: boolean;
  /** Where it cuts the answer of a tool; undefined where it does not, or nobody knows. */
  readonly answerLimit?: Limit;
  /** Whether it shows a model `structuredContent` instead of the text of an answer. */
  readonly structuredReplacesText: boolean;
  /** Whether its model API is known to accept an `enum` of skill names in a tool's schema. */
  readonly acceptsEnum: boolean;
  /** The client's setting that shows our tools at once, where its model otherwise reads the first line alone until it looks for a tool. */
  readonly shownBy?: string;
}

/** A client that is not known: what is safe everywhere. */
export const UNKNOWN: ClientTraits = {
  title: "this client",
  listIn: ["description"],
  budgets: { description: 20_000, instructions: 2_000 },
  // Copilot CLI shows no more of the instructions where it defers tools, and Qwen Code no more of a description.
  firstLineLimit: 157,
  repeatNames: true,
  reads: { user: [], project: [] },
  readsAbove: false,
  readsPlugins: [],
  opensFiles: false,
  structuredReplacesText: false,
  acceptsEnum: false,
};

/** A coding agent: its model can open files, and its instructions need no more than their first line. */
export const CODING_AGENT: ClientTraits = { ...UNKNOWN, repeatNames: false, opensFiles: true };
