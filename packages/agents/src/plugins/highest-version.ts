import { compareText } from "#util/pure";

/** The highest of the folders that can be versions. Those that are not of the form 1.2.3 compare as text. */
export function highestVersion(folders: readonly string[]): string | undefined {
  return folders
    .filter((name) => /^[\w.+-]+$/.test(name))
    .toSorted(compareVersions)
    .at(-1);
}

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?(?:\+[\w.-]+)?$/;

function compareVersions(a: string, b: string): number {
  const left = VERSION.exec(a);
  const right = VERSION.exec(b);
  if (left === null || right === null) return compareText(a, b);
  for (const part of [1, 2, 3]) {
    const difference = Number(left[part]) - Number(right[part]);
    if (difference !== 0) return difference;
  }
  return comparePrerelease(left[4], right[4]);
}

/** A version without a pre-release is the higher one; numbers in it compare as numbers and rank below words. */
function comparePrerelease(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const [left, right] = [a.split("."), b.split(".")];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const [x = "", y = ""] = [left[index], right[index]];
    const [isNumber, isOther] = [/^\d+$/.test(x), /^\d+$/.test(y)];
    if (isNumber !== isOther) return isNumber ? -1 : 1;
    const difference = isNumber ? Number(x) - Number(y) : compareText(x, y);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
