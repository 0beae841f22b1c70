// The container image, without an engine: runs the steps of the Dockerfile in plain Debian folders, starts the result as an
// engine would (its user, a read-only root, a volume, a network of its own), and uses it. Needs Linux, root, git and
// debootstrap.
import { spawn, spawnSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { root } from "./bootstrap.mjs";
import { buildImage, quote, removeStages } from "./image/build-image.mjs";
import { parseDockerfile } from "./image/dockerfile.mjs";

const TOKEN = "0123456789abcdef0123456789abcdef";
const PROBE = `
const call = (headers) => fetch("http://127.0.0.1:4700/mcp", {
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "skill", ...headers },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "skill", arguments: { name: "hello" },
    _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {}, "io.modelcontextprotocol/clientInfo": { name: "check", version: "1" } } } }),
});
const refused = await call({});
const loaded = await call({ authorization: "Bearer ${TOKEN}" });
const text = await loaded.text();
if (refused.status !== 401 || !text.includes("Hi.")) { console.log(refused.status, loaded.status, text); process.exit(1); }
`;

const missing = whatIsMissing();
if (missing !== undefined) {
  console.log(`skipped: ${missing}`);
  process.exit(0);
}

const stages = parseDockerfile(readFileSync(path.join(root, "Dockerfile"), "utf8"));
const image = buildImage(stages);
const scratch = mkdtempSync(path.join(tmpdir(), "skills-mcp-image-"));
const container = start(image);
try {
  await check(container);
} finally {
  container.child.kill("SIGKILL");
  await container.ended;
  rmSync(scratch, { recursive: true, force: true });
  removeStages(stages);
}

async function check({ child, ended, log, inside }) {
  await step("the health check passes", async () => {
    for (let attempt = 0; inside(image.healthCheck).status !== 0; attempt++) {
      if (attempt > 60 || child.exitCode !== null) throw new Error(`it is not healthy:\n${log()}`);
      await pause(500);
    }
  });
  await step("a client with a token loads a skill, one without is refused", () => {
    const probe = inside(["node", "--input-type=module", "-e", PROBE]);
    if (probe.status !== 0) throw new Error(`${probe.stdout}${probe.stderr}\n${log()}`);
  });
  await step("it is not root, and has no rights to gain", () => {
    const status = inside(["cat", "/proc/self/status"]).stdout;
    if (!/^Uid:\s+10001\b/m.test(status)) throw new Error(status);
  });
  await step("the root is read-only, and the volume is not", () => {
    for (const place of ["/x", "/opt/skills-mcp/x", "/etc/x"])
      if (inside(["touch", place]).status === 0) throw new Error(`${place} was written`);
    if (inside(["touch", `${image.volume}/x`]).status !== 0) throw new Error("the volume is read-only");
  });
  await step("git and bubblewrap are there", () => {
    for (const program of ["git", "bwrap", "node", "skills-mcp"])
      if (inside([program, "--version"]).status !== 0) throw new Error(program);
  });
  const doctor = inside(["skills-mcp", "doctor", "--no-color"]).stdout;
  console.log(`      doctor: ${/.*scripts.*/i.exec(doctor)?.[0]?.trim() ?? "says nothing of scripts"}`);
  await step("SIGTERM ends it with 0 within 6 s", async () => {
    inside(["sh", "-c", "kill -TERM 1"]);
    const code = await Promise.race([ended, pause(6_000, "too late")]);
    if (code !== 0) throw new Error(`it ended with ${code}:\n${log()}`);
  });
  const size = (folder) =>
    Number(spawnSync("du", ["-sm", folder], { encoding: "utf8" }).stdout.split("\t")[0]);
  console.log(`      ${size(image.folder) - size(image.base)} MB more than Debian`);
}

/** As an engine starts it: its own mounts, processes and network. */
function start({ folder, volume, user, entrypoint, command }) {
  const state = path.join(scratch, "state");
  const secrets = path.join(scratch, "secrets");
  const [uid, gid] = user.split(":").map(Number);
  mkdirSync(path.join(state, ".claude/skills/hello"), { recursive: true });
  mkdirSync(secrets);
  writeFileSync(
    path.join(state, ".claude/skills/hello/SKILL.md"),
    "---\nname: hello\ndescription: Greets.\n---\n\nHi.\n",
  );
  writeFileSync(path.join(secrets, "tokens"), `ann:${TOKEN}\n`, { mode: 0o400 });
  for (const file of [state, secrets, path.join(secrets, "tokens")]) chownSync(file, uid, gid);
  mkdirSync(path.join(folder, "run/secrets"), { recursive: true });
  const at = (name) => quote(path.join(folder, name));
  const script = [
    `mount --bind ${at("")} ${at("")}`,
    `mount -t proc proc ${at("proc")}`,
    `mount --rbind /dev ${at("dev")}`,
    `mount -t tmpfs tmpfs ${at("tmp")}`,
    `mount --bind ${quote(state)} ${at(volume)}`,
    `mount --bind ${quote(secrets)} ${at("run/secrets")}`,
    "ip link set lo up",
    // Not chroot, in which the kernel allows no user namespaces, so that no sandbox would work.
    `mount -o remount,ro,bind ${at("")} && cd ${at("")} && pivot_root . mnt && cd / && umount -l mnt`,
    `exec ${asUser(image, [...entrypoint, ...command])}`,
  ].join(" && ");
  const child = spawn(
    "unshare",
    ["--mount", "--pid", "--net", "--fork", "--kill-child", "sh", "-c", script],
    {
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      log += text;
    });
  }
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(signal ?? code)));
  /** Runs something in the container, as its user. */
  const inside = (words) => {
    const pid = spawnSync("pgrep", ["-P", String(child.pid)], { encoding: "utf8" }).stdout.trim();
    return spawnSync("nsenter", ["-t", pid, "-m", "-p", "-n", "sh", "-c", asUser(image, words)], {
      encoding: "utf8",
      timeout: 20_000,
    });
  };
  return { child, ended, inside, log: () => log };
}

/** No rights, and none to gain, as with `cap_drop: [ALL]` and `no-new-privileges`. */
function asUser({ user, env, cwd }, words) {
  const variables = Object.entries(env).map(([name, value]) => quote(`${name}=${value}`));
  const inner = `cd ${cwd} && exec ${words.map(quote).join(" ")}`;
  const rights = "--no-new-privs --bounding-set=-all --inh-caps=-all";
  const [uid, gid] = user.split(":");
  const ids = `--reuid=${uid} --regid=${gid} --clear-groups`;
  return `env -i ${variables.join(" ")} setpriv ${ids} ${rights} sh -c ${quote(inner)}`;
}

async function step(name, work) {
  try {
    await work();
    console.log(`ok    ${name}`);
  } catch (error) {
    console.log(`FAIL  ${name}: ${error.message}`);
    process.exitCode = 1;
  }
}

function whatIsMissing() {
  if (process.platform !== "linux") return "it needs Linux";
  if (process.getuid() !== 0) return "it needs root; with an engine, docker build . does the same";
  for (const program of ["debootstrap", "unshare", "nsenter", "ip"])
    if (spawnSync("which", [program]).status !== 0) return `${program} is not installed`;
  return undefined;
}
