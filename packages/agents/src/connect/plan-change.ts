import {
  type Entry,
  insertEntry,
  type Place,
  removeEntry,
  type Undo,
  updateEntry,
} from "../documents/document.ts";
import { isSame } from "../documents/is-same.ts";
import type { Client, Scope } from "./client.ts";
import { type ConfigFile, missingFolders } from "./config-file.ts";
import type { Connected } from "./connections.ts";

/** A change of one client's configuration: the text before and after; undefined for no file. */
interface Change {
  readonly action: "add" | "update" | "remove";
  readonly config: ConfigFile;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** What its removal needs to know later. */
  readonly record: Connected | undefined;
  /** Folders to remove with the file. */
  readonly madeFolders: readonly string[];
}

/** What is to be done for one client or agent. */
export type StepFor<T> = {
  readonly client: T;
  readonly scope: Scope;
  readonly file: string;
} & (
  | Change
  | { readonly action: "none"; readonly isConnected: boolean }
  | { readonly action: "refuse"; readonly reason: string }
);

interface Situation {
  readonly client: Pick<Client, "id" | "format" | "newFile">;
  readonly config: ConfigFile;
  readonly place: Place;
  readonly found: Entry | undefined;
  readonly known: Connected | undefined;
}

const NOTHING_ADDED: Undo = { made: 0, lead: "", tail: "", root: false };

type Planned = Change | { readonly action: "none"; readonly isConnected: boolean };

/** Inserts an entry, or replaces the one that was found. */
export async function planEntry(
  { client, config, place, found, known, entry }: Situation & { readonly entry: Entry },
  scope: Scope,
): Promise<Planned> {
  const { text, target } = config;
  const common = { config, before: text, madeFolders: [] };
  if (found !== undefined) {
    if (isSame(found, entry)) return { action: "none", isConnected: true };
    const record = {
      ...(known ?? { undo: NOTHING_ADDED, madeFolders: [] }),
      file: target,
      client: client.id,
      entry,
    };
    return {
      ...common,
      action: "update",
      after: updateEntry(text ?? "", client.format, place, entry),
      record,
    };
  }
  const isEmpty = text === undefined;
  const base = text ?? client.newFile ?? "";
  const { text: after, undo } = insertEntry(base, client.format, place, entry);
  const madeFolders = isEmpty ? await missingFolders(target) : [];
  const record = {
    file: target,
    client: client.id,
    entry,
    undo,
    madeFolders,
    ...(isEmpty && { madeFile: base }),
  };
  const mode = isEmpty && scope === "project" ? 0o644 : config.mode;
  return { ...common, config: { ...config, mode }, action: "add", after, record };
}

export function planRemoval({ client, config, place, found, known }: Situation): Planned {
  const { text } = config;
  if (found === undefined || text === undefined) return { action: "none", isConnected: false };
  const after = removeEntry(text, client.format, place, known?.undo);
  const isMade = known?.madeFile !== undefined && after === known.madeFile;
  return {
    action: "remove",
    config,
    before: text,
    after: isMade ? undefined : after,
    record: undefined,
    madeFolders: isMade ? known.madeFolders : [],
  };
}
