/** Code points that macOS leaves out when it compares names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Why a path of a tree must not be written, or undefined. Git refuses the same names, but then the whole tree. */
export function reservedNameProblem(parts: readonly string[], isLink: boolean): string | undefined {
  for (const part of parts) {
    if (part === "" || part === "." || part === "..") return "Its path steps out of its folder";
    if (/[\u0000-\u001f\u007f\ufffd\\]/.test(part))
      return "Its name holds a backslash, a control character or bytes that are no text";
    if (isGitFolder(part)) return "Its name stands for git's own folder";
  }
  if (isLink && /^(?:\.git|gi[a-z0-9]*~\d)/i.test(parts.at(-1)?.replaceAll(IGNORED, "") ?? ""))
    return "It is a link in the place of a file that git reads";
  return undefined;
}

/** `.git` and all that some disk takes for it: `.GIT`, `.git.`, `.git::$INDEX_ALLOCATION`, `git~1`, `.g\u200cit`. */
function isGitFolder(name: string): boolean {
  const plain = name.replaceAll(IGNORED, "");
  return /^(?:\.git|git~\d+)(?:[. ]*(?::.*)?)$/i.test(plain);
}
