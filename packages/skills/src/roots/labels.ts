import path from "node:path";
import { below } from "../scan/cached-folders.ts";
import type { Root } from "./roots.ts";

/** Folders below an agent's root that the agent fills by itself: how many folders a skill lies below them, and its label. */
const LABELS: Readonly<Record<string, { folder: string; depth: number; label: string }>> = {
  codex: { folder: ".system", depth: 1, label: "Codex's own" },
  // One folder for each account.
  claude: { folder: "synced", depth: 2, label: "synced from claude.ai" },
};

/** What a skill is besides one that somebody put there, such as one of its agent's own; undefined for all others. */
export function labelOf({ dir: rootDir, provider, plugin, label }: Root, dir: string): string | undefined {
  if (label !== undefined) return label;
  const known = plugin === undefined ? LABELS[provider] : undefined;
  if (known === undefined || !dir.startsWith(below(rootDir, known.folder))) return undefined;
  const [folder, ...deeper] = path.relative(rootDir, dir).split(path.sep);
  return folder === known.folder && deeper.length >= known.depth ? known.label : undefined;
}
