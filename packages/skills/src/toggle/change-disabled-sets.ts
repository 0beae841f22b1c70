import { mkdir } from "node:fs/promises";
import path from "node:path";
import { describeError, writeFileAtomic } from "#util";
import { nameKey, Refusal } from "#util/pure";
import { fullName } from "../catalog/catalog.ts";
import type { Skill } from "../skill/skill.ts";
import { type DisabledFor, type DisabledSets, readDisabledSets } from "./disabled-sets.ts";

/** Adds skills to a set, or removes them from it, and says which of them were not so before. */
export async function changeDisabledSet(
  file: string,
  { kind, name }: DisabledFor,
  skills: readonly Skill[],
  to: "enabled" | "disabled",
): Promise<readonly boolean[]> {
  const { sets, problem } = readDisabledSets(file);
  if (problem !== undefined) throw new Refusal(problem, { code: "cannot-toggle", file });
  const key = kind === "agent" ? "agents" : "profiles";
  const before = Object.hasOwn(sets[key], name) ? (sets[key][name] ?? []) : [];
  const had = new Set(before.map(nameKey));
  const changed = skills.map((skill) => had.has(nameKey(fullName(skill))) === (to === "enabled"));
  const named = new Map([...before, ...skills.map(fullName)].map((one) => [nameKey(one), one]));
  if (to === "enabled") for (const skill of skills) named.delete(nameKey(fullName(skill)));
  // An empty profile stays: a server may name it.
  const others = Object.entries(sets[key]).filter(([other]) => other !== name);
  const own = named.size > 0 || kind === "profile" ? [[name, [...named.values()].sort()] as const] : [];
  const after = { ...sets, [key]: Object.fromEntries([...others, ...own]) };
  if (changed.includes(true) || !Object.hasOwn(sets[key], name)) await write(file, after);
  return changed;
}

async function write(file: string, { agents, profiles }: DisabledSets): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFileAtomic(file, `${JSON.stringify({ version: 1, agents, profiles }, null, 2)}\n`, {
      flush: true,
    });
  } catch (error) {
    throw new Refusal(
      `${file} was not written: ${describeError(error)}.`,
      { code: "cannot-toggle", file },
      { cause: error },
    );
  }
}
