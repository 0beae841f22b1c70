import type { ConfigEntry, FormatName } from "../documents/document.ts";

export type ConfigScope = "user" | "project";

/**
 * A file or folder of the user: below the home folder (`~/`), the folder for configuration (`<config>/`, that is `~/.config`),
 * or the folder for the data of programs (`<app>/`), which is another one on each platform.
 */
export type UserPath = `~/${string}` | `<config>/${string}` | `<app>/${string}`;

/** One value for all platforms, or one for each; `unix` is every other one. */
export type ByPlatform<T> = T | Readonly<{ win32?: T; darwin?: T; unix: T }>;

/** How an agent reaches the server: it starts it, or sends requests over HTTP. */
export type ServerConnection =
  | { readonly kind: "local"; readonly command: readonly string[] }
  | {
      readonly kind: "http";
      readonly url: string;
      /** A bearer token as it is; `tokenEnv` names the environment variable that contains one instead. */
      readonly token?: string;
      readonly tokenEnv?: string;
    };

/** An agent's configuration of MCP servers: where it is, and what an entry looks like there. */
export interface ConnectForm {
  /** What `connect` calls the agent, where that is not its title. */
  readonly title?: string;
  /** Where the format is described. */
  readonly documentation: string;
  readonly format: FormatName;
  /** The keys to the map of servers. */
  readonly keys: readonly string[];
  /** The servers are a list of maps with a `name`. */
  readonly inList?: boolean;
  /** The user's file: the first one that exists, else the first one. */
  readonly user?: ByPlatform<readonly UserPath[]>;
  /** A variable that moves the user's file: to a folder that contains `file`, or to the file that it names. */
  readonly movedBy?: readonly [variable: string, file?: string];
  /** The file of a project: the first one that exists, else the first one. */
  readonly project?: readonly string[];
  /** The agent is installed if one of these folders or programs exists. */
  readonly folders: ByPlatform<readonly UserPath[]>;
  readonly programs: readonly string[];
  /** It starts `npx` by itself on Windows, where that is no program but a script. */
  readonly startsScripts?: boolean;
  readonly local: (command: string, args: readonly string[]) => ConfigEntry;
  /** Undefined if a file cannot connect it over HTTP. */
  readonly remote: ((url: string, headers: Readonly<{ headers?: ConfigEntry }>) => ConfigEntry) | undefined;
  /**
   * How an entry names the environment variable that contains a bearer token: in the value of the header `Authorization`, or as
   * a setting of its own. Absent where the agent is not known to read a variable there.
   */
  readonly tokenEnv?: { readonly header: (variable: string) => string } | { readonly setting: string };
  /** What else a new file needs. */
  readonly newFile?: string;
  /** Why an entry has keys that do not say how to reach the server, by key. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A command that writes the user's entry: the agent's own if that can, else that of skills-mcp, which `ours` starts. */
  readonly add?: (connection: ServerConnection, ours: string) => string;
  /** What to do next. */
  readonly next: string;
  /** What to do next in a project, where it is something else. */
  readonly nextInProject?: string;
}

/** An agent that `connect` can write to. */
export interface ConnectTarget extends ConnectForm {
  readonly id: string;
  readonly title: string;
}
