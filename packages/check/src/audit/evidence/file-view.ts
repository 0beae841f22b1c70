import type { FileKind } from "../rule.ts";
import { foldText } from "../text/fold.ts";
import { kindOf } from "../text/units.ts";
import { isBundled } from "./bundled.ts";
import { createPlaces, type LinePlaces } from "./places.ts";

/** A text file of a skill, with what rules need to weigh what they find in it. */
export interface FileView {
  /** Below the skill's folder. */
  readonly path: string;
  /** As a model reads it. */
  readonly text: string;
  readonly kind: FileKind;
  readonly lines: () => readonly string[];
  readonly places: LinePlaces;
  /** The skill's own file: what an agent follows. Others it reads when it needs them. */
  readonly isOwn: boolean;
  /** A test or its data, which no text of the skill says to run. */
  readonly isTest: boolean;
  /** Minified or somebody else's: no pattern is meant for it. */
  readonly isBundled: boolean;
  /** The skill says of itself that it is about attacks. */
  readonly isAboutAttacks: boolean;
}

export interface ViewedSkill {
  readonly skillFile: string;
  readonly own: string;
  readonly isAboutAttacks: boolean;
}

const TEST =
  /(?:^|\/)(?:tests?|__tests__|fixtures?|testdata|evals?|spec)\/|(?:^|\/)(?:test_[^/]{1,100}|[^/]{1,100}[._-](?:test|spec))\.\w{1,5}$/i;

/** A text that names a file or its folder may have an agent run it. */
function isNamed(path: string, text: string): boolean {
  const at = path.lastIndexOf("/") + 1;
  return text.includes(path.slice(at)) || (at > 0 && text.includes(path.slice(0, at)));
}

export function viewFile(
  path: string,
  raw: string,
  { skillFile, own, isAboutAttacks }: ViewedSkill,
): FileView {
  const text = foldText(raw);
  const kind = kindOf(path, raw);
  let split: readonly string[] | undefined;
  const lines = (): readonly string[] => (split ??= text.split("\n"));
  return {
    path,
    text,
    kind,
    lines,
    places: createPlaces(path, kind, lines),
    isOwn: path === skillFile,
    isTest: TEST.test(path) && !isNamed(path, own),
    isBundled: isBundled(path, raw),
    isAboutAttacks,
  };
}
