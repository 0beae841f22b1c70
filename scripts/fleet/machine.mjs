// What a fleet on one machine needs: Redis, nginx, replicas, and the free ports and folders for them.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { root } from "../bootstrap.mjs";

/** Installs what is missing where that is possible, and says what is missing where it is not. */
export function requirePrograms(names) {
  const isMissing = (name) => spawnSync("sh", ["-c", `command -v ${name}`]).status !== 0;
  const missing = names.filter(isMissing);
  if (missing.length === 0) return;
  if (process.getuid?.() === 0 && !isMissing("apt-get")) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("apt-get", ["update", "-qq"], { env, stdio: "ignore" });
    spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...missing], {
      env,
      stdio: "ignore",
    });
  }
  const left = missing.filter(isMissing);
  if (left.length === 0) return;
  console.error(`Install ${left.join(" and ")} first: apt-get install ${left.join(" ")}`);
  process.exit(2);
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

export async function waitUntil(what, isTrue, withinMs = 30_000) {
  const deadline = Date.now() + withinMs;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`Timed out: ${what}`);
    await pause(25);
  }
}

function ended(child) {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once("exit", resolve);
  });
}

/** A Redis with nothing on the disk. */
export async function startRedis(folder) {
  const port = await freePort();
  let child;
  const cli = (...args) => spawnSync("redis-cli", ["-p", String(port), ...args], { encoding: "utf8" }).stdout;
  const redis = {
    url: `redis://127.0.0.1:${port}`,
    cli,
    signal: (name) => child.kill(name),
    async start() {
      const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
      child = spawn("redis-server", args, { stdio: "ignore" });
      await waitUntil("redis answers", () => cli("PING").trim() === "PONG");
    },
    async stop() {
      child.kill("SIGKILL");
      await ended(child);
    },
  };
  await redis.start();
  return redis;
}

/** The configuration of docs/how-to/replicas.md, with ports and folders of this run. */
function nginxConfig(folder, port, upstreams) {
  const servers = upstreams.map((upstream) => `    server 127.0.0.1:${upstream} fail_timeout=1s;`).join("\n");
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/nginx.log warn;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream skills {
${servers}
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://skills;
      proxy_http_version 1.1;
      proxy_set_header Host 127.0.0.1;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_read_timeout 1h;
      proxy_connect_timeout 2s;
      proxy_next_upstream error timeout http_503 non_idempotent;
      add_header X-Upstream $upstream_addr always;
    }
  }
}
`;
}

/** The same with Caddy. */
function caddyConfig(folder, port, upstreams) {
  return `
{
	admin off
	auto_https off
	storage file_system ${folder}/caddy
	log {
		output file ${folder}/caddy.log
	}
}
http://127.0.0.1:${port} {
	reverse_proxy ${upstreams.map((upstream) => `127.0.0.1:${upstream}`).join(" ")} {
		lb_policy round_robin
		health_uri /readyz
		health_interval 500ms
		health_timeout 2s
		flush_interval -1
		transport http {
			keepalive off
		}
		header_down X-Upstream {http.reverse_proxy.upstream.hostport}
	}
}
`;
}

/** What each balancer is started with. */
const BALANCERS = {
  nginx: { config: nginxConfig, args: (folder, file) => ["-p", folder, "-c", file] },
  caddy: {
    config: caddyConfig,
    args: (_folder, file) => ["run", "--adapter", "caddyfile", "--config", file],
  },
};

export async function startBalancer(program, folder, upstreams) {
  const port = await freePort();
  const file = path.join(folder, "balancer.conf");
  const { config, args } = BALANCERS[program];
  writeFileSync(file, config(folder, port, upstreams));
  const child = spawn(program, args(folder, file), { stdio: ["ignore", "ignore", "inherit"] });
  await waitUntil(`${program} answers`, () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    port,
    async stop() {
      child.kill("SIGTERM");
      await ended(child);
    },
  };
}

/** One replica, which can be ended and started again at the same port with the same home folder. */
export async function createReplica({ folder, name, project, env }) {
  const port = await freePort();
  const home = path.join(folder, `home-${name}`);
  mkdirSync(home, { recursive: true });
  let child;
  let log = "";
  let starts = 0;
  const replica = {
    name,
    port,
    home,
    /** What the events of this process call it: another one after each start. */
    serverId: () => `${name}-${starts}`,
    pid: () => child?.pid,
    log: () => log,
    async start() {
      const before = log.length;
      const args = [path.join(root, "dist", "cli.js"), "mcp", "--transport", "http", "--port", String(port)];
      child = spawn(process.execPath, args, {
        cwd: project,
        env: {
          ...{ PATH: process.env.PATH, HOME: home, NODE_COMPILE_CACHE: path.join(folder, "code") },
          SKILLS_SERVER_ID: `${name}-${++starts}`,
          ...env,
        },
        stdio: ["ignore", "ignore", "pipe"],
      });
      child.stderr.setEncoding("utf8").on("data", (text) => {
        log += text;
      });
      await waitUntil(`replica ${name} listens`, () => log.slice(before).includes("listening on"));
      await waitUntil(`replica ${name} is ready`, () =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
    },
    async end(signal) {
      child.kill(signal);
      await ended(child);
    },
    ready: async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).json(),
    /** In MiB. */
    memory() {
      const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
      return Number(kib) / 1024;
    },
    /** Processor time so far, in milliseconds. */
    processorMs() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1].split(" ");
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
  };
  return replica;
}
