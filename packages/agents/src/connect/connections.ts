import { readFile } from "node:fs/promises";
import path from "node:path";
import { makeOwnFolder, writeFileAtomic } from "#util";
import type { ConfigEntry, Undo } from "../documents/document.ts";

/** What `connect` or `hook install` did to one configuration, so that it can be undone without a trace. */
export interface Connected {
  readonly file: string;
  /** The id of the agent; the name is that of the files on disk. */
  readonly client: string;
  readonly entry: ConfigEntry;
  readonly undo: Undo;
  /** The text of a file that did not exist before, without the entry. */
  readonly madeFile?: string;
  readonly madeFolders: readonly string[];
}

const VERSION = 1;

/** The files that keep what was done. Connections and hooks have one each, because both may be in one configuration. */
export type RecordName = "connections.json" | "hooks.json";

/** Reads a record. A missing or broken one is empty: entries can still be removed, only empty maps around them stay. */
export async function readConnections(ownFolder: string, name: RecordName): Promise<readonly Connected[]> {
  try {
    const record: unknown = JSON.parse(await readFile(path.join(ownFolder, name), "utf8"));
    const { version, connections } = record as { readonly version?: unknown; readonly connections?: unknown };
    return version === VERSION && Array.isArray(connections) ? connections.filter(isConnected) : [];
  } catch {
    return [];
  }
}

function isConnected(value: unknown): value is Connected {
  const { file, client, entry, undo, madeFolders } = (value ?? {}) as Partial<
    Record<keyof Connected, unknown>
  >;
  const { made, lead, tail } = (undo ?? {}) as Partial<Record<keyof Undo, unknown>>;
  return (
    typeof file === "string" &&
    typeof client === "string" &&
    typeof entry === "object" &&
    entry !== null &&
    typeof made === "number" &&
    typeof lead === "string" &&
    typeof tail === "string" &&
    Array.isArray(madeFolders)
  );
}

/** Replaces the record of one configuration; undefined removes it. */
export async function recordConnection(
  ownFolder: string,
  file: string,
  connected: Connected | undefined,
  name: RecordName,
): Promise<void> {
  const others = (await readConnections(ownFolder, name)).filter((other) => other.file !== file);
  const connections = connected === undefined ? others : [...others, connected];
  await makeOwnFolder(ownFolder);
  const text = JSON.stringify({ version: VERSION, connections }, undefined, 2);
  // An entry may have a token.
  await writeFileAtomic(path.join(ownFolder, name), `${text}\n`, { mode: 0o600 });
}
