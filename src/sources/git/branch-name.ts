import { Refusal } from "../../skill/refusal.ts";

/** Reads SKILLS_BRANCH by git's own rules for the name of a branch, so that a bad one is refused before git is asked. */
export function parseBranch(value: string): string {
  if (isBranchName(value)) return value;
  // A client's log shows this line: nothing that could move its cursor is repeated.
  const shown = value.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "?").slice(0, 100);
  throw new Refusal(`SKILLS_BRANCH holds '${shown}', which git does not accept as the name of a branch.`, {
    code: "bad-usage",
    flag: "SKILLS_BRANCH",
  });
}

function isBranchName(value: string): boolean {
  if (value === "" || value.length > 200 || value.startsWith("-") || value === "HEAD") return false;
  if (/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\.$/.test(value)) return false;
  return value.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}
