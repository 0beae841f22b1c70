import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeSync,
} from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ownProgram } from "#agents";
import { spawnBin } from "../support/bin.ts";
import { connectHttp, WAYS } from "../support/connect-http.ts";
import { freePort } from "../support/free-port.ts";
import { openSession } from "../support/http-requests.ts";
import { runCommand, startInProcess as start } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { createTeam, runBeside, topic } from "../support/team-library.ts";
import { waitUntil } from "../support/wait-until.ts";

/** The built bin on a port that is free. Ended when the test ends. */
async function startBin(sandbox: Sandbox, args: readonly string[]) {
  const port = await freePort();
  const running = spawnBin(sandbox, [...args, "--port", String(port)]);
  onTestFinished(async () => {
    running.child.kill("SIGKILL");
    await running.exit;
  });
  await waitUntil("it listens", () => running.stderr().includes("listening on"));
  return { ...running, port, url: `http://127.0.0.1:${port}` };
}

/** Whether another process has a file open. Without /proc there is no way to tell, and no reason to wait. */
function isOpenElsewhere(file: string): boolean {
  if (process.platform !== "linux") return true;
  const openFiles = (pid: string): readonly string[] => {
    try {
      return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
    } catch {
      return [];
    }
  };
  return readdirSync("/proc").some(
    (pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid && openFiles(pid).includes(file),
  );
}

describe("the built bin over HTTP", () => {
  test("serves real clients of every kind, and says nothing on stdout", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { url, stdout, stderr } = await startBin(sandbox, ["mcp", "--transport", "http"]);
    for (const way of WAYS) {
      const { client } = await connectHttp(url, way);
      const loaded = await client.callTool({ name: "skill", arguments: { name: "pdf" } });
      expect(JSON.stringify(loaded.content), way).toContain("Loading: pdf");
      expect(stdout(), way).toBe("");
    }
    await expect.poll(stderr).toContain(` info  listening on ${url}/mcp\n`);
  });

  test("seed 003: SSE session with --transport sse, also for mcp-server", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/skills/pdf");
    const { url } = await start(sandbox, ["mcp-server", "--transport", "sse"]);
    const { client } = await connectHttp(url, "sse");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["skills.list", "skills.search"]);
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "ends on %s with streams open: one line, exit 0",
    async (signal) => {
      const { url, child, exit, stderr } = await startBin(createSandbox(), ["mcp", "--transport", "http"]);
      const session = await openSession(url);
      const headers = { "mcp-session-id": session, accept: "text/event-stream" };
      const streams = await Promise.all([fetch(`${url}/mcp`, { headers }), fetch(`${url}/mcp`)]);
      child.kill(signal);
      expect(await exit).toEqual({ code: 0, signal: null });
      expect(stderr()).toMatch(new RegExp(` info {2}shutting down: ${signal}\n`));
      for (const stream of streams) await stream.text().catch(() => {});
    },
  );

  test("is ready when the first content of its repository is there, and not before", async () => {
    const { sandbox, origin, server, url: repo } = await createTeam();
    sandbox.skill("project/.claude/skills/pdf");
    origin.commit({ "login.md": topic("login", "Login.") });
    let go = (): void => {};
    server.hold = new Promise((resolve) => {
      go = resolve;
    });
    const args = ["mcp", "--transport", "http"];
    const { url, stderr } = await start(sandbox, args, { SKILLS_REPO: repo });
    const ready = async () => {
      const answer = await fetch(`${url}/readyz`);
      return { status: answer.status, body: await answer.json() };
    };
    await waitUntil("the folders are read", () => stderr().includes("ready: 1 skill"));
    expect(await ready()).toMatchObject({ status: 503, body: { ready: false, git: [{ syncing: true }] } });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    go();
    await waitUntil("it is ready", async () => (await ready()).status === 200);
    expect(await ready()).toMatchObject({ body: { ready: true, skills: 2, git: [{ syncing: false }] } });

    // With content from before, a remote that hangs keeps nobody waiting.
    server.mode = { kind: "hang" };
    const again = await start(sandbox, args, { SKILLS_REPO: repo });
    await waitUntil("it is ready", async () => (await fetch(`${again.url}/readyz`)).status === 200);
  });

  test("is not ready while the first content cannot be fetched, and says why", async () => {
    const { sandbox, server, url: repo } = await createTeam();
    server.mode = { kind: "status", status: 500 };
    const { url } = await start(sandbox, ["mcp", "--transport", "http"], { SKILLS_REPO: repo });
    const body = async () => JSON.stringify(await (await fetch(`${url}/readyz`)).json());
    await waitUntil("the clone failed", async () => (await body()).includes("failed (500)"));
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
  });

  test("a second signal does not wait", async () => {
    const { port, child, exit, stderr } = await startBin(createSandbox(), ["mcp", "--transport", "http"]);
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {});
    // A request under way that never ends.
    socket.write("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{");
    await waitUntil("the request is there", async () =>
      (await (await fetch(`http://127.0.0.1:${port}/healthz`)).text()).includes("true"),
    );
    child.kill("SIGTERM");
    await waitUntil("it ends", () => stderr().includes("shutting down"));
    child.kill("SIGTERM");
    expect(await exit).toEqual({ code: 1, signal: null });
  });

  test("a port in use is one line and exit 1", async () => {
    const sandbox = createSandbox();
    const { port } = new URL((await start(sandbox, ["mcp", "--transport", "http"])).url);
    const again = ["mcp", "--transport", "http", "--port", port];
    const { code, stdout, stderr } = await runBeside(sandbox, again);
    expect([code, stdout]).toEqual([1, ""]);
    const lines = stderr
      .trim()
      .split("\n")
      .filter((line) => !line.includes("ready:"));
    expect(lines).toEqual([
      expect.stringMatching(
        new RegExp(
          `^skills-mcp: Cannot listen on 127.0.0.1:${port}: skills-mcp already runs there, and clients can use http://127.0.0.1:${port}/mcp. For another one, add --port \\d+, or --port 0 for any that is free.$`,
        ),
      ),
    ]);
  });

  test("a port that another program uses is one line with a free one", async () => {
    const other = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => {
      other.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await runBeside(createSandbox(), ["serve", "--port", String(port)]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `Cannot listen on 127.0.0.1:${port}: the port is in use. For another one, add --port `,
    );
  });

  test.each([
    [["--port", "65536"], /--port takes a whole number from 0 to 65535, not '65536'/],
    [["--port", "abc"], /not 'abc'/],
    [["--port", "-5"], /not '-5'/],
    [["--port", "99999"], /not '99999'/],
    [["--host", "0.0.0.0"], /--token-file <file> or --auth-issuer <url>/],
    [["--host", "::"], /--token-file/],
    [["--host", "skills.example.com"], /--token-file/],
    [["--auth-issuer", "https://id.example.com"], /must be used together/],
    [["--auth-issuer", "http://id.example.com", "--auth-audience", "x"], /takes an https URL/],
    [["--auth-issuer", "id", "--auth-audience", "x"], /http or https URL, not 'id'/],
    [["--public-url", "skills.example.com"], /--public-url takes an http or https URL/],
    [["--allowed-origins", "https://app.example.com/path"], /--allowed-origins takes origins/],
    [["--allowed-hosts", "https://x"], /--allowed-hosts takes host names/],
    [
      ["--token-file", "missing"],
      /token file missing cannot be read: it does not exist; write a line name:token /,
    ],
  ])("%j is one clear line and exit 2", async (args, message) => {
    const command = ["mcp", "--transport", "http", ...args];
    const { code, stdout, stderr } = await runCommand(createSandbox(), command);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  describe("a pipe of tokens", () => {
    const args = ["mcp", "--transport", "http", "--token-file"];
    const pipeIn = (sandbox: Sandbox): string => {
      const fifo = sandbox.path("tokens");
      execFileSync("mkfifo", ["-m", "600", fifo]);
      return fifo;
    };

    test("is read if someone writes to it after the server has opened it", async () => {
      const sandbox = createSandbox();
      const fifo = pipeIn(sandbox);
      const token = "0123456789abcdef0123456789abcdef";
      // Like `--token-file <(…)` in a shell.
      const writer = openSync(fifo, constants.O_RDWR);
      const starting = startBin(sandbox, [...args, fifo]);
      await waitUntil("the server has opened the pipe", () => isOpenElsewhere(fifo));
      writeSync(writer, `ann:${token}\n`);
      closeSync(writer);
      const { url } = await starting;
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(`${url}/mcp`, { headers })).status).toBe(200);
      expect((await fetch(`${url}/mcp`)).status).toBe(401);
    });

    test("keeps nobody waiting if nobody writes to it, and a device is not read", async () => {
      const sandbox = createSandbox();
      const fifo = pipeIn(sandbox);
      expect(await runBeside(sandbox, [...args, fifo])).toEqual({
        code: 2,
        stdout: "",
        stderr: `skills-mcp: The token file ${fifo} cannot be read: it is a pipe that was not closed within 5 s; use a file instead.\n`,
      });
      const device = await runBeside(sandbox, [...args, "/dev/zero"]);
      expect(device.code).toBe(2);
      expect(device.stderr).toContain("neither a file nor a pipe");
    });
  });
});

/** Everything that the dashboard lists, as text. */
async function listed(url: string): Promise<string> {
  return (await fetch(`${url}/api/v1/skills`)).text();
}

describe("skills-mcp serve", () => {
  test("shows the examples where there is nothing else, and prints how to connect", async () => {
    const { url, stdout } = await start(createSandbox(), ["serve"]);
    await waitUntil("it says how to connect", () => stdout().includes("Ctrl+C"));
    for (const line of [
      `${ownProgram().shown} connect --http ${url}/mcp`,
      `claude mcp add --scope user --transport http skills ${url}/mcp`,
      `${ownProgram().shown} connect codex --http ${url}/mcp`,
      `code --add-mcp '{"name":"skills","type":"http","url":"${url}/mcp"}'`,
      `{"mcpServers":{"skills":{"url":"${url}/mcp"}}}`,
    ]) {
      expect(stdout()).toContain(line);
    }
    expect((await fetch(`${url}/`)).headers.get("content-type")).toContain("text/html");
    expect(await listed(url)).toContain("code-review");
    const { client } = await connectHttp(url, "2025-11-25");
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["skill", "get_skill"]));
  });

  test("says that they are examples, and serves none where folders are named", async () => {
    const { url, stdout, stderr } = await start(createSandbox(), ["serve"]);
    await waitUntil("it says how to connect", () => stdout().includes("Ctrl+C"));
    expect(stdout()).toContain("bundled examples, because none were found");
    await expect.poll(stderr).toMatch(/ warn {2}no skills found, so the bundled examples are served/);
    expect(await listed(url)).toContain("code-review");
    for (const flags of [["--skill-dir", "team"], ["--root", "team"], ["--no-default-dirs"]]) {
      const named = await start(createSandbox(), ["serve", ...flags]);
      await waitUntil("it says how to connect", () => named.stdout().includes("Ctrl+C"));
      expect(named.stdout()).not.toContain("examples");
      expect(await listed(named.url)).not.toContain("code-review");
      const { client } = await connectHttp(named.url, "2025-11-25");
      expect(JSON.stringify(await client.listTools())).not.toContain("code-review");
    }
  });

  test.runIf(process.platform === "linux")("--open opens the dashboard, or says that it cannot", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const opened = sandbox.path("opened");
    const opener = sandbox.write("bin/xdg-open", `#!/bin/sh\necho "$1" > '${opened}'\n`);
    chmodSync(opener, 0o755);
    const folder = path.dirname(opener);
    const { url } = await start(sandbox, ["serve", "--open"], {
      PATH: `${folder}:${process.env["PATH"] ?? ""}`,
    });
    await waitUntil("the browser is opened", () => existsSync(opened) && readFileSync(opened, "utf8") !== "");
    expect(readFileSync(opened, "utf8")).toMatch(new RegExp(`^${url}/#key=[0-9a-f]{32}\n$`));

    const without = await start(sandbox, ["serve", "--open"], { PATH: sandbox.path("nowhere") });
    await waitUntil("it says so", () => without.stderr().includes("cannot open a browser"));
    expect((await fetch(`${without.url}/healthz`)).status).toBe(200);
  });

  test("--port 0 takes any port that is free, and says which", async () => {
    const { url } = await start(createSandbox(), ["serve"]);
    expect(new URL(url).port).not.toBe("0");
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test("prints the key that changes need, keeps it for the operator alone, and refresh --url finds it", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { url, stdout, stderr } = await start(sandbox, ["serve"]);
    await waitUntil("it says how to connect", () => stdout().includes("Ctrl+C"));
    const [address = "", key = ""] = new RegExp(`${url}/#key=([0-9a-f]{32})`).exec(stdout()) ?? [];
    const file = sandbox.path("home/.skills-mcp/dashboard-key");
    expect(readFileSync(file, "utf8")).toBe(`${key}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(stderr()).not.toContain(key);

    const disable = async (headers: Readonly<Record<string, string>>): Promise<number> => {
      const init = {
        method: "POST",
        body: '{"name":"pdf"}',
        headers: { "x-skills-mcp": "test", ...headers },
      };
      return (await fetch(`${url}/api/v1/skills/disable`, init)).status;
    };
    expect(await disable({})).toBe(403);
    expect(await disable({ "x-skills-mcp-key": key })).toBe(200);
    expect(existsSync(sandbox.path("project/.claude/skills/pdf/.SKILL.md"))).toBe(true);

    const refresh = (who: Sandbox, server: string) => runBeside(who, ["refresh", "--url", server]);
    const stranger = createSandbox();
    expect(await refresh(sandbox, url)).toMatchObject({ code: 0 });
    expect(await refresh(stranger, address)).toMatchObject({ code: 0 });
    expect(await refresh(stranger, url)).toMatchObject({
      code: 1,
      stderr: `skills-mcp: ${url} wants the key of its dashboard (403). Pass the whole address that \`skills-mcp serve\` printed, with its #key=…, as --url.\n`,
    });
    const again = await start(sandbox, ["serve"]);
    await waitUntil("it says how to connect", () => again.stdout().includes("Ctrl+C"));
    expect(again.stdout()).toContain(`${again.url}/#key=${key}\n`);
  });

  test("leaves the examples out where a filter leaves nothing of the skills there are", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.agents/skills/pdf");
    const { url, stderr } = await start(sandbox, ["serve", "--include", "codex"]);
    expect(await listed(url)).not.toContain("csv-report");
    expect(stderr()).not.toContain("examples");
  });

  test("leaves the examples out where there are skills, unless they are asked for", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/code-review", { description: "Our own." });
    const own = await start(sandbox, ["serve"]);
    expect(await listed(own.url)).toContain("Our own.");
    expect(await listed(own.url)).not.toContain("csv-report");
    const both = await start(sandbox, ["serve", "--examples"]);
    expect(await listed(both.url)).toContain("csv-report");
  });

  test("with tokens: what the page asks for wants one, and the printed lines say where it goes", async () => {
    const sandbox = createSandbox();
    const file = sandbox.write("tokens", "ann:0123456789abcdef0123\n");
    const { url, stdout } = await start(sandbox, ["serve", "--token-file", file]);
    await waitUntil("it says how to connect", () => stdout().includes("Ctrl+C"));
    expect(stdout()).toContain("Authorization: Bearer <token>");
    expect(stdout()).toContain(`connect --http ${url}/mcp --token-env SKILLS_TOKEN\n`);
    expect(stdout()).toContain(`connect codex --http ${url}/mcp --token-env SKILLS_TOKEN\n`);
    expect((await fetch(`${url}/`)).status).toBe(200);
    expect((await fetch(`${url}/api/v1/skills`)).status).toBe(401);
    const headers = { authorization: "Bearer 0123456789abcdef0123" };
    expect((await fetch(`${url}/api/v1/skills`, { headers })).status).toBe(200);
  });
});
