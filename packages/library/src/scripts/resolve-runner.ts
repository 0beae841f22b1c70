import path from "node:path";
import type { Platform } from "#util";
import { Refusal } from "#util/pure";
import type { TypescriptArguments } from "../typescript/typescript-arguments.ts";
import { programPlaces, visiblePath } from "./program-places.ts";
import { findProgram, interpreterOf, isIn, type ProgramSearch } from "./programs.ts";

export interface RunnerRequest extends ProgramSearch {
  readonly label: string;
  /** A command and its arguments, as the configuration has them. */
  readonly runner: readonly string[];
  readonly file: string;
  readonly homes: readonly string[];
  /** The Node that runs the server, for machines that have no other. */
  readonly node: string;
  /** How that Node runs TypeScript: its arguments, and a file of ours that it loads; undefined if it cannot. */
  readonly typescript: () => TypescriptArguments | undefined;
  readonly sandboxed: boolean;
  /** Whether something can be downloaded in the sandbox. */
  readonly network: boolean;
  readonly environment: NodeJS.ProcessEnv;
  /** Whether an interpreter is what its name says. */
  readonly isReal: Platform["programs"]["isReal"];
}

/** Options of npx that do not affect what it runs. */
const NPX_OPTIONS: ReadonlySet<string> = new Set(["-y", "--yes", "-q", "--quiet", "--no", "--no-install"]);

/**
 * Finds the program that runs a script: its command with the script's path, and the places it must be able to read. An
 * installed tool takes precedence over one that npx would download, and so does the server's own Node for TypeScript.
 */
export function resolveRunner(request: RunnerRequest) {
  const [name, ...args] = request.runner;
  if (name === undefined || name === "") {
    throw refuse(
      request,
      "no runner is configured for it. Set a program for its extension in scripts.runners.",
    );
  }
  if (!path.isAbsolute(name) && /[/\\]/.test(name)) {
    // The working folder of the server and of the script differ for every client.
    throw refuse(
      request,
      `its runner ${JSON.stringify(name)} is a relative path. ` +
        "In scripts.runners, set an absolute path, or the name alone if its folder is in PATH.",
    );
  }
  if (name === "npx") {
    const tool = toolOfNpx(args);
    const installed = tool === undefined ? undefined : findProgram(tool.name, request);
    if (tool !== undefined && installed !== undefined) return commandFor(request, installed, tool.args);
    const own = tool?.name === "tsx" ? typescriptCommand(request, tool.args) : undefined;
    if (own !== undefined) return own;
    if (request.sandboxed && !request.network) throw refuseNpx(request, tool?.name);
  }
  const { programs } = request.platform;
  let pretender: string | undefined;
  for (const [candidate, ...first] of programs.interpreters(name, request.environment)) {
    const program = find(request, candidate);
    if (program === undefined) continue;
    if (request.isReal(name, [program, ...first])) return commandFor(request, program, [...first, ...args]);
    pretender ??= program;
  }
  throw refuse(
    request,
    (pretender === undefined
      ? `its runner ${JSON.stringify(name)} is not in PATH. `
      : `its runner ${JSON.stringify(name)} is not installed: ${pretender} is not what its name says, but what opens the shop of Windows or starts WSL. `) +
      "Install it, or set an installed program in scripts.runners.",
  );
}

function find(request: RunnerRequest, name: string): string | undefined {
  return findProgram(name, request) ?? (name === "node" ? request.node : undefined);
}

/** Only a plain name: npx alone can resolve a version or another option. */
function toolOfNpx(
  args: readonly string[],
): { readonly name: string; readonly args: readonly string[] } | undefined {
  const at = args.findIndex((arg) => !NPX_OPTIONS.has(arg));
  const name = args[at];
  return name !== undefined && /^[A-Za-z0-9_][\w.-]*$/.test(name)
    ? { name, args: args.slice(at + 1) }
    : undefined;
}

/** TypeScript without tsx. Always the server's own Node, whose abilities are known. */
function typescriptCommand(request: RunnerRequest, args: readonly string[]) {
  const { node, file } = request;
  const typescript = /\.[cm]?ts$/i.test(file) ? request.typescript() : undefined;
  if (typescript === undefined) return undefined;
  return {
    command: [node, ...typescript.args, ...args, file],
    places: [...programPlaces(node, request), ...(typescript.file === undefined ? [] : [typescript.file])],
  };
}

function commandFor(request: RunnerRequest, program: string, args: readonly string[]) {
  // What content says about itself decides nothing.
  const interpreter = isIn(request.content, program) ? undefined : interpreterOf(program);
  // Started through our Node instead of its first line, a tool for Node needs no Node in PATH.
  const node = find(request, "node");
  const byNode = interpreter === "node" && node !== undefined;
  const needed = [program, byNode ? node : interpreter && find(request, interpreter)];
  // A tool of Node may also be a shell script that starts Node.
  if (program.split(path.sep).includes("node_modules")) needed.push(node);
  const places = [...new Set(needed.flatMap((file) => (file ? programPlaces(file, request) : [])))];
  const start = [...(byNode ? [node] : []), program];
  return {
    command: [
      ...(request.sandboxed ? start.map((file) => visiblePath(file, places)) : start),
      ...args,
      request.file,
    ],
    places,
  };
}

function refuseNpx(request: RunnerRequest, tool: string | undefined): Refusal {
  const asked = request.runner.join(" ");
  if (tool === undefined) {
    return refuse(
      request,
      `${JSON.stringify(asked)} may download code, but the sandbox has no network. ` +
        "Install what it runs, and set that program in scripts.runners.",
    );
  }
  return refuse(
    request,
    `${tool} is not installed, and ${JSON.stringify(asked)} cannot download it because the sandbox has no network. ` +
      `Install it (npm install --global ${tool}), or set another program in scripts.runners.`,
  );
}

const refuse = (request: RunnerRequest, reason: string): Refusal =>
  new Refusal(`${request.label}: ${reason}`, { code: "library", reason: "no-runner" });
