import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { Refusal } from "../../skill/refusal.ts";
import { type ProcessEnd, runProcess } from "../process/run-process.ts";
import { findProgram } from "../scripts/programs.ts";
import { scriptEnvironment, searchPath } from "../scripts/script-environment.ts";
import { systemMounts } from "./mounts.ts";
import { createPrivateFolder, inTempFolder } from "./private-folder.ts";
import { launchIn, type SandboxLayer } from "./sandbox-layer.ts";

type UsedLayer = Exclude<SandboxLayer, { kind: "none" }>;

/** Tries what a sandbox must prevent. Uses shell built-ins only, so that nothing else can be missing. */
const CANARY = `
if (: < "$1") 2>/dev/null; then echo "it exposes the machine's files"; exit 1; fi
if [ ! -r "$2/readable" ]; then echo "it hides the script's folder"; exit 1; fi
if (: > "$2/written") 2>/dev/null; then echo "it lets a script change its folder"; exit 1; fi
if ! (: > "$TMPDIR/written") 2>/dev/null; then echo "it gives a script no writable folder"; exit 1; fi
if [ -r /proc/net/dev ]; then
  while read -r line; do
    case $line in Inter*|face*|lo:*) ;; *) echo "it allows network access"; exit 1 ;; esac
  done < /proc/net/dev
fi
echo proven
`;

const CANARY_LIMITS = {
  timeoutMs: 15_000,
  graceMs: 100,
  cancelGraceMs: 100,
  maxOutputBytes: 4096,
  floodBytes: 1024 ** 2,
};

/** Finds the best sandbox of this machine, and uses it only if a test run proves that it isolates. */
export async function probeSandbox(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
  signal: AbortSignal,
): Promise<SandboxLayer> {
  const find = (name: string): string | undefined => findProgram(name, searchPath(environment), platform);
  if (platform === "darwin") {
    const program = find("/usr/bin/sandbox-exec");
    if (program === undefined) return none("/usr/bin/sandbox-exec does not exist");
    return proven([{ kind: "seatbelt", program }], environment, signal);
  }
  if (platform !== "linux") return none(`none is available for ${platform}`);
  const program = find("bwrap");
  if (program === undefined) return none("bubblewrap (bwrap) is not installed");
  const sizes = (await help(program, environment, signal)).includes("--size ");
  const layer: UsedLayer = { kind: "bubblewrap", program, system: systemMounts(), sizes, prlimit: undefined };
  const prlimit = find("prlimit");
  // The sandbox matters more than the limits: where they do not work, it runs without.
  return proven(prlimit === undefined ? [layer] : [{ ...layer, prlimit }, layer], environment, signal);
}

async function proven(
  layers: readonly UsedLayer[],
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<SandboxLayer> {
  let failure = "";
  for (const layer of layers) {
    failure = await canary(layer, environment, signal).catch((error: unknown) => {
      // An unusable temp folder says nothing about the sandbox.
      if (error instanceof Refusal) throw error;
      return String(error);
    });
    if (failure === "") return layer;
  }
  return none(`${layers[0]?.kind ?? "it"} does not work here: ${failure}`);
}

/** Why the layer cannot be trusted; empty if it can. */
async function canary(
  layer: UsedLayer,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  const folder = await createPrivateFolder();
  const outside = await createPrivateFolder();
  try {
    const library = path.join(outside.path, "library");
    const secret = path.join(outside.path, "secret");
    await inTempFolder(async () => {
      await mkdir(library);
      await Promise.all([writeFile(path.join(library, "readable"), ""), writeFile(secret, "")]);
    });
    const launch = launchIn(layer, {
      command: ["/bin/sh", "-c", CANARY, "canary", secret, library],
      cwd: library,
      environment: scriptEnvironment(environment, folder, new Map(), process.platform),
      mounts: [{ path: library, access: "read" }],
      folder,
      cpuSeconds: 60,
    });
    const end = await runProcess(launch, CANARY_LIMITS, signal);
    if (end.why === "exit" && end.exitCode === 0 && end.stdout.text.trim() === "proven") return "";
    return firstLine(end);
  } finally {
    await Promise.all([folder.remove(), outside.remove()]);
  }
}

function firstLine(end: ProcessEnd): string {
  const line = `${end.stderr.text}\n${end.stdout.text}`.split("\n").find((text) => text.trim() !== "");
  return line?.trim() ?? `the probe ended with ${end.why === "exit" ? `exit code ${end.exitCode}` : end.why}`;
}

async function help(program: string, environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string> {
  const folder = await createPrivateFolder();
  try {
    const launch = launchIn(none("only its help is read"), {
      command: [program, "--help"],
      cwd: "/",
      environment: scriptEnvironment(environment, folder, new Map(), process.platform),
      mounts: [],
      folder,
      cpuSeconds: 60,
    });
    const end = await runProcess(launch, { ...CANARY_LIMITS, maxOutputBytes: 64 * 1024 }, signal);
    return `${end.stdout.text}${end.stderr.text}`;
  } finally {
    await folder.remove();
  }
}

const none = (reason: string): SandboxLayer => ({ kind: "none", reason });
