import { keyPath } from "./leaves.ts";
import type { Setting } from "./merge.ts";

/** The settings of a file that take effect, and why the others do not. */
export interface Judged {
  readonly settings: readonly Setting[];
  /** One line for the log; undefined when nothing is ignored. */
  readonly ignored: string | undefined;
}

/**
 * The right to push to a repository must not include choosing what runs on this machine or where its events are sent.
 * A stricter sandbox is always accepted.
 */
export function judgeGitSettings(
  settings: readonly Setting[],
  { file, ownFile, trusted }: { readonly file: string; readonly ownFile: string; readonly trusted: boolean },
): Judged {
  const rest = settings.filter((setting) => !counts(setting, trusted));
  if (rest.length === 0) return { settings, ignored: undefined };
  const keys = [...new Set(rest.map(({ parts }) => keyPath(parts.slice(0, 2))))];
  const set = `set ${keys.length === 1 ? "it" : "them"} in ${ownFile}`;
  const way = rest.every(isFolders) ? set : `${set}, or trust the library with SKILLS_TRUST_CONFIG=1`;
  return {
    settings: settings.filter((setting) => counts(setting, trusted)),
    ignored: `${file}: ${keys.join(", ")} ${keys.length === 1 ? "was" : "were"} ignored, because the library comes from git; ${way}.`,
  };
}

function counts(setting: Setting, trusted: boolean): boolean {
  // A repository cannot know the folders of this machine.
  if (isFolders(setting)) return false;
  const [section, key] = setting.parts;
  const isOperators =
    section === "analytics" ||
    (section === "scripts" && (key === "runners" || (key === "sandbox" && setting.value !== "required")));
  return trusted || !isOperators;
}

function isFolders({ parts: [section, key] }: Setting): boolean {
  return section === "scripts" && key === "folders";
}
