import path from "node:path";
import { Refusal } from "../../skill/refusal.ts";
import { findProgram, isProgram } from "./find-program.ts";
import { interpreterOf, programPlaces } from "./program-places.ts";

export interface RunnerRequest {
  readonly label: string;
  /** A command and its arguments, as the configuration has them. */
  readonly runner: readonly string[];
  readonly file: string;
  readonly cwd: string;
  readonly searchPath: string;
  readonly homes: readonly string[];
  readonly platform: NodeJS.Platform;
  /** The Node that runs the server, for machines that have no other. */
  readonly node: string;
  readonly sandboxed: boolean;
}

export interface ResolvedRunner {
  /** The program by its absolute path, its arguments, and the script. */
  readonly command: readonly string[];
  /** What must be readable for it to start. */
  readonly places: readonly string[];
}

/** Options of npx that say nothing about what to run. */
const NPX_OPTIONS: ReadonlySet<string> = new Set(["-y", "--yes", "-q", "--quiet", "--no", "--no-install"]);

/** Finds the program that runs a script. What is installed goes before what npx would fetch from the network. */
export function resolveRunner(request: RunnerRequest): ResolvedRunner {
  const [name, ...args] = request.runner;
  if (name === undefined || name === "") {
    throw refuse(
      request,
      "no runner is configured for it. Name a program for its extension in scripts.runners.",
    );
  }
  if (!path.isAbsolute(name) && /[/\\]/.test(name)) {
    // Relative to what? The server's folder and the script's are different ones for every client.
    throw refuse(
      request,
      `the program ${JSON.stringify(name)} that should run it is a relative path, which is not taken. ` +
        "In scripts.runners, write its absolute path, or its name alone if its folder is in PATH.",
    );
  }
  if (name === "npx") {
    const tool = toolOfNpx(args);
    const installed = tool === undefined ? undefined : installedTool(request, tool.name);
    if (tool !== undefined && installed !== undefined) return startOf(request, installed, tool.args);
    if (request.sandboxed) throw refuseNpx(request, tool?.name);
  }
  const program = find(request, name);
  if (program === undefined) {
    throw refuse(
      request,
      `the program ${JSON.stringify(name)} that should run it is not in PATH. ` +
        "Install it, or name a program that is there in scripts.runners.",
    );
  }
  return startOf(request, program, args);
}

function find(request: RunnerRequest, name: string): string | undefined {
  return (
    findProgram(name, request.searchPath, request.platform) ?? (name === "node" ? request.node : undefined)
  );
}

/** Only a plain name: a version or another option asks for something that only npx can decide. */
function toolOfNpx(
  args: readonly string[],
): { readonly name: string; readonly args: readonly string[] } | undefined {
  const at = args.findIndex((arg) => !NPX_OPTIONS.has(arg));
  const name = args[at];
  return name !== undefined && /^[A-Za-z0-9_][\w.-]*$/.test(name)
    ? { name, args: args.slice(at + 1) }
    : undefined;
}

function installedTool(request: RunnerRequest, tool: string): string | undefined {
  const folders = [...selfAndParents(path.dirname(request.file)), ...selfAndParents(request.cwd)];
  const local = folders.map((folder) => path.join(folder, "node_modules", ".bin", tool)).find(isProgram);
  return local ?? findProgram(tool, request.searchPath, request.platform);
}

function selfAndParents(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...selfAndParents(parent)];
}

function startOf(request: RunnerRequest, program: string, args: readonly string[]): ResolvedRunner {
  const interpreter = interpreterOf(program);
  // Started by our hand rather than by the first line, a tool written for Node needs no Node in PATH.
  const node = find(request, "node");
  const byNode = interpreter === "node" && node !== undefined;
  const needed = [program, byNode ? node : findInterpreter(request, interpreter)];
  // A tool of Node may also be a shell script that starts Node.
  if (program.split(path.sep).includes("node_modules")) needed.push(node);
  return {
    command: [...(byNode ? [node] : []), program, ...args, request.file],
    places: needed.flatMap((file) => (file === undefined ? [] : programPlaces(file, request.homes))),
  };
}

function findInterpreter(request: RunnerRequest, interpreter: string | undefined): string | undefined {
  return interpreter === undefined ? undefined : find(request, interpreter);
}

function refuseNpx(request: RunnerRequest, tool: string | undefined): Refusal {
  const asked = request.runner.join(" ");
  if (tool === undefined) {
    return refuse(
      request,
      `${JSON.stringify(asked)} may fetch code from the network, which a script's sandbox does not have. ` +
        "Install what it runs, and name that program in scripts.runners.",
    );
  }
  return refuse(
    request,
    `${tool} is not installed, and ${JSON.stringify(asked)} cannot fetch it, because a script's sandbox has no network. ` +
      `Install it (npm install --global ${tool}), or name another program in scripts.runners.`,
  );
}

const refuse = (request: RunnerRequest, reason: string): Refusal =>
  new Refusal(`${request.label}: ${reason}`, { code: "library", reason: "no-runner" });
