import { parseSkill } from "#skills";
import { type SearchDocument, searchDocumentOf } from "../src/engine/index/build-segment.ts";
import type { RawSkill } from "./labelled-sets.ts";

/** What is searched of one skill. */
export interface Searched {
  /** What the engines are given, ours and the peers alike. */
  readonly document: SearchDocument;
  /** What a plain scan reads: the folder's name, the skill's name and description, and the body. */
  readonly text: string;
}

/** Nothing when the file is no skill. */
export function searchedOf({ dir, text }: RawSkill): Searched | undefined {
  const parsed = parseSkill(text);
  if (!parsed.ok) return undefined;
  const { name, description, fields, bodyStart } = parsed.skill;
  const body = text.slice(bodyStart);
  return {
    document: searchDocumentOf({ id: dir, name, description, fields, body, evalPrompts: [] }),
    text: `${dir}\n${name}\n${description}\n${body}`,
  };
}
