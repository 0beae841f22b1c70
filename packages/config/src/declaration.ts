import type { ValueOf, ValueType } from "./value-type.ts";

/** Everything that there is to say about one setting. Optional parts say the least that is safe when they are absent. */
export interface Declaration<T extends ValueType = ValueType> extends FlagDeclaration {
  readonly type: T;
  /** Absent: the setting is not set, and who uses it decides. */
  readonly default?: ValueOf<T>;
  /** How `config` shows that nothing is set, if not as "(not set)" or "(none)". */
  readonly unset?: string;
  /** True: a running HTTP server uses a changed value. Otherwise it counts after a restart. */
  readonly live?: true;
  /** What counts of a value in the config.yaml of a library. Absent: a library may not set it. */
  readonly library?: LibraryRule;
  /** True: the .skills-mcp.yaml of a project may set it. It may narrow and add, and never run or send anything. */
  readonly project?: true;
  readonly environment?: EnvironmentVariable;
  /** The setting of the same section that must not be true as well. */
  readonly contradicts?: string;
  /** True: messages do not repeat a wrong value. */
  readonly secret?: true;
  /** What `config` shows of a text that may contain a password. */
  readonly shown?: (text: string) => string;
}

/**
 * The flag for a setting; there is none when it is absent. Its kind follows from the type: a switch for a setting that is true
 * by default turns it off. What is in a file counts where the flag is not written, unless a variable sets it too: that comes
 * between them.
 */
interface FlagDeclaration {
  /** As in `--port <port>`. */
  readonly flag?: string;
  /** The commands that take it, by their group of flags in packages/cli. */
  readonly of?: FlagGroup;
  readonly help?: string;
  /** If its values are not those in a file. For a boolean: a choice of the words for true and false. */
  readonly flagType?: ValueType;
}

/**
 * view: commands that read skills; client: also `doctor --client`; tools, refresh: servers; http: servers over HTTP; transport:
 * servers on a transport of choice.
 */
export type FlagGroup = "view" | "client" | "tools" | "refresh" | "http" | "transport";

/** What a library may decide about the machine that serves it. SKILLS_TRUST_CONFIG=1 trusts it with everything else. */
export interface LibraryRule {
  /** True: of several libraries the tightest value counts, not the first. */
  readonly tightens?: true;
  /** The part of a value that counts; undefined: none of it. All of it unless given. */
  readonly accept?: (value: unknown) => unknown;
  /** True: nothing but what `accept` leaves counts, also for a trusted library. */
  readonly evenTrusted?: true;
  /** True: it does not count from git, where anyone with push access writes the file. */
  readonly notFromGit?: true;
}

/** An environment variable that sets a setting, over every file. */
interface EnvironmentVariable {
  readonly variable: string;
  /** Reads what the type alone does not describe; `wrong` is the whole message. */
  readonly read?: (text: string) => { readonly value: unknown } | { readonly wrong: string };
  /** The setting of the same section that the variable sets to true as well. */
  readonly turnsOn?: string;
  /** Follows the message about a wrong value. */
  readonly advice?: string;
}

/** Checks a declaration, and keeps what it says for the types that are made of it. */
export function setting<const T extends ValueType, const D extends Omit<Declaration<T>, "type">>(
  type: T,
  declared: D,
): D & { readonly type: T } {
  return { ...declared, type };
}
