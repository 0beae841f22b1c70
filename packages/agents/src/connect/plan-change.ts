import path from "node:path";
import {
  type ConfigEntry,
  type EntryPlace,
  type FormatName,
  insertEntry,
  readEntry,
  removeEntry,
  type Undo,
  updateEntry,
} from "../documents/document.ts";
import { isSame } from "../documents/values.ts";
import {
  backUp,
  ChangedMeanwhile,
  type ConfigFile,
  missingFolders,
  readConfigFile,
  reasonOf,
  removeConfigFile,
  writeConfigFile,
} from "./config-file.ts";
import type { ConfigScope, ConnectForm } from "./connect-form.ts";
import { CONNECT_TARGETS } from "./connect-targets.ts";
import { type Connected, type RecordName, readConnections, recordConnection } from "./connections.ts";
import { whyOf } from "./entry.ts";
import { configFile, isInstalled, type Surroundings } from "./surroundings.ts";

/** What an agent's configuration says of our entry. */
interface Seen<State> {
  readonly state: State;
  /** What our hook runs. */
  readonly command?: string;
  /** Why the configuration cannot be read, or why our hook is broken. */
  readonly reason?: string;
}

/** Whether an agent is installed, and what its configuration says. */
export interface Found<T, State> extends Seen<State | "unreadable"> {
  readonly agent: T;
  readonly file: string | undefined;
  readonly isInstalled: boolean;
}

/** Looks at every agent of a list. `see` gets the configuration, or undefined for an agent that has none in this scope. */
export function findTargets<T extends Editable, State>(
  targets: readonly T[],
  [scope, surroundings]: readonly [ConfigScope, Surroundings],
  see: (agent: T, config: ConfigFile | undefined) => Seen<State> | Promise<Seen<State>>,
): Promise<readonly Found<T, State>[]> {
  return Promise.all(
    targets.map(async (agent): Promise<Found<T, State>> => {
      const program = CONNECT_TARGETS.find(({ id }) => id === agent.id);
      const file = await configFile(agent, scope, surroundings);
      const installed = program !== undefined && (await isInstalled(program, surroundings));
      const found = { agent, file, isInstalled: installed };
      try {
        return {
          ...found,
          ...(await see(agent, file === undefined ? undefined : await readConfigFile(file))),
        };
      } catch (error) {
        return { ...found, state: "unreadable", reason: reasonOf(error) };
      }
    }),
  );
}

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
} & Planned;

/** An agent with a configuration that can be changed. */
interface Editable extends Pick<ConnectForm, "user" | "project" | "movedBy" | "newFile" | "settings"> {
  readonly id: string;
}

/** Which entry of an agent's configuration is meant, and the file that records what was done to it. */
interface Entry<T> {
  readonly agent: T;
  readonly scope: ConfigScope;
  readonly format: FormatName;
  readonly place: EntryPlace;
  readonly recordIn: RecordName;
}

interface Situation extends Entry<Editable> {
  readonly config: ConfigFile;
  readonly found: ConfigEntry | undefined;
  readonly known: Connected | undefined;
}

const NOTHING_ADDED: Undo = { made: 0, lead: "", tail: "", root: false };

type Planned =
  | ConfigChange
  | { readonly action: "none"; readonly isConnected: boolean }
  | { readonly action: "refuse"; readonly reason: string };

/** Plans one agent. A file that cannot be changed is a step that says why: the others go on. */
export async function planChange<T extends Editable>(
  entry: Entry<T>,
  surroundings: Surroundings,
  plan: (situation: Situation) => Planned | Promise<Planned>,
): Promise<StepFor<T>> {
  const { agent, scope, format, place, recordIn } = entry;
  const file = await configFile(agent, scope, surroundings);
  const step = { agent, scope, file: file ?? "" };
  if (file === undefined)
    return { ...step, action: "refuse", reason: `It has no file for the ${scope} scope.` };
  try {
    const config = await readConfigFile(file);
    const records = await readConnections(surroundings.ownFolder, recordIn);
    const known = records.find((record) => record.file === config.target);
    const found = readEntry(config.text ?? "", format, place);
    return { ...step, ...(await plan({ ...entry, config, found, known })) };
  } catch (error) {
    return { ...step, action: "refuse", reason: reasonOf(error) };
  }
}

/** Inserts an entry, or replaces the one that was found. */
export async function planEntry(
  { agent, scope, format, config, place, found, known, recordIn }: Situation,
  entry: ConfigEntry,
): Promise<Planned> {
  const { text, target } = config;
  const why = whyOf(agent, entry);
  const common = { config, before: text, madeFolders: [], recordIn, ...(why === undefined ? {} : { why }) };
  if (found !== undefined) {
    if (isSame(found, entry)) return { action: "none", isConnected: true };
    const earlier = known ?? { undo: NOTHING_ADDED, madeFolders: [] };
    const record = { ...earlier, file: target, client: agent.id, entry };
    return { ...common, action: "update", after: updateEntry(text ?? "", format, place, entry), record };
  }
  const isEmpty = text === undefined;
  const base = text ?? agent.newFile ?? "";
  const { text: after, undo } = insertEntry(base, format, place, entry);
  const madeFolders = isEmpty ? await missingFolders(target) : [];
  const made = isEmpty ? { madeFolders, madeFile: base } : { madeFolders };
  const record = { file: target, client: agent.id, entry, undo, ...made };
  const mode = isEmpty && scope === "project" ? 0o644 : config.mode;
  return { ...common, config: { ...config, mode }, action: "add", after, record };
}

export function planRemoval({ format, config, place, found, known, recordIn }: Situation): Planned {
  const { text } = config;
  if (found === undefined || text === undefined) return { action: "none", isConnected: false };
  const after = removeEntry(text, format, place, known?.undo);
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

/** A step that was taken, with the copy of the file as it was before. */
export interface Applied<T> {
  readonly step: StepFor<T>;
  readonly backup?: string;
}

/** An agent that writes its file this often, while we plan and write, is busy with it. */
const MOST_TRIES = 5;

/**
 * Takes a step. If the agent writes its file meanwhile, `replan` is asked for the step that fits what it wrote. One that fails
 * becomes a refusal, with the file as it was.
 */
export async function applyStep<T extends { readonly id: string }>(
  planned: StepFor<T>,
  surroundings: Surroundings,
  replan?: () => Promise<StepFor<T>>,
): Promise<Applied<T>> {
  let step = planned;
  for (let tries = 1; ; tries++) {
    try {
      return await takeStep(step, surroundings);
    } catch (error) {
      const { agent, scope, file } = step;
      if (!(error instanceof ChangedMeanwhile) || replan === undefined)
        return { step: { agent, scope, file, action: "refuse", reason: reasonOf(error) } };
      if (tries === MOST_TRIES) {
        const reason = `${agent.id} wrote it ${MOST_TRIES} times meanwhile: close it, and run the command again.`;
        return { step: { agent, scope, file, action: "refuse", reason } };
      }
      step = await replan();
    }
  }
}

async function takeStep<T extends { readonly id: string }>(
  step: StepFor<T>,
  { ownFolder }: Surroundings,
): Promise<Applied<T>> {
  if (step.action === "none" || step.action === "refuse") return { step };
  const { agent, file, config, before, after, recordIn } = step;
  const records = await readConnections(ownFolder, recordIn);
  const earlier = records.find((record) => record.file === config.target);
  try {
    const now = await readConfigFile(file);
    if (now.text !== before || now.target !== config.target) throw new ChangedMeanwhile();
    const backup =
      before === undefined
        ? {}
        : { backup: await backUp(path.join(ownFolder, "backups"), agent.id, file, before) };
    // Recorded first: a killed process may leave a record without an entry, never an entry that cannot be undone.
    if (step.record !== undefined) await recordConnection(ownFolder, config.target, step.record, recordIn);
    if (after === undefined) await removeConfigFile(config, step.madeFolders);
    else await writeConfigFile(config, after);
    if (step.record === undefined) await recordConnection(ownFolder, config.target, undefined, recordIn);
    return { step, ...backup };
  } catch (error) {
    // What was recorded has not happened.
    if (step.record !== undefined) await recordConnection(ownFolder, config.target, earlier, recordIn);
    throw error;
  }
}
