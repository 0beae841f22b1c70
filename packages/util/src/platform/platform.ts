import type { FSWatcher } from "node:fs";

/** What differs from one system to another. Each has a file beside this one; this-platform.ts chooses. */
export interface Platform {
  readonly name: NodeJS.Platform;
  /** Where an administrator says what holds for everyone. A fixed place, because a variable could lead elsewhere. */
  readonly policyFolder: string;
  readonly files: PlatformFiles;
  readonly watching: PlatformWatching;
  readonly processes: PlatformProcesses;
  readonly programs: PlatformPrograms;
  /** What isolates scripts; undefined where nothing does. */
  readonly sandbox: "bubblewrap" | "seatbelt" | undefined;
}

interface PlatformFiles {
  /** Whether its usual disks take `Pdf` and `pdf` for one name. */
  readonly foldCase: boolean;
  /** Whether a file may be called `aux` or `a.`, or have a colon in its name. */
  readonly takeAnyName: boolean;
  /** Whether the mode of a file says who may read it. */
  readonly haveModes: boolean;
  /** Whether a change in a folder changes the times of the folder. */
  readonly foldersHaveTimes: boolean;
  /** Whether anybody may make a link to a file. */
  readonly linkFreely: boolean;
  /** A link that says where an open file lies; undefined where none does. */
  readonly linkOfOpen: (descriptor: number) => string | undefined;
  /** Makes a link to a folder at `at`, which will lie at `target` in the end. */
  linkFolder(at: string, to: string, target: string): Promise<void>;
  /**
   * Renames a folder. Where a program that looks at it prevents that, this waits for a moment, and then is a `Refusal` that
   * says what to do; otherwise it throws the system's error.
   */
  rename(from: string, to: string): void;
}

interface PlatformWatching {
  /** Whether one watch of a folder reports everything below it. */
  readonly isRecursive: boolean;
  /** Whether every change is reported, so that silence means that nothing has changed. */
  readonly isCertain: boolean;
  /** With `isTree`, everything below the folder is reported too. Throws the system's error. */
  watch(folder: string, isTree: boolean): FSWatcher;
  /** Whether the file system of a folder reports what changes in it. */
  isReported(folder: string): boolean;
}

interface PlatformProcesses {
  /** Whether processes have groups, which one signal reaches. */
  readonly haveGroups: boolean;
  /** Whether SIGHUP asks a server to read its settings again. */
  readonly hangUpReloads: boolean;
  /** When a running process began, as digits; "0" if that is unknown, undefined if it has ended. */
  startOf(pid: number): string | undefined;
  /** Signals a process that leads a group, and all that it started. Returns whether there was such a group. */
  signalGroup(leader: number, signal: NodeJS.Signals): boolean;
  /** Tells this start of the machine from others; "" if that is unknown. */
  boot(): string;
  /** Tells this machine and, in a container, its processes from others. */
  machine(): string;
  /** Descriptors that were open when this program started, and that every program it starts would get. */
  inherited(): readonly number[];
}

/** What `spawn` gets. */
export interface ProgramStart {
  readonly command: string;
  readonly args: readonly string[];
  /** Whether the arguments are quoted already. */
  readonly isVerbatim?: true;
}

interface PlatformPrograms {
  /** How to start a program that a user names as in a terminal. A `Refusal` if it cannot get these arguments. */
  invocation(command: string, args: readonly string[], environment: NodeJS.ProcessEnv): ProgramStart;
  /** The programs that run what a name stands for, best first; each with its first arguments. */
  interpreters(name: string, environment: NodeJS.ProcessEnv): readonly (readonly [string, ...string[]])[];
  /** Whether an interpreter is what its name says, and not something that only has the name. May start it. */
  isReal(name: string, command: readonly [string, ...string[]]): boolean;
  /** What the names of programs end with that a folder of PATH may contain, when a user asks for one. */
  endings(environment: NodeJS.ProcessEnv): readonly string[];
  /** Endings of programs that start without a shell. */
  readonly plainEndings: readonly string[];
  /** The file that `npm install --global` makes for a command. */
  npmFile(command: string): string;
  /** The variable that names the folder for temporary files. */
  readonly temporaryVariable: string;
  /** Whether git has the path of its certificates in the settings of the system. */
  readonly gitNeedsSystemSettings: boolean;
  /** Variables without which no program starts. None is secret. */
  readonly needed: RegExp | undefined;
  /** A machine that is two systems at once: which one this program belongs to, for people. */
  otherSide(): string | undefined;
  /** The commands that open an address in the user's browser, best first. */
  browsers(address: string): readonly (readonly [string, ...string[]])[];
}
