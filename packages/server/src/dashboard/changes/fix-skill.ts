import { realpath } from "node:fs/promises";
import path from "node:path";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { NPM_PROVIDER } from "#agents";
import { checkSkill, type FixedFile, planFix, writeFix } from "#check";
import type { Finding, Snapshot } from "#skills";
import { readWholeAs, SKILL_FOLDERS } from "#skills";
import { isInside } from "#util";
import { EXAMPLE_LABEL, escapeInvisibleCharacters, Refusal } from "#util/pure";
import { knownSkill } from "../known-skill.ts";

/** What `validate --fix` changes in the file of a skill. */
export interface SkillFix {
  readonly file: string;
  /** The rules that it no longer breaks. */
  readonly rules: readonly string[];
  /** Unified, with hidden characters as escapes. */
  readonly diff: string;
}

const CONTEXT_LINES = 2;
/** More than anybody takes back. */
const MOST_REMEMBERED = 500;

/** Corrections and edits of single files, each of which can be taken back until the server ends. */
export function createSkillFixes(snapshot: () => Promise<Snapshot>) {
  const made = new Map<string, FixedFile>();

  async function own(file: string): Promise<void> {
    const current = await snapshot();
    await knownSkill(current, { file });
    if (!(await isOwn(current, file))) throw refuse(file, "it is not yours to edit");
  }

  async function write(fix: FixedFile): Promise<SkillFix> {
    const { file } = fix;
    await writeFix(fix);
    made.delete(file);
    made.set(file, fix);
    for (const oldest of [...made.keys()].slice(0, -MOST_REMEMBERED)) made.delete(oldest);
    return shown(fix);
  }

  return {
    /** Whether a file may be changed here. */
    isOwn: async (file: string): Promise<boolean> => isOwn(await snapshot(), file),
    async propose(file: string): Promise<SkillFix | undefined> {
      const fix = await planned(await snapshot(), file);
      return fix && shown(fix);
    },
    async apply(file: string): Promise<SkillFix> {
      const current = await snapshot();
      await knownSkill(current, { file });
      const fix = await planned(current, file);
      if (fix === undefined)
        throw refuse(file, "nothing in it can be corrected without guessing, or it is not yours to edit");
      return write(fix);
    },
    /** The text of a file that may be edited here. */
    async read(file: string): Promise<string> {
      await own(file);
      const text = await readWholeAs(await realpath(file), (whole) => ({ ok: true, skill: whole }));
      if (text.ok) return text.text;
      throw refuse(file, text.failure.message);
    },
    /** What `validate` would say about a text in the place of a file. */
    async check(file: string, text: string): Promise<readonly Finding[]> {
      await own(file);
      const folder = path.basename(path.dirname(file));
      return checkSkill({ text, fileName: path.basename(file), folder, files: undefined }).findings;
    },
    /** Writes a text that a person wrote, if the file is still as it was shown. */
    async edit(file: string, before: string, after: string): Promise<SkillFix> {
      await own(file);
      return write({ file, before, after, rules: [] });
    },
    /** If nobody has changed the file since. */
    async undo(file: string): Promise<SkillFix> {
      const fix = made.get(file);
      if (fix === undefined) throw refuse(file, "this server has not corrected it");
      const { before, after, rules } = fix;
      await writeFix({ file, before: after, after: before });
      made.delete(file);
      return shown({ file, before: after, after: before, rules });
    },
  };
}

/** What comes from a repository, a plugin or this package is not edited: the next update would undo it. */
async function isOwn({ roots }: Snapshot, file: string): Promise<boolean> {
  const owners = roots.filter(({ dir }) => isInside(dir, file));
  const isTheirs = owners.some(
    ({ repo, plugin, label, provider }) =>
      repo !== undefined || plugin !== undefined || label === EXAMPLE_LABEL || provider === NPM_PROVIDER,
  );
  if (owners.length === 0 || isTheirs) return false;
  // A link may lead to a file of another kind.
  const target = await realpath(file).catch(() => undefined);
  return target !== undefined && SKILL_FOLDERS.isSkillFile(path.basename(target));
}

async function planned(snapshot: Snapshot, file: string): Promise<FixedFile | undefined> {
  return (await isOwn(snapshot, file)) ? planFix(file) : undefined;
}

function shown({ file, before, after, rules }: FixedFile): SkillFix {
  const name = path.basename(file);
  const options = { context: CONTEXT_LINES, headerOptions: FILE_HEADERS_ONLY };
  const diff = createTwoFilesPatch(name, name, before, after, "", "", options);
  return { file, rules, diff: escapeInvisibleCharacters(diff) };
}

function refuse(file: string, reason: string): Refusal {
  return new Refusal(`${file} was not changed: ${reason}.`, { code: "cannot-write", file });
}
