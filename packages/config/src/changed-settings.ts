import { isDeepStrictEqual } from "node:util";
import { keyPath, leavesOf } from "./leaves.ts";
import { type Config, declaredAt } from "./settings.ts";

/** Whether a changed setting, by its key path, counts only after a restart. */
export function needsRestart(key: string): boolean {
  const parts = key.replace(/\[.*/, "").split(".");
  return parts[0] !== "profiles" && declaredAt(parts)?.live !== true;
}

/** The keys whose effective values differ. */
export function changedKeys(before: Config, after: Config): readonly string[] {
  const [old, fresh] = [before, after].map(({ values }) => {
    return new Map(leavesOf(values).map(({ parts, value }) => [keyPath(parts), value]));
  });
  const keys = new Set([...(old?.keys() ?? []), ...(fresh?.keys() ?? [])]);
  return [...keys].filter((key) => !isDeepStrictEqual(old?.get(key), fresh?.get(key)));
}
