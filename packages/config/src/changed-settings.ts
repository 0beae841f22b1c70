import { isDeepStrictEqual } from "node:util";
import { keyPath, leavesOf } from "./leaves.ts";
import type { Config } from "./settings.ts";

/**
 * Settings, and sections, that a running server takes over when its files change. Every other setting decides something
 * at the start, such as a port.
 */
const LIVE: ReadonlySet<string> = new Set([
  ...["matching", "scripts", "assets", "skills", "project.skills", "profiles"],
  ...["audit.ignore", "audit.block"],
  ...["server.tools", "server.tool_names", "server.prompts", "server.include_native"],
  ...["server.description", "server.description_budget", "server.instructions_budget"],
]);

/** Whether a changed setting counts only after a restart. */
export function needsRestart(key: string): boolean {
  const isLive = [...LIVE].some((live) => key === live || key.startsWith(`${live}.`));
  return !isLive;
}

/** The keys whose effective values differ. */
export function changedKeys(before: Config, after: Config): readonly string[] {
  const [old, fresh] = [before, after].map(({ values }) => {
    return new Map(leavesOf(values).map(({ parts, value }) => [keyPath(parts), value]));
  });
  const keys = new Set([...(old?.keys() ?? []), ...(fresh?.keys() ?? [])]);
  return [...keys].filter((key) => !isDeepStrictEqual(old?.get(key), fresh?.get(key)));
}
