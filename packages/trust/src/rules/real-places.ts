import { readdir, realpath } from "node:fs/promises";
import path from "node:path";
import { fits, placeParts, type TrustPolicy, type TrustRule } from "./policy.ts";

/** Of one pattern with asterisks. Beyond it the pattern counts as it is written. */
const MOST_FOLDERS = 1_000;

/**
 * Adds to each rule about a folder the same rule about where that folder really lies. A skill is known by the folder that it was
 * found in and by its real one, and a link anywhere on the way of a rule (`/home` to `/var/home`) makes it a third. Read for each
 * scan, because links change.
 */
export async function withRealPlaces(policy: TrustPolicy): Promise<TrustPolicy> {
  const rules = await Promise.all(
    policy.rules.map(async (rule): Promise<readonly TrustRule[]> => {
      const { pattern } = rule;
      if (pattern.on !== "place") return [rule];
      const real = await realPatterns(rootOf(pattern.parts), pattern.parts);
      const others = new Map(real.map((parts) => [parts.join("/"), parts]));
      others.delete(pattern.parts.join("/"));
      return [
        rule,
        ...Array.from(others.values(), (parts) => ({ ...rule, pattern: { on: "place", parts } as const })),
      ];
    }),
  );
  return { ...policy, rules: rules.flat() };
}

const rootOf = ([first = ""]: readonly string[]): string => (/^[a-z]:$/i.test(first) ? "" : path.sep);

/** The pattern with each of its existing folders replaced by the real one. */
async function realPatterns(
  folder: string,
  parts: readonly string[],
  budget = { left: MOST_FOLDERS },
): Promise<readonly (readonly string[])[]> {
  const [part, ...rest] = parts;
  if (part === undefined) return [placeParts(folder)];
  const asWritten = [...placeParts(folder), ...parts];
  if (!part.includes("*")) {
    const real = await realpath(path.join(folder, part)).catch(() => undefined);
    return real === undefined ? [asWritten] : realPatterns(real, rest, budget);
  }
  const names = (await readdir(folder).catch(() => [])).filter((name) => fits(name, part));
  const chosen = names.slice(0, Math.max(budget.left, 0));
  budget.left -= chosen.length;
  const found: (readonly string[])[] = [asWritten];
  for (const name of chosen) {
    const real = await realpath(path.join(folder, name)).catch(() => undefined);
    if (real === undefined) continue;
    const behind = await realPatterns(real, rest, budget);
    // Without a link on the way, the pattern is about it already, and less exactly than a rule that names it.
    found.push(...behind.filter((each) => !isMatched(each, asWritten)));
  }
  return found;
}

const isMatched = (parts: readonly string[], pattern: readonly string[]): boolean =>
  parts.length === pattern.length && pattern.every((part, index) => fits(parts[index] ?? "", part));
