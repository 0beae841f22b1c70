import type { LibrarySkill, Snapshot } from "#skills";
import { type Entry, identityOf, promptArguments } from "#skills";
import { memoizeWeak, nameKey } from "#util/pure";
import { compareKeys } from "../server/paging.ts";

/** The skill behind a prompt. */
type PromptTarget =
  | { readonly kind: "skill"; readonly entry: Entry }
  | { readonly kind: "library"; readonly skill: LibrarySkill };

export interface NamedPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: ReturnType<typeof promptArguments>;
  readonly target: PromptTarget;
}

export interface Prompts {
  /** In the order of their names. */
  readonly sorted: readonly NamedPrompt[];
  readonly byKey: ReadonlyMap<string, NamedPrompt>;
}

/** The prompts of a snapshot, named. */
export const promptsOf = memoizeWeak(
  ({ catalog, library }: Pick<Snapshot, "catalog" | "library">): Prompts =>
    namePrompts([
      ...catalog.entries.filter(isForPeople).map((entry) => ({ kind: "skill", entry }) as const),
      ...[...library.skills.values()].map((skill) => ({ kind: "library", skill }) as const),
    ]),
);

/** A slash command is what a person invokes; its author may have meant the skill for models alone. */
function isForPeople({ skill }: Entry): boolean {
  return skill.invocation?.user !== false;
}

interface PromptCandidate {
  readonly target: PromptTarget;
  /** Its name in every listing. */
  readonly listedAs: string;
  readonly description: string;
  readonly safe: string;
  readonly identity: string;
}

/**
 * Clients turn these names into slash commands, so each is one word. Where two names become the same, the skill whose
 * name needed no change keeps it, and the others get a suffix made of their identity, so that no name depends on the
 * order of the skills.
 */
function namePrompts(targets: readonly PromptTarget[]): Prompts {
  const candidates = targets.map(candidateOf).sort((a, b) => compareKeys(a.identity, b.identity));
  const wanted = new Map<string, PromptCandidate[]>();
  for (const candidate of candidates) {
    const key = nameKey(candidate.safe);
    const rivals = wanted.get(key);
    if (rivals === undefined) wanted.set(key, [candidate]);
    else rivals.push(candidate);
  }
  const byKey = new Map<string, NamedPrompt>();
  const renamed: PromptCandidate[] = [];
  const give = (name: string, { listedAs, description, target }: PromptCandidate): void => {
    const wanted = target.kind === "skill" ? promptArguments(target.entry.skill.invocation) : [];
    byKey.set(nameKey(name), { name, title: listedAs, description, arguments: wanted, target });
  };
  for (const rivals of wanted.values()) {
    const owner =
      rivals.length === 1 ? rivals[0] : rivals.find((candidate) => candidate.safe === candidate.listedAs);
    for (const candidate of rivals) {
      if (candidate === owner) give(candidate.safe, candidate);
      else renamed.push(candidate);
    }
  }
  for (const candidate of renamed) {
    const name = `${candidate.safe}-${mark(candidate.identity)}`;
    let free = name;
    for (let attempt = 2; byKey.has(nameKey(free)); attempt++) free = `${name}-${attempt}`;
    give(free, candidate);
  }
  return { sorted: [...byKey.values()].sort((a, b) => compareKeys(a.name, b.name)), byKey };
}

function candidateOf(target: PromptTarget): PromptCandidate {
  if (target.kind === "skill") {
    const { skill, listedAs } = target.entry;
    return {
      target,
      listedAs,
      description: skill.description,
      safe: safeName(listedAs),
      identity: identityOf(skill),
    };
  }
  const { path, description } = target.skill;
  // An index goes by the name of its folder.
  const safe = safeName(path.replace(/\/_index$/, ""));
  return { target, listedAs: path, description, safe, identity: `library\0${path}` };
}

/** Letters and digits of any script, `.`, `_` and `-`. */
function safeName(name: string): string {
  const safe = name.normalize("NFKC").replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-");
  const trimmed = safe.replace(/^-|-$/g, "");
  return trimmed === "" ? "skill" : trimmed;
}

/** Six hexadecimal digits of an FNV-1a hash: enough for the few that collide. */
function mark(identity: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < identity.length; index++) {
    hash = Math.imul(hash ^ identity.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, "0").slice(-6);
}
