import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { cp, mkdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { describeError, ownPackage, platform, VERSION } from "#util";
import { commandText, Refusal } from "#util/pure";

/** The paths of Node and of dist/cli.js. */
export interface Program {
  readonly node: string;
  readonly script: string;
}

/** A program that a configuration can name for a long time. */
interface KeptProgram {
  readonly program: Program;
  /** Where this program is copied to first; undefined where it stays where it is. False: the copy was there already. */
  readonly copy: { readonly folder: string; readonly make: () => Promise<boolean> } | undefined;
}

/** Folders that package runners empty when they like: npx, pnpm dlx and bunx. */
const TEMPORARY = /[\\/](?:_npx|dlx(?:-[^\\/]*)?|bunx-[^\\/]*)[\\/]/;

/** The program that is running: what `connect` and hooks write, and what people are told to type, starts this one and no other. */
export function ownProgram(folder = ownPackage().folder) {
  const program: Program = {
    node: lastingNode(process.execPath),
    script: realOrGiven(path.join(folder, "dist", "cli.js")),
  };
  return {
    /** What starts it anywhere, whatever PATH is. */
    command: [program.node, program.script] as readonly string[],
    /** What starts it on a terminal. */
    shown: isInPath(program.script) ? "skills-mcp" : commandText([], ["node", program.script]),
    /** A copy below our own folder if this one may be removed at any time. */
    kept(ownFolder: string): KeptProgram {
      if (!TEMPORARY.test(program.script)) return { program, copy: undefined };
      const to = path.join(ownFolder, "bin", VERSION);
      const script = path.join(to, "dist", "cli.js");
      return { program: { ...program, script }, copy: { folder: to, make: () => copyTo(to, folder) } };
    },
  };
}

/** Homebrew removes the folder of a version when it installs the next one; its link stays. */
function lastingNode(node: string): string {
  const [, prefix = "", formula = ""] = /^(.*)\/Cellar\/([^/]+)\/[^/]+\/bin\/node$/.exec(node) ?? [];
  const link = `${prefix}/opt/${formula}/bin/node`;
  return formula !== "" && realOrGiven(link) === realOrGiven(node) ? link : node;
}

function realOrGiven(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
}

/** Whether a shell that is told `skills-mcp` starts this script: the first one in PATH counts. */
function isInPath(script: string): boolean {
  const folders = (process.env["PATH"] ?? process.env["Path"] ?? "").split(path.delimiter);
  // npm and npx add these for the time that they run.
  const lasting = folders.filter(
    (folder) => path.isAbsolute(folder) && !/node_modules[\\/]\.bin[\\/]?$/.test(folder),
  );
  const name = platform.programs.npmFile("skills-mcp");
  const found = lasting.map((folder) => path.join(folder, name)).find(isProgram);
  return found !== undefined && startedBy(found) === script;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The script behind a command that npm installed: a link, or on Windows a file that names it. */
function startedBy(file: string): string {
  if (!file.endsWith(".cmd")) return realOrGiven(file);
  const [, script = ""] = /"%dp0%\\([^"]+\.js)"/.exec(readFileSync(file, "utf8")) ?? [];
  return realOrGiven(path.join(path.dirname(file), script));
}

/** Copies a package, whole or not at all. One that is there already and has the same start script is the same build. */
async function copyTo(to: string, folder: string): Promise<boolean> {
  const [here, there] = await Promise.all(
    [folder, to].map((at) => readFile(path.join(at, "dist", "cli.js")).catch(() => undefined)),
  );
  if (here !== undefined && there?.equals(here) === true) return false;
  const staged = `${to}.${process.pid}`;
  const old = `${staged}.old`;
  try {
    await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
    const isOurs = (file: string): boolean => path.relative(folder, file) !== "node_modules";
    await cp(folder, staged, { recursive: true, filter: isOurs });
    await rename(to, old).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    await rename(staged, to).catch(async (error: unknown) => {
      await rename(old, to).catch(() => undefined);
      throw error;
    });
    return true;
  } catch (error) {
    const reason = `This program is in a cache that may be emptied, and cannot be copied to ${to}: ${describeError(error)}.`;
    throw new Refusal(reason, { code: "cannot-connect" }, { cause: error });
  } finally {
    await Promise.allSettled([staged, old].map((each) => rm(each, { recursive: true, force: true })));
  }
}
