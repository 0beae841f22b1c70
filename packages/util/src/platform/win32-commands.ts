import { readFileSync, statSync } from "node:fs";
// Also where a test runs on another system.
import { win32 as path } from "node:path";
import { Refusal } from "../pure/refusal.ts";
import type { ProgramStart } from "./platform.ts";

interface FileTexts {
  isFile(file: string): boolean;
  read(file: string): string;
}

const REAL_DISK: FileTexts = {
  isFile: (file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true,
  read: (file) => readFileSync(file, "utf8"),
};

/** Not a name alone: Windows would look for that in the working folder, which a client chooses. */
const NOWHERE = "\\\\?\\not-in-PATH";

/**
 * How a user's program is started. npm installs programs as batch files, which only a shell runs. A shell reads quotes and `%` in
 * arguments and ends them at a line break, so the program that such a file names is started itself, and other batch files get
 * no argument that a shell would read.
 */
export function windowsInvocation(
  command: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  disk: FileTexts = REAL_DISK,
): ProgramStart {
  const found = findCommand(command, environment, disk);
  if (found === undefined) return { command: path.join(NOWHERE, path.basename(command)), args };
  if (!/\.(?:cmd|bat)$/i.test(found)) return { command: found, args };
  return behindBatchFile(found, args, environment, disk) ?? byShell(found, args, environment);
}

/** The folders of PATH in order, and in each one the endings of PATHEXT in order. */
function findCommand(command: string, environment: NodeJS.ProcessEnv, disk: FileTexts): string | undefined {
  const endings = windowsEndings(environment);
  const isWhole = endings.includes(path.extname(command).toLowerCase());
  const names = isWhole ? [command] : endings.map((ending) => command + ending);
  const folders = /[\\/]/.test(command)
    ? [""]
    : (valueOf(environment, "PATH") ?? "").split(path.delimiter).filter(path.isAbsolute);
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(disk.isFile);
}

export function windowsEndings(environment: NodeJS.ProcessEnv): readonly string[] {
  const endings = (valueOf(environment, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").toLowerCase().split(";");
  // Windows starts no other kind without a program for it.
  return endings.filter((ending) => /^\.(?:com|exe|bat|cmd)$/.test(ending));
}

/** Windows ignores case in the names of variables, a copy of `process.env` does not. */
function valueOf(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  return Object.entries(environment).find(([key]) => key.toUpperCase() === name)?.[1];
}

const OWN_FOLDER = String.raw`%(?:~dp0|dp0%)\\?`;
const PROGRAM_LINE = new RegExp(String.raw`"${OWN_FOLDER}([^"%]+\.exe)"\s+%\*`, "i");
const SCRIPT_LINE = new RegExp(
  String.raw`(?:"%_prog%"|\bnode(?:\.exe)?)\s+((?:-[\w=./:-]+\s+)*)"${OWN_FOLDER}([^"%]+\.[cm]?js)"\s+%\*`,
  "i",
);

/** What npm and pnpm write into a batch file: a program beside it, or a script for Node. */
function behindBatchFile(
  file: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  disk: FileTexts,
): ProgramStart | undefined {
  const text = disk.read(file);
  const named = (target: string): string => path.join(path.dirname(file), target);
  const program = PROGRAM_LINE.exec(text)?.[1];
  if (program !== undefined && disk.isFile(named(program))) return { command: named(program), args };
  const [, options = "", script] = SCRIPT_LINE.exec(text) ?? [];
  const prog = /_prog=([^"\r\n]*)"/.exec(text)?.[1] ?? "node";
  if (script === undefined || !/(?:^|\\)node(?:\.exe)?$/i.test(prog) || !disk.isFile(named(script)))
    return undefined;
  const beside = named("node.exe");
  const node = disk.isFile(beside) ? beside : findCommand("node", environment, disk);
  const words = options.split(/\s+/).filter((word) => word !== "");
  return { command: node ?? process.execPath, args: [...words, named(script), ...args] };
}

/** Within quotes, a shell reads these, and a line break ends the command. */
const READ_BY_SHELL = /["%\r\n\0]/;

function byShell(file: string, args: readonly string[], environment: NodeJS.ProcessEnv): ProgramStart {
  const wrong = [file, ...args].find((word) => READ_BY_SHELL.test(word));
  if (wrong !== undefined)
    throw new Refusal(
      `${file} is a batch file, and no batch file gets ${JSON.stringify(wrong)} as it is: it has a quote, a percent sign or a line break. Name the program that it starts instead.`,
      { code: "bad-usage" },
    );
  // A backslash before the closing quote would make it a part of the word.
  const words = [file, ...args].map((word) => `"${word.replace(/\\+$/, "$&$&")}"`);
  return {
    command: valueOf(environment, "COMSPEC") ?? "cmd.exe",
    args: ["/d", "/s", "/c", `"${words.join(" ")}"`],
    isVerbatim: true,
  };
}
