import { findInvisibleCharacters } from "#util/pure";
import type { Finding } from "./diagnostic.ts";
import { invisibleText } from "./front-matter/fields.ts";

/** More lines than this are not reported. */
const MOST_LINES = 20;

/**
 * Finds lines with invisible characters, in SKILL.md and in every other text of a skill. Tags and bidi controls are errors, because
 * they have no use in a text; others may be left by an editor. `firstLine` is the line on which the text begins.
 */
export function checkInvisible(text: string, firstLine = 1): readonly Finding[] {
  const found = findInvisibleCharacters(text);
  if (found.length === 0) return [];
  const byLine = new Map<number, ReturnType<typeof findInvisibleCharacters>[number][]>();
  let line = firstLine;
  let at = 0;
  for (const character of found) {
    for (; at < character.offset; at++) if (text.charCodeAt(at) === LF) line++;
    const onLine = byLine.get(line);
    if (onLine === undefined) byLine.set(line, [character]);
    else onLine.push(character);
  }
  return [...byLine].slice(0, MOST_LINES).map(([line, characters]): Finding => {
    const severity = characters.some(({ kind }) => kind === "tag" || kind === "bidi") ? "error" : "advice";
    const message = `The line contains ${invisibleText(characters.length, characters[0]?.codePoint ?? 0)}.`;
    return { severity, rule: "hidden-characters", line, message };
  });
}

const LF = 10;
