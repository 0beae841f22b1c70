import { writeSync } from "node:fs";
import path from "node:path";
import { VERSION } from "#util";
import type { Bundle } from "../command.ts";
import type { FoundCommand } from "../find-command.ts";
import type { main } from "../main.ts";
import type { EarlyStart } from "./answer-early.ts";
import { loadBundle } from "./load-bundle.ts";

/** Set by the build: the bundle of each command, by its names. */
declare const COMMAND_BUNDLES: Readonly<Record<string, Bundle>>;

/** What Node runs first, as dist/cli.js: CommonJS, and small enough to be compiled anew each time. */
async function start(args: readonly string[]): Promise<void> {
  // On a terminal there is no client to serve, so that a person gets the state instead.
  const [first = args.length === 0 && process.getBuiltinModule("node:tty").isatty(0) ? "status" : ""] = args;
  if (first === "--version" || first === "-v" || first === "-V") {
    printVersion();
    return;
  }
  // An agent waits for it before every prompt. It ends before optimised code is of use, and its end would wait for the compiler.
  if (first === "hook" && args[1] === "run" && /^[a-z]/.test(args[2] ?? "") && !args.includes("--help")) {
    loadBundle(path.join(__dirname, "hook.js"), "hook", "--no-opt");
    return;
  }
  const { name, rest } = first.startsWith("-")
    ? await afterFlags(args)
    : { name: first, rest: args.slice(1) };
  const command = name === "help" ? rest.find((word) => !word.startsWith("-")) : name;
  const bundle = bundleOf(command);
  if (bundle !== "server") {
    runBundle(bundle, bundle);
    return;
  }
  const transport = command === "serve" || servesHttp(rest) ? "http" : "stdio";
  const { answerEarly } = await import("./answer-early.ts");
  runBundle(bundle, transport, await answerEarly(name === "" ? undefined : name, rest));
}

/** Each bundle is a build of ../main.ts. `use` names the code that V8 caches of it. */
function runBundle(bundle: Bundle, use: string, early?: EarlyStart): void {
  const loaded = loadBundle(path.join(__dirname, `${bundle}.js`), use) as { readonly main: typeof main };
  loaded.main(early);
}

/** Flags alone belong to `mcp`, the default. Any bundle reports a command that does not exist. */
function bundleOf(command: string | undefined): Bundle {
  if (command === undefined || command === "") return "server";
  return (Object.hasOwn(COMMAND_BUNDLES, command) ? COMMAND_BUNDLES[command] : undefined) ?? "commands";
}

/**
 * The command may follow flags, and only the flags themselves tell which words are their values. A bundle that nearly every
 * such start needs anyway knows them.
 */
async function afterFlags(args: readonly string[]): Promise<FoundCommand> {
  const { findCommand } = await import("./answer-early.ts");
  return findCommand(args, new Set([...Object.keys(COMMAND_BUNDLES), "help"]));
}

function servesHttp(args: readonly string[]): boolean {
  return args.some((arg) => /^(?:--transport=)?(?:http|sse)$/.test(arg));
}

/** Written directly: setting up `process.stdout` takes longer than everything else here. */
function printVersion(): void {
  try {
    writeSync(1, `${VERSION}\n`);
  } catch {
    process.exitCode = 1;
  }
}

void start(process.argv.slice(2));
