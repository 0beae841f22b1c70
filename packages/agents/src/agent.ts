import type { ClientTraits } from "./client-traits.ts";
import type { ConnectForm } from "./connect/connect-form.ts";
import type { HookForm } from "./hooks/hook-form.ts";

/**
 * An agent: a program that people give tasks to, such as Claude Code. Everything that is known of one is in its file in
 * agents/; what it lacks, or what nobody knows, is absent. Comments there name the source of a fact: "skills" is the table of
 * the npm package of that name (test/skills-package.json), "docs" the agent's documentation, "source" its source or binary, "not checked" what is only said to be so.
 */
export interface Agent {
  /** The name of its file. `connect`, `hook` and `eval --run` take it. */
  readonly id: string;
  /** What people call it. */
  readonly title: string;
  /** Where its skills come from, in the names of skills, filters and `add --agent`, where that is not the id. */
  readonly provider?: string;
  /** What people and other tools also call it. */
  readonly alsoCalled?: readonly string[];
  readonly folders?: SkillFolders;
  /** Files in a project's folder that it reads as instructions, where they lie outside of its own folder. */
  readonly instructions?: readonly string[];
  readonly plugins?: PluginLayout;
  readonly client?: AgentClient;
  readonly connect?: ConnectForm;
  readonly hook?: HookForm;
  readonly run?: RunForm;
}

/** Folders of skills, below a project and below the home folder, highest priority first. */
export interface SkillFolders {
  readonly project: readonly string[];
  readonly user: readonly string[];
  /** What an administrator gives to every user of the machine: an absolute folder; `unix` is every other platform. */
  readonly system?: Readonly<Record<"darwin" | "win32" | "unix", string>>;
  /** A variable that moves a folder, such as `.codex`, out of the home folder. */
  readonly movedBy?: readonly [variable: string, folder: string];
}

/** Folders of the same names below a project and below the home folder. */
export function inBoth(...folders: readonly string[]): Pick<SkillFolders, "project" | "user"> {
  return { project: folders, user: folders };
}

/** An agent of which nothing is known but its folders: those below the home folder have the names of a project's unless given. */
export function folderAgent(
  id: string,
  title: string,
  project: readonly string[],
  user: readonly string[] = project,
): Agent {
  return { id, title, folders: { project, user } };
}

/** How an agent keeps the plugins that it installed. */
export interface PluginLayout {
  /** The folder of all of them, below the home folder. */
  readonly dir: string;
  /** Projects have such a folder too. */
  readonly inProjects?: true;
  /** The folders on the way to a plugin. */
  readonly levels: readonly ("marketplace" | "plugin" | "version")[];
  /** The version that the agent loads. */
  readonly activeVersion?: (versions: readonly string[]) => string | undefined;
  /** The folder of plugins without a marketplace. They are named by their manifest. */
  readonly noMarketplace?: string;
  /** Where a plugin's manifest may be, first one first. */
  readonly manifests: readonly string[];
  /** A folder is no plugin without a manifest, and that follows the Agent Plugins Specification. */
  readonly needsManifest?: true;
  /** The manifest may name other folders of skills than `skills`. */
  readonly namesFolders?: true;
  /** The manifest's name counts, not the folder's. */
  readonly namedByManifest?: true;
  /** A JSON file in a plugin's folder: with `type` "link", `source` is the real folder. */
  readonly linkFile?: string;
  /** The folder of the marketplaces that plugins were copied from, one for each, below the home folder. */
  readonly marketplaces?: string;
  readonly settings?: PluginSettings;
}

/** The agent's file that can turn plugins off. A plugin that it does not mention is on. */
export interface PluginSettings {
  /** Below the home folder. */
  readonly file: string;
  readonly format: "JSON" | "TOML";
  /**
   * Reads the file: the value of a JSON file, the text of another one; undefined for no file. The result says how to turn a
   * plugin on again that is off for a working directory: a whole sentence, or undefined if it is on.
   */
  readonly howToEnable: (content: unknown) => (plugin: PluginName, cwd: string) => string | undefined;
}

interface PluginName {
  readonly name: string;
  /** With its marketplace, if it has one. */
  readonly id: string;
}

/** An agent as an MCP client. */
interface AgentClient {
  /** What it calls itself in `clientInfo`. */
  readonly name: string;
  readonly measured?: MeasuredClient;
}

/** What a client does with our texts and answers, measured with the real program and a stub model (docs/clients). */
interface MeasuredClient {
  /** The names in `clientInfo`, and what people type. */
  readonly pattern: RegExp;
  /** What differs from an unknown coding agent. */
  readonly traits: Partial<ClientTraits>;
  /** What changed in later versions, newest first; each adds to `traits` alone. */
  readonly since?: readonly (readonly [version: string, traits: Partial<ClientTraits>])[];
}

/** How an agent is started for one prompt: without questions, and without permission to change anything. */
interface RunForm {
  readonly program: string;
  readonly args: (prompt: string) => readonly string[];
}
