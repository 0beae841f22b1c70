import {
  type ConfigEntry,
  type EntryPlace,
  insertEntry,
  removeEntry,
  type Undo,
  updateEntry,
} from "../documents/document.ts";
import { isSame } from "../documents/is-same.ts";
import { type ConfigFile, missingFolders } from "./config-file.ts";
import type { ConfigScope, ConnectTarget } from "./connect-form.ts";
import type { Connected, RecordName } from "./connections.ts";
import { whyOf } from "./entry.ts";

/** A change of one agent's configuration: the text before and after; undefined for no file. */
interface ConfigChange {
  readonly action: "add" | "update" | "remove";
  readonly config: ConfigFile;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** What its removal needs to know later, and the file that keeps it. */
  readonly record: Connected | undefined;
  readonly recordIn: RecordName;
  /** Why the entry has keys that do not say how to reach the server: a whole sentence. */
  readonly why?: string;
  /** Folders that were made for the file, to be removed with it. */
  readonly madeFolders: readonly string[];
}

/** What `connect` or `hook` is to do for one agent. */
export type StepFor<T> = {
  readonly agent: T;
  readonly scope: ConfigScope;
  readonly file: string;
} & (
  | ConfigChange
  | { readonly action: "none"; readonly isConnected: boolean }
  | { readonly action: "refuse"; readonly reason: string }
);

interface Situation {
  readonly agent: Pick<ConnectTarget, "id" | "format" | "newFile" | "settings">;
  readonly config: ConfigFile;
  readonly place: EntryPlace;
  readonly found: ConfigEntry | undefined;
  readonly known: Connected | undefined;
  readonly recordIn: RecordName;
}

const NOTHING_ADDED: Undo = { made: 0, lead: "", tail: "", root: false };

type Planned = ConfigChange | { readonly action: "none"; readonly isConnected: boolean };

/** Inserts an entry, or replaces the one that was found. */
export async function planEntry(
  { agent, config, place, found, known, recordIn, entry }: Situation & { readonly entry: ConfigEntry },
  scope: ConfigScope,
): Promise<Planned> {
  const { text, target } = config;
  const why = whyOf(agent, entry);
  const common = { config, before: text, madeFolders: [], recordIn, ...(why === undefined ? {} : { why }) };
  if (found !== undefined) {
    if (isSame(found, entry)) return { action: "none", isConnected: true };
    const record = {
      ...(known ?? { undo: NOTHING_ADDED, madeFolders: [] }),
      file: target,
      client: agent.id,
      entry,
    };
    return {
      ...common,
      action: "update",
      after: updateEntry(text ?? "", agent.format, place, entry),
      record,
    };
  }
  const isEmpty = text === undefined;
  const base = text ?? agent.newFile ?? "";
  const { text: after, undo } = insertEntry(base, agent.format, place, entry);
  const madeFolders = isEmpty ? await missingFolders(target) : [];
  const record = {
    file: target,
    client: agent.id,
    entry,
    undo,
    madeFolders,
    ...(isEmpty && { madeFile: base }),
  };
  const mode = isEmpty && scope === "project" ? 0o644 : config.mode;
  return { ...common, config: { ...config, mode }, action: "add", after, record };
}

export function planRemoval({ agent, config, place, found, known, recordIn }: Situation): Planned {
  const { text } = config;
  if (found === undefined || text === undefined) return { action: "none", isConnected: false };
  const after = removeEntry(text, agent.format, place, known?.undo);
  const isMade = known?.madeFile !== undefined && after === known.madeFile;
  return {
    action: "remove",
    config,
    before: text,
    after: isMade ? undefined : after,
    record: undefined,
    recordIn,
    madeFolders: isMade ? known.madeFolders : [],
  };
}
