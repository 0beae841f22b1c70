import type { ConfigValues } from "#config";
import { type Library, type LibrarySkill, sha256Of } from "#skills";
import type { Usage } from "#usage";
import type { Log } from "#util";
import { defined, type LibraryReason, Refusal } from "#util/pure";
import { extensionOf } from "../matching/file-kinds.ts";
import { type FoundScript, findScript } from "../matching/skill-files.ts";
import type { ScriptRunner } from "../scripts/script-runner.ts";
import { openDeclaredScript } from "./declared-file-content.ts";
import { findLibrarySkill } from "./find-library-skill.ts";
import { refusePath } from "./get-asset.ts";
import { resolveWorkingFolder, type WorkingFolders } from "./working-folder.ts";

export interface ScriptRequest {
  readonly skillPath: string;
  readonly file: string;
  readonly args: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
}

export interface ScriptAnswer {
  readonly success: boolean;
  readonly exit_code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly duration_ms: number;
  readonly script: string;
  /** Present when the output was longer than scripts.max_output_bytes. */
  readonly stdout_truncated?: true;
  readonly stderr_truncated?: true;
  /** The sandbox it ran in: `bubblewrap`, `seatbelt` or `none`. */
  readonly sandbox: string;
  /** What to know about how it ran, such as that it ran without a sandbox. */
  readonly warning?: string;
  /** Of the bytes that ran, as `sha256:` and 64 digits. */
  readonly sha256: string;
}

/** The settings of scripts, with the network that is meant where nothing is set. */
type ScriptSettings = ConfigValues["scripts"] & {
  readonly network: NonNullable<ConfigValues["scripts"]["network"]>;
};

export interface RunScriptDeps {
  readonly config: ScriptSettings;
  readonly runner: () => Promise<ScriptRunner>;
  readonly folders: WorkingFolders;
  /** Absolute paths that no script may change. */
  readonly trusted: readonly string[];
  /** Refuses bytes of an approved skill's script that are not those that were approved. */
  readonly refuseUnapproved: (found: FoundScript, bytes: Uint8Array) => Promise<void>;
  /** Resolves when the caller may run one more, with a function to call when it has ended. */
  readonly enter: (label: string) => Promise<() => void>;
  readonly usage: Pick<Usage, "record">;
  readonly log: Log;
}

/** What comes with the call itself: how to cancel it, and who receives the output line by line. */
export interface ScriptCall {
  readonly signal?: AbortSignal;
  readonly onLine?: (line: string) => void;
}

/** Runs a script that a skill declares for the server. Clients rely on the order of the checks. */
export async function runScript(
  library: Library,
  request: ScriptRequest,
  { config, runner, folders, trusted, refuseUnapproved, enter, usage, log }: RunScriptDeps,
  { signal, onLine }: ScriptCall,
): Promise<ScriptAnswer> {
  const { file, args, cwd } = request;
  const { skill, found, script, command } = await resolveScript(library, request, config);
  if (found.skill.approved !== undefined) await refuseUnapproved(found, script.bytes);
  const resources = found.skill.resourceDir ?? found.skill.root;
  const place = await resolveWorkingFolder(cwd, resources, folders);

  const label = `${found.skill.path}: ${file}`;
  const run = {
    file: script.path,
    content: script.bytes,
    root: found.skill.root,
    label,
    folders: [resources],
    cwd: place.folder,
    cwdWritable: place.writable,
    trusted,
    runner: command.split(/\s+/).filter((part) => part !== ""),
    args: { ...defaultsOf(found), ...args },
    timeoutMs: config.timeout_seconds * 1000,
    maxOutputBytes: config.max_output_bytes,
    network: config.network === "on" || (config.network === "declared" && found.declaration.network === true),
    ...defined({ signal, onLine }),
  };
  const outcome = await runEntered(runner, run, await enter(label));
  const { success, exitCode, durationMs, sandbox } = outcome;
  const isOffline = sandbox !== "none" && !run.network;
  const offline = success || !isOffline ? undefined : whyOffline(found, config);
  const warning = [outcome.warning, offline].filter((text) => text !== undefined).join(" ") || undefined;
  const bounds =
    sandbox === "none" ? "without a sandbox" : `in ${sandbox}${run.network ? " with the network" : ""}`;
  log.info(`script: ${label} ran ${bounds}, exit code ${exitCode}, ${durationMs} ms`);
  usage.record("script_executed", {
    skill_path: skill.path,
    file,
    execution_mode: found.declaration.execution,
    success,
    exit_code: exitCode,
    duration_ms: durationMs,
    args_provided: Object.keys(args),
  });
  return {
    success,
    exit_code: exitCode,
    stdout: outcome.stdout,
    stderr: outcome.stderr,
    duration_ms: durationMs,
    script: file,
    ...(outcome.stdoutCut ? { stdout_truncated: true } : {}),
    ...(outcome.stderrCut ? { stderr_truncated: true } : {}),
    sandbox,
    ...defined({ warning }),
    sha256: sha256Of(script.bytes),
  };
}

/** For a script that failed without the network: that it had none, and how to give it one. */
function whyOffline({ skill, declaration }: FoundScript, { network }: ScriptSettings): string {
  const operator = "the operator sets scripts.network to declared in ~/.skills-mcp/config.yaml";
  if (declaration.network === true)
    return `This script ran without a network, although it declares \`network: true\`: scripts.network is off. It has one if ${operator}.`;
  const too = network === "off" ? `, and ${operator}` : "";
  return `This script ran without a network; declare \`network: true\` for it in ${skill.filePath} if it needs one${too}.`;
}

async function runEntered(
  runner: RunScriptDeps["runner"],
  run: Parameters<ScriptRunner["run"]>[0],
  leave: () => void,
): ReturnType<ScriptRunner["run"]> {
  try {
    return await (await runner()).run(run);
  } finally {
    leave();
  }
}

async function resolveScript(
  library: Library,
  { skillPath, file, args }: ScriptRequest,
  config: RunScriptDeps["config"],
) {
  if (!config.enabled) {
    throw refusal("scripts-disabled", "Script execution is disabled globally (scripts.enabled is false).");
  }
  const skill = findLibrarySkill(library, skillPath);
  refusePath(file);
  const found = declaredScript(library, skill, file);
  requireArguments(found, args);
  const extension = extensionOf(file);
  if (!config.allowed_extensions.includes(extension)) {
    throw refusal(
      "extension",
      `The extension "${extension}" of "${file}" is not allowed. ${allowedNow(config.allowed_extensions)} (scripts.allowed_extensions).`,
    );
  }
  const script = await openDeclaredScript(found);
  const command = Object.hasOwn(config.runners, extension) ? config.runners[extension] : undefined;
  if (command === undefined) {
    throw refusal("no-runner", `No runner is configured for "${extension}" (scripts.runners).`);
  }
  return { skill, found, script, command };
}

function allowedNow(extensions: readonly string[]): string {
  return extensions.length === 0 ? "No extension is allowed" : `Allowed: ${extensions.join(", ")}`;
}

function declaredScript(library: Library, skill: LibrarySkill, file: string): FoundScript {
  const found = findScript(library, skill, file);
  if (found === undefined) {
    throw refusal(
      "not-declared",
      `Script not declared: "${file}" is not among the scripts of "${skill.path}" or its parents. get_skill lists them.`,
    );
  }
  if (found.declaration.execution === "server") return found;
  throw refusal(
    "not-for-server",
    `Script "${file}" has execution "${found.declaration.execution}", so the server does not run it. Fetch it with get_asset and run it yourself with bash.`,
  );
}

function requireArguments({ declaration }: FoundScript, args: Readonly<Record<string, string>>): void {
  const missing = declaration.args.filter(
    (arg) => arg.required && arg.default === undefined && !Object.hasOwn(args, arg.name),
  );
  if (missing.length === 0) return;
  const listed = missing.map(({ name, description }) =>
    description === "" ? name : `${name} (${description})`,
  );
  throw refusal("missing-arguments", `Missing required arguments: ${listed.join(", ")}.`);
}

/** The values that the script's author gives to arguments which a caller leaves out. */
function defaultsOf({ declaration }: FoundScript): Readonly<Record<string, string>> {
  return Object.fromEntries(
    declaration.args.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]])),
  );
}

function refusal(reason: LibraryReason, message: string): Refusal {
  return new Refusal(message, { code: "library", reason });
}
