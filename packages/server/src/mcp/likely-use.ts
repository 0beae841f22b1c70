import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { UsageSettings } from "#usage";
import { openRecentSkills, readRecentSkills } from "#usage";
import type { Idle } from "#util";
import type { LikelyUse } from "./describe/list-order.ts";
import { MANIFESTS, NO_TOPICS, type ProjectTopics, projectTopics } from "./describe/project-topics.ts";

/** The folder in a project whose files tell its topics, as those in its root do. */
const SOURCES = "src";
/** Of a folder with more files, the first ones by name are read. */
const MOST_FILES = 2_000;
const LARGEST_MANIFEST = 256 * 1024;

/** What orders lists that are cut, for a start in this folder: skills used lately, and the topics of the project. */
export function readLikelyUse(ownFolder: string, cwd: string): LikelyUse {
  return { recent: readRecentSkills(ownFolder), project: readProjectTopics(cwd) };
}

/** Synchronous source of that order for a running server. Read once: lists must not change while a client works. */
export function openLikelyUse(
  {
    usage,
    remoteCallers = false,
  }: {
    readonly usage?: UsageSettings;
    readonly remoteCallers?: boolean;
  },
  { ownFolder, cwd }: { readonly ownFolder: string; readonly cwd: string },
  idle: Idle,
): () => LikelyUse {
  const recent = openRecentSkills({ ownFolder, usage, idle, now: Date.now });
  let project: ProjectTopics | undefined;
  return () => {
    // Callers from elsewhere work on other projects than the folder that the server was started in.
    project ??= remoteCallers ? NO_TOPICS : readProjectTopics(cwd);
    return { recent: recent(), project };
  };
}

/** Reads two folders and their manifests, in less than a millisecond. Skips what cannot be read. */
function readProjectTopics(cwd: string): ProjectTopics {
  const root = namesIn(cwd);
  if (root.length === 0) return NO_TOPICS;
  const sources = root.includes(SOURCES) ? namesIn(path.join(cwd, SOURCES)) : [];
  const manifests = new Map<string, string>();
  for (const name of root) {
    if (!Object.hasOwn(MANIFESTS, name)) continue;
    const text = textOf(path.join(cwd, name));
    if (text !== undefined) manifests.set(name, text);
  }
  // Of the sources, only the kinds of files: a `Dockerfile` there belongs to a part.
  return projectTopics([...root, ...sources.map((name) => name.replace(/^.*(?=\.)/, "x"))], manifests);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort().slice(0, MOST_FILES);
  } catch {
    return [];
  }
}

function textOf(file: string): string | undefined {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= LARGEST_MANIFEST ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
