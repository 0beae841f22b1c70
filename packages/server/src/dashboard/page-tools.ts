import path from "node:path";
import type { InstallPlaces, KnownBefore, SkillOrigin } from "#install";
import type { Places, Skill, Snapshot } from "#skills";
import { plainName, resolveName } from "#skills";
import type { Log } from "#util";
import { memoizeWeak, Refusal } from "#util/pure";
import type { ChangedPrompts, EvalPrompt } from "./changes/eval-prompts.ts";
import type { createSkillFixes, SkillFix } from "./changes/fix-skill.ts";
import type { SkillFacts } from "./skills/skill-facts.ts";

interface PageDeps {
  readonly snapshot: () => Promise<Snapshot>;
  readonly refresh: () => Promise<Snapshot>;
  readonly places: Places;
  readonly log: Log;
}

/** A skill that is to be written, and where. */
export interface WantedSkillFiles extends KnownBefore {
  readonly name: string;
  /** `.agents/skills` of the project, or of the user. */
  readonly scope: "project" | "user";
}

/** What was written, or taken away again. */
export interface WrittenSkillFiles {
  readonly name: string;
  readonly dir: string;
  readonly files: readonly string[];
  /** Whether the server serves it now: it may not search this folder. */
  readonly served: boolean;
}

const NO_PARTS: ReadonlySet<never> = new Set();

export type PageTools = ReturnType<typeof createPageTools>;

/** What only the dashboard does. Its code is loaded when it is first needed. */
export function createPageTools({ snapshot, refresh, places, log }: PageDeps) {
  const { cwd, home, moved } = places;
  const installPlaces: InstallPlaces = { cwd, home, moved, environment: process.env, log };
  const factsOf = memoizeWeak(async (current: Snapshot): Promise<readonly SkillFacts[]> => {
    const { lockedSources } = await import("#install");
    const { skillFacts } = await import("./skills/skill-facts.ts");
    return skillFacts(current, await lockedSources(installPlaces));
  });
  const folderOf = ({ scope }: WantedSkillFiles): string =>
    path.join(scope === "project" ? cwd : home, ".agents", "skills");
  const skillNamed = async (name: string): Promise<Skill> =>
    resolveName((await snapshot()).catalog, name).skill;
  const isServed = ({ catalog }: Snapshot, dir: string): boolean =>
    catalog.entries.some(({ skill, alsoSeen }) => [skill, ...alsoSeen].some((one) => one.dir === dir));

  return {
    ...fixTools(snapshot, refresh),
    /** What the disk says of each row of the list. */
    facts: factsOf,
    async originOf(skill: Skill): Promise<SkillOrigin> {
      const { skillOrigin } = await import("#install");
      return skillOrigin(skill, installPlaces);
    },
    async addPrompt(name: string, prompt: EvalPrompt): Promise<ChangedPrompts> {
      const { addEvalPrompt } = await import("./changes/eval-prompts.ts");
      return addEvalPrompt(await skillNamed(name), prompt);
    },
    async removePrompt(name: string, prompt: EvalPrompt): Promise<ChangedPrompts> {
      const { removeEvalPrompt } = await import("./changes/eval-prompts.ts");
      return removeEvalPrompt(await skillNamed(name), prompt);
    },
    async writeSkill(wanted: WantedSkillFiles): Promise<WrittenSkillFiles> {
      refuseName(wanted.name);
      const { writeNewSkill } = await import("#install");
      const written = await writeNewSkill(wanted.name, NO_PARTS, folderOf(wanted), wanted);
      return { ...written, served: isServed(await refresh(), written.dir) };
    },
    /** Undoes it, if nobody has changed the files. */
    async removeSkill(wanted: WantedSkillFiles): Promise<WrittenSkillFiles> {
      refuseName(wanted.name);
      const { removeNewSkill } = await import("#install");
      const removed = await removeNewSkill(wanted.name, NO_PARTS, folderOf(wanted), wanted);
      return { ...removed, served: isServed(await refresh(), removed.dir) };
    },
  };
}

/** Corrections of the files of skills, as `validate --fix` makes them, and edits by a person. */
function fixTools(snapshot: PageDeps["snapshot"], refresh: PageDeps["refresh"]) {
  let skillFixes: Promise<ReturnType<typeof createSkillFixes>> | undefined;
  const fixes = () => {
    skillFixes ??= import("./changes/fix-skill.ts").then((code) => code.createSkillFixes(snapshot));
    return skillFixes;
  };
  return {
    /** What would change in a file; undefined where that is nothing. */
    proposeFix: async (file: string): Promise<SkillFix | undefined> => (await fixes()).propose(file),
    mayEdit: async (file: string): Promise<boolean> => (await fixes()).isOwn(file),
    readText: async (file: string): Promise<string> => (await fixes()).read(file),
    checkText: async (file: string, text: string) => (await fixes()).check(file, text),
    async editText(file: string, before: string, after: string): Promise<SkillFix> {
      const edit = await (await fixes()).edit(file, before, after);
      await refresh();
      return edit;
    },
    async fixSkills(files: readonly string[]): Promise<readonly SkillFix[]> {
      const made: SkillFix[] = [];
      for (const file of files) made.push(await (await fixes()).apply(file));
      await refresh();
      return made;
    },
    /** The last one first. */
    async undoFixes(files: readonly string[]): Promise<readonly SkillFix[]> {
      const undone: SkillFix[] = [];
      for (const file of files.toReversed()) undone.push(await (await fixes()).undo(file));
      await refresh();
      return undone;
    },
  };
}

/** A name never becomes a path unless it is a plain one. */
function refuseName(name: string): void {
  const better = plainName(name);
  if (name === better) return;
  const way = better === "" ? "Choose another name." : `Try '${better}'.`;
  throw new Refusal(
    `The name '${name}' may contain only a-z, 0-9 and single '-' between them, 64 at most. ${way}`,
    { code: "bad-usage", flag: "name" },
  );
}
