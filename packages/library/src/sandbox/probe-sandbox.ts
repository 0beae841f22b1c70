import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import type { Platform } from "#util";
import { Refusal } from "#util/pure";
import { type ProcessEnd, runProcess } from "../process/run-process.ts";
import { findProgram, realPath } from "../scripts/programs.ts";
import { scriptEnvironment, searchPath } from "../scripts/script-environment.ts";
import { systemMounts } from "./mounts.ts";
import { createPrivateFolder, inTempFolder } from "./private-folder.ts";
import { type BubblewrapLayer, launchIn, type SandboxLayer } from "./sandbox-layer.ts";
import { selectedXcode } from "./seatbelt.ts";
import { seccompProgram } from "./seccomp.ts";

type UsedLayer = Exclude<SandboxLayer, { kind: "none" }>;

/**
 * Tries what a sandbox must prevent. Uses shell built-ins, so that nothing else can be missing, and where there is no `/proc`, what
 * every Mac has: its bash and its nc reach the port of the server, unless they are kept from it.
 */
export const CANARY = `
if [ ! -r /proc/net/dev ]; then
  if /bin/bash -c ': <> "/dev/tcp/127.0.0.1/$0"' "$3" 2>/dev/null || nc -z -w 2 127.0.0.1 "$3" >/dev/null 2>&1; then
    echo "it allows network access"; exit 1
  fi
fi
if (: < "$1") 2>/dev/null; then echo "it exposes the machine's files"; exit 1; fi
if [ ! -r "$2/readable" ]; then echo "it hides the script's folder"; exit 1; fi
if (: > "$2/written") 2>/dev/null; then echo "it lets a script change its folder"; exit 1; fi
if ! (: > "$TMPDIR/written") 2>/dev/null; then echo "it gives a script no writable folder"; exit 1; fi
if [ -r /proc/net/dev ]; then
  while read -r line; do
    case $line in Inter*|face*|lo:*) ;; *) echo "it allows network access"; exit 1 ;; esac
  done < /proc/net/dev
fi
if (: > /proc/sys/kernel/core_pattern) 2>/dev/null; then echo "it lets a script change the machine's settings"; exit 1; fi
echo proven
`;

const CANARY_LIMITS = {
  timeoutMs: 15_000,
  graceMs: 100,
  cancelGraceMs: 100,
  maxOutputBytes: 4096,
};

/** What is known of the machine before the first probe. */
export interface Machine {
  readonly environment: NodeJS.ProcessEnv;
  readonly platform: Platform;
  /** Folders whose content others write: no program of theirs is the sandbox. */
  readonly content: readonly string[];
  readonly inherited: readonly number[];
  /** Whether an interpreter is what its name says; asked of the system once for each. */
  readonly isReal: Platform["programs"]["isReal"];
}

/** Finds the best sandbox of this machine, and uses it only if a test run proves that it isolates. */
export async function probeSandbox(machine: Machine, signal: AbortSignal): Promise<SandboxLayer> {
  const { platform } = machine;
  const find = createFinder(machine);
  if (platform.sandbox === "seatbelt") {
    const program = find("/usr/bin/sandbox-exec");
    if (program === undefined) return none("/usr/bin/sandbox-exec does not exist");
    const developer = selectedXcode(realPath("/private/var/db/xcode_select_link"));
    return proven([{ kind: "seatbelt", program, developer }], machine, signal);
  }
  if (platform.sandbox === undefined) return none(`none is available for ${platform.name}`);
  const program = find("bwrap");
  if (program === undefined)
    return { ...none("bubblewrap (bwrap) is not installed", INSTALL), ...markWith(machine) };
  const options = await help(program, machine, signal);
  const layer: BubblewrapLayer = {
    kind: "bubblewrap",
    program,
    system: systemMounts(),
    sizes: options.includes("--size "),
    bindsDescriptors: options.includes("--ro-bind-fd "),
    disablesUsers: options.includes("--disable-userns "),
    seccomp: options.includes("--seccomp ") ? seccompProgram(process.arch) : undefined,
    prlimit: find("prlimit"),
  };
  const found = await proven(weaker(layer), machine, signal);
  return found.kind === "none" ? { ...found, ...markWith(machine) } : found;
}

/** How the processes of a script are marked where no sandbox holds them together. */
export function markWith(machine: Machine): { readonly prlimit?: string } {
  const prlimit = machine.platform.sandbox === "bubblewrap" ? createFinder(machine)("prlimit") : undefined;
  // A limit can be lowered but not raised.
  return prlimit !== undefined && hasNoLockLimit() ? { prlimit } : {};
}

function hasNoLockLimit(): boolean {
  try {
    return /^Max file locks\s+\S+\s+unlimited/m.test(readFileSync("/proc/self/limits", "utf8"));
  } catch {
    return false;
  }
}

const createFinder =
  ({ environment, platform, content }: Machine) =>
  (name: string): string | undefined =>
    findProgram(name, { searchPath: searchPath(environment), platform, content });

/** The sandbox matters more than what hardens it: where a part does not work, it runs without that one, then without any. */
function weaker(layer: BubblewrapLayer): readonly BubblewrapLayer[] {
  const without = [
    { disablesUsers: false },
    { prlimit: undefined },
    { seccomp: undefined },
    { disablesUsers: false, prlimit: undefined, seccomp: undefined },
  ].map((less) => ({ ...layer, ...less }));
  return [layer, ...without];
}

async function proven(
  layers: readonly UsedLayer[],
  machine: Machine,
  signal: AbortSignal,
): Promise<SandboxLayer> {
  let failure = "";
  let first = "";
  for (const layer of layers) {
    failure = await canary(layer, machine, signal).catch((error: unknown) => {
      // An unusable temp folder says nothing about the sandbox.
      if (error instanceof Refusal) throw error;
      return String(error);
    });
    if (failure === "") return layer;
    first = first === "" ? failure : first;
  }
  return none(
    `${layers[0]?.kind ?? "it"} does not work here: ${first}`,
    layers[0]?.kind === "bubblewrap" ? ALLOW : "",
  );
}

/** Why the layer cannot be trusted; empty if it can. */
async function canary(
  layer: UsedLayer,
  { environment, platform, inherited }: Machine,
  signal: AbortSignal,
): Promise<string> {
  const folder = await createPrivateFolder(layer.kind === "bubblewrap" ? { seccomp: layer.seccomp } : {});
  const outside = await createPrivateFolder();
  const reachable = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  try {
    await once(reachable, "listening");
    const { port } = reachable.address() as AddressInfo;
    const library = path.join(outside.path, "library");
    const secret = path.join(outside.path, "secret");
    await inTempFolder(async () => {
      await mkdir(library);
      await Promise.all([writeFile(path.join(library, "readable"), ""), writeFile(secret, "")]);
    });
    const launch = launchIn(layer, {
      command: ["/bin/sh", "-c", CANARY, "canary", secret, library, String(port)],
      cwd: library,
      environment: scriptEnvironment(environment, folder, new Map(), platform),
      mounts: [{ path: library, access: "read" }],
      folder,
      network: false,
      inherited,
      cpuSeconds: 60,
    });
    const end = await runProcess(launch, CANARY_LIMITS, signal);
    if (end.why === "exit" && end.exitCode === 0 && end.stdout.text.trim() === "proven") return "";
    return firstLine(end);
  } finally {
    reachable.close();
    await Promise.all([folder.remove(), outside.remove()]);
  }
}

function firstLine(end: ProcessEnd): string {
  const line = `${end.stderr.text}\n${end.stdout.text}`.split("\n").find((text) => text.trim() !== "");
  return line?.trim() ?? `the probe ended with ${end.why === "exit" ? `exit code ${end.exitCode}` : end.why}`;
}

async function help(
  program: string,
  { environment, platform, inherited }: Machine,
  signal: AbortSignal,
): Promise<string> {
  const folder = await createPrivateFolder();
  try {
    const launch = launchIn(none("only its help is read"), {
      command: [program, "--help"],
      cwd: "/",
      environment: scriptEnvironment(environment, folder, new Map(), platform),
      mounts: [],
      folder,
      network: false,
      inherited,
      cpuSeconds: 60,
    });
    const end = await runProcess(launch, { ...CANARY_LIMITS, maxOutputBytes: 64 * 1024 }, signal);
    return `${end.stdout.text}${end.stderr.text}`;
  } finally {
    await folder.remove();
  }
}

const none = (reason: string, way = "") => ({ kind: "none", reason, way }) as const;

const INSTALL =
  "Install it: `apt install bubblewrap`, `dnf install bubblewrap` or `pacman -S bubblewrap`, then restart the server.";
const ALLOW =
  "Check that it is the bwrap of the system and that it may create user namespaces (on Ubuntu, with an AppArmor profile), then restart the server.";
