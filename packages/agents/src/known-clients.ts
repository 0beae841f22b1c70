import type { Limit, Room } from "./shown-text.ts";

/** What a client says of itself in `initialize`, or with every request since 2026-07-28. */
export interface ClientInfo {
  readonly name: string;
  readonly version?: string;
}

/** What is known of a client: how much of our text it shows a model, what it finds by itself, what it does with answers. */
export interface ClientTraits {
  /** What people call it. */
  readonly title: string;
  /** Where the list of skills stands, the first room filled first. Instructions that are none of them have the lead alone. */
  readonly rooms: readonly Room[];
  /** The most characters of the `skill` tool's description, and of the server's instructions. */
  readonly budgets: Readonly<Record<Room, number>>;
  /** The most characters of the first line of the instructions, which is all that some clients show at first. */
  readonly lead: number;
  /** Whether the instructions name the skills again, because nobody knows whether the description is shown. */
  readonly repeatNames: boolean;
  /** Folders of skills that it reads by itself, below the home folder and below the project. */
  readonly reads: { readonly home: readonly string[]; readonly project: readonly string[] };
  /** Whether it also reads them in the folders above, up to the root of the repository. */
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
  /** Where its model reads no more than the lead until it looks for a tool: the setting of the client that changes that. */
  readonly shownBy?: string;
}

const DESCRIPTION_FIRST: readonly Room[] = ["description", "instructions"];
const INSTRUCTIONS_FIRST: readonly Room[] = ["instructions", "description"];
const DESCRIPTION_ONLY: readonly Room[] = ["description"];

/** A client that is not known. */
const UNKNOWN: ClientTraits = {
  title: "this client",
  rooms: DESCRIPTION_ONLY,
  budgets: { description: 20_000, instructions: 2_000 },
  // Copilot CLI shows no more of the instructions where it defers tools, and Qwen Code no more of a description.
  lead: 157,
  repeatNames: true,
  reads: { home: [], project: [] },
  readsAbove: false,
  readsPlugins: [],
  opensFiles: false,
  structuredReplacesText: false,
  acceptsEnum: false,
};

/** A coding agent: its model can open files, and the instructions need no more than the lead. */
const CODING_AGENT: ClientTraits = {
  ...UNKNOWN,
  repeatNames: false,
  opensFiles: true,
};

const sameInBoth = (...folders: readonly string[]): ClientTraits["reads"] => ({
  home: folders,
  project: folders,
});

const OPENCODE = [".agents/skills", ".claude/skills", ".opencode/skills"] as const;

interface Known {
  readonly name: RegExp;
  /** The first version that this is true of. */
  readonly since?: string;
  readonly traits: ClientTraits;
}

const CLAUDE_CODE: ClientTraits = {
  ...CODING_AGENT,
  title: "Claude Code",
  rooms: DESCRIPTION_FIRST,
  // Up to 2.1.293 it cut both at 2,048 characters.
  budgets: { description: 1_950, instructions: 2_000 },
  reads: sameInBoth(".claude/skills"),
  readsAbove: true,
  readsPlugins: ["claude"],
  // 50,000, unless the tool's `anthropic/maxResultSizeChars` allows more, as ours does.
  answerLimit: { count: 500_000, unit: "characters" },
  structuredReplacesText: true,
  acceptsEnum: true,
};

const CODEX: ClientTraits = {
  ...CODING_AGENT,
  title: "Codex",
  // Up to 0.166 its tool search shows the instructions and finds tools by their description; a direct tool is shown with both.
  rooms: INSTRUCTIONS_FIRST,
  budgets: { description: 20_000, instructions: 8_000 },
  reads: sameInBoth(".agents/skills", ".codex/skills"),
  readsAbove: true,
  readsPlugins: ["codex"],
  // About 10,000 tokens, which it takes to be four bytes each.
  answerLimit: { count: 39_000, unit: "bytes" },
  structuredReplacesText: true,
  acceptsEnum: true,
};

/**
 * By the name in `clientInfo`, or what people call it. Measured with the real programs and a stub model; docs/clients has each
 * measurement. The first entry whose name and version match counts, so newer versions come first.
 */
const KNOWN: readonly Known[] = [
  {
    name: /^claude[ _-]?code\b/i,
    since: "2.1.296",
    traits: { ...CLAUDE_CODE, budgets: { description: 3_900, instructions: 4_000 } },
  },
  { name: /^claude[ _-]?code\b/i, traits: CLAUDE_CODE },
  {
    name: /^codex\b/i,
    since: "0.169.0",
    traits: {
      ...CODEX,
      // Of a deferred server it shows the first line of the instructions, 250 characters of it. What its tool search answers
      // has the description once, and in code mode the instructions with each tool.
      rooms: DESCRIPTION_FIRST,
      lead: 250,
      shownBy: 'omit_tools_from = ["deferred"]',
    },
  },
  { name: /^codex\b/i, traits: CODEX },
  {
    name: /^qwen\b/i,
    traits: {
      ...CODING_AGENT,
      title: "Qwen Code",
      rooms: INSTRUCTIONS_FIRST,
      budgets: { description: 20_000, instructions: 8_000 },
      reads: sameInBoth(".agents/skills", ".qwen/skills"),
      answerLimit: { count: 26_000, unit: "characters" },
    },
  },
  {
    name: /^copilot(?:-cli)?$/i,
    traits: {
      ...CODING_AGENT,
      title: "Copilot CLI",
      reads: {
        home: [".agents/skills", ".copilot/skills"],
        project: [".agents/skills", ".claude/skills", ".github/skills"],
      },
      readsPlugins: ["copilot"],
      answerLimit: { count: 20_480, unit: "bytes" },
    },
  },
  {
    name: /^gemini\b/i,
    traits: {
      ...CODING_AGENT,
      title: "Gemini CLI",
      reads: sameInBoth(".agents/skills", ".gemini/skills"),
      readsPlugins: ["gemini"],
      answerLimit: { count: 40_000, unit: "characters" },
    },
  },
  {
    name: /^opencode\b/i,
    traits: {
      ...CODING_AGENT,
      title: "opencode",
      reads: { home: [...OPENCODE, ".config/opencode/skills"], project: OPENCODE },
      readsAbove: true,
      answerLimit: { count: 51_200, unit: "bytes" },
    },
  },
  {
    name: /^kilo\b/i,
    traits: {
      ...CODING_AGENT,
      title: "Kilo",
      reads: sameInBoth(".agents/skills", ".claude/skills", ".kilo/skills", ".kilocode/skills"),
      answerLimit: { count: 30_000, unit: "characters" },
    },
  },
  {
    name: /^@cline\/core\b|^cline\b/i,
    traits: {
      ...CODING_AGENT,
      title: "Cline",
      reads: sameInBoth(".agents/skills", ".cline/skills"),
      // Of the whole result, where line breaks and quotes take two characters.
      answerLimit: { count: 8_000, unit: "json" },
    },
  },
  {
    name: /^continue(?:-cli)?(?:-client)?$/i,
    traits: {
      ...CODING_AGENT,
      title: "Continue",
      reads: { home: [".continue/skills"], project: [".claude/skills", ".continue/skills"] },
    },
  },
  {
    name: /^nanocoder\b/i,
    traits: { ...CODING_AGENT, title: "Nanocoder", answerLimit: { count: 20_000, unit: "characters" } },
  },
];

/** What is known of a client; an unknown one gets what is safe everywhere. */
export function traitsOf(client: ClientInfo | undefined): ClientTraits {
  if (client === undefined) return UNKNOWN;
  const known = KNOWN.find(
    ({ name, since }) => name.test(client.name) && (since === undefined || isAtLeast(client.version, since)),
  );
  return known?.traits ?? UNKNOWN;
}

/** The first versions of what changed in a client, the newest first. */
export function versionsOf(client: string): readonly string[] {
  return KNOWN.flatMap(({ name, since }) => (since !== undefined && name.test(client) ? [since] : []));
}

export function isKnown(client: ClientInfo): boolean {
  return traitsOf(client) !== UNKNOWN;
}

/** A version that cannot be read counts as an old one. */
function isAtLeast(version: string | undefined, least: string): boolean {
  const [ours, theirs] = [numbersOf(version ?? ""), numbersOf(least)];
  if (ours.length === 0) return false;
  for (const [index, number] of theirs.entries()) {
    const own = ours[index] ?? 0;
    if (own !== number) return own > number;
  }
  return true;
}

function numbersOf(version: string): readonly number[] {
  const found = /^\D{0,2}(\d{1,9}(?:\.\d{1,9})*)/.exec(version)?.[1];
  return found === undefined ? [] : found.split(".").map(Number);
}
