// Runs the steps of the Dockerfile in plain Debian folders, as root, without an engine.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../bootstrap.mjs";

const CACHE = path.join(root, "node_modules", ".cache", "image");
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Returns the folder of the last stage and what its image would say about itself. */
export function buildImage(stages) {
  const built = new Map();
  let image;
  for (const [index, { base, name, steps }] of stages.entries()) {
    const folder = path.join(CACHE, `stage-${index}`);
    rmSync(folder, { recursive: true, force: true });
    const start = baseFolder(base);
    copy(start, folder);
    image = { folder, base: start, env: { PATH }, cwd: "/", user: "0:0" };
    for (const step of steps) runStep(step, image, built);
    built.set(name, folder);
  }
  return image;
}

/** Frees the space of all stages; what they start from stays for the next time. */
export function removeStages(stages) {
  for (const index of stages.keys())
    rmSync(path.join(CACHE, `stage-${index}`), { recursive: true, force: true });
}

function runStep({ instruction, flags, value }, image, built) {
  const inside = (name) => path.join(image.folder, path.resolve(image.cwd, name));
  switch (instruction) {
    case "RUN":
      console.log(`RUN ${String(value).slice(0, 100)}`);
      return runInside(image, value, flags);
    case "COPY":
      return copyInto(
        value.split(/\s+/),
        flags.from === undefined ? undefined : built.get(flags.from),
        inside,
      );
    case "ENV":
      for (const [, key, text] of value.matchAll(/(\w+)=(\S+)/g)) image.env[key] = text;
      return undefined;
    case "WORKDIR":
      image.cwd = path.resolve(image.cwd, value);
      mkdirSync(inside("."), { recursive: true });
      return undefined;
    case "USER":
      image.user = value;
      return undefined;
    case "VOLUME":
      image.volume = value;
      return undefined;
    case "EXPOSE":
      image.port = Number(value);
      return undefined;
    case "LABEL":
      return undefined;
    case "HEALTHCHECK":
      image.healthCheck = JSON.parse(/CMD\s+(\[[^]*\])$/.exec(value)[1]);
      return undefined;
    case "ENTRYPOINT":
      image.entrypoint = value;
      return undefined;
    case "CMD":
      image.command = value;
      return undefined;
    default:
      throw new Error(`The check does not know ${instruction}.`);
  }
}

/** Debian as debootstrap makes it and, for a Node image, the Node and npm that run this check. */
function baseFolder(image) {
  const [, release] = /:(?:[\d.]+-)?([a-z]+)(?:-\d+)?-slim(?:@sha256:\w+)?$/.exec(image) ?? [];
  if (release === undefined) throw new Error(`The check knows no base for ${image}.`);
  const debian = path.join(CACHE, release);
  if (!existsSync(debian)) {
    console.log(`debootstrap ${release}, once …`);
    const partial = `${debian}.partial`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(CACHE, { recursive: true });
    must("debootstrap", ["--variant=minbase", release, partial], { stdio: ["ignore", "ignore", "inherit"] });
    cpSync("/etc/resolv.conf", path.join(partial, "etc/resolv.conf"), { dereference: true });
    renameSync(partial, debian);
  }
  if (!image.startsWith("node:")) return debian;
  const withNode = path.join(CACHE, `${release}-node`);
  rmSync(withNode, { recursive: true, force: true });
  copy(debian, withNode);
  cpSync(process.execPath, path.join(withNode, "usr/local/bin/node"), { dereference: true });
  const npm = path.resolve(path.dirname(realpathSync(process.env.npm_execpath ?? which("npm"))), "..");
  cpSync(npm, path.join(withNode, "usr/local/lib/node_modules/npm"), { recursive: true });
  const start = '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n';
  writeFileSync(path.join(withNode, "usr/local/bin/npm"), start, { mode: 0o755 });
  return withNode;
}

/** From another stage, or from the project without what .dockerignore leaves out. */
function copyInto(words, from, inside) {
  const target = words.at(-1);
  for (const source of words.slice(0, -1)) {
    if (from !== undefined) {
      copy(path.join(from, source), inside(target));
      continue;
    }
    mkdirSync(inside("."), { recursive: true });
    const only = source === "." ? contextFiles() : contextFiles().filter((file) => file === source);
    if (only.length === 0)
      throw new Error(`COPY ${source}: .dockerignore leaves it out, or it does not exist.`);
    for (const file of only)
      cpSync(path.join(root, file), inside(path.join(target, file)), { dereference: false });
  }
}

/** Files that git knows or would add, and that .dockerignore names with `!`. */
function contextFiles() {
  const kept = ignoreLines().flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));
  const pattern = new RegExp(`^(?:${kept.map(globSource).join("|")})(?:/|$)`);
  const { stdout } = must("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  return stdout.split("\n").filter((file) => pattern.test(file) && existsSync(path.join(root, file)));
}

function ignoreLines() {
  const { stdout } = must("cat", [".dockerignore"], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

function globSource(glob) {
  return glob.replaceAll(".", "\\.").replaceAll("*", "[^/]*");
}

/** A step as root, with /proc, /dev and the caches that it asks for. */
function runInside({ folder, env, cwd }, command, { mount }) {
  const cache = /type=cache,target=([^,]+)/.exec(mount ?? "")?.[1];
  const mounts = [
    `mount -t proc proc ${quote(path.join(folder, "proc"))}`,
    `mount --rbind /dev ${quote(path.join(folder, "dev"))}`,
  ];
  if (cache !== undefined) {
    const target = path.join(folder, cache);
    const shared = path.join(CACHE, "npm");
    for (const dir of [target, shared]) mkdirSync(dir, { recursive: true });
    mounts.push(`mount --bind ${quote(shared)} ${quote(target)}`);
  }
  // Behind a proxy with a certificate of its own, the steps need it too. A folder in memory leaves no trace.
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  const extra = certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: "/mnt/ca.crt" };
  if (certificates !== undefined) {
    const memory = path.join(folder, "mnt");
    mounts.push(
      `mount -t tmpfs tmpfs ${quote(memory)} && cp -L ${quote(certificates)} ${quote(memory)}/ca.crt`,
    );
  }
  const { stdout: registry } = must("npm", ["config", "get", "registry"], { encoding: "utf8" });
  const script = `${mounts.join(" && ")} && cd / && exec chroot ${quote(folder)} /bin/sh -c ${quote(`cd ${cwd} && ${command}`)}`;
  must("unshare", ["--mount", "sh", "-c", script], {
    env: {
      ...env,
      HOME: "/root",
      DEBIAN_FRONTEND: "noninteractive",
      npm_config_registry: registry.trim(),
      npm_config_update_notifier: "false",
      ...extra,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

function copy(from, to) {
  must("cp", ["-a", "--reflink=auto", from, to]);
}

function which(name) {
  return must("which", [name], { encoding: "utf8" }).stdout.trim();
}

function must(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"], ...options });
  if (result.status !== 0)
    throw new Error(`${command} failed${result.error ? `: ${result.error.message}` : ""}.`);
  return result;
}

export function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
