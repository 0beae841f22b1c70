import type { LibrarySkill } from "../library/library.ts";
import { parseLibrarySkill } from "../skill/parse-library-skill.ts";
import { type FileFailure, hiddenFailure, readWholeAs } from "./read-skill-file.ts";

export type LibraryText =
  | { readonly ok: true; readonly body: string; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly failure: FileFailure };

/** What follows the front matter of a library skill, as the disk shows it now. */
export async function readLibraryText({ realFile, strict }: LibrarySkill): Promise<LibraryText> {
  const loaded = await readWholeAs(realFile, parseLibrarySkill);
  if (!loaded.ok) return loaded;
  const failure = strict === undefined ? undefined : hiddenFailure(loaded.text);
  if (failure !== undefined) return { ok: false, failure };
  const { bodyStart, fields } = loaded.skill;
  return { ok: true, body: loaded.text.slice(bodyStart), fields };
}
