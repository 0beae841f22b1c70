// Uses the servers of an installed package with a real client: what they load on demand must be in the package too.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { freePort, startHttpServer } from "../http-server.mjs";

const LIBRARY = {
  "hello.md":
    "---\nkeywords: [hello]\ndescription: Greets.\nscripts:\n  - file: hello.ts\n    execution: server\n---\n\nGreet.\n",
  // An enum needs more than the removal of types.
  "hello/hello.ts":
    "enum Word { Hello = 5 }\nconst text: string = `hello ${Word.Hello}`;\nconsole.log(text);\n",
};

/** What was used, for people. `scratch` is an empty folder; `cli` is the installed program. */
export async function useServers(cli, scratch) {
  for (const [file, text] of Object.entries(LIBRARY)) {
    const target = path.join(scratch, "library", file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  const used = [];
  const collector = await startCollector();
  const onStdio = [
    { args: ["mcp", "--library", "./library", "--otlp", collector.url], tool: "skill" },
    { args: ["mcp-server", "--root", "./library"], tool: "skills.list" },
  ];
  for (const { args, tool } of onStdio) {
    const home = path.join(scratch, "home");
    mkdirSync(home, { recursive: true });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [cli, ...args],
      cwd: scratch,
      env: { PATH: process.env.PATH, HOME: home, USERPROFILE: home },
      stderr: "ignore",
    });
    await withClient(transport, async (client) => {
      await expectTool(client, tool);
      if (args[0] !== "mcp") return;
      const answer = await client.callTool({
        name: "run_script",
        arguments: { skill_path: "hello", file: "hello.ts", args: {} },
      });
      if (!JSON.stringify(answer).includes("hello 5"))
        throw new Error(`A TypeScript script did not run: ${JSON.stringify(answer)}`);
      used.push("a TypeScript script");
    });
    used.push(args[0]);
  }
  if (collector.close() === 0) throw new Error("mcp --otlp sent nothing.");
  used.push("--otlp");

  await useHttp(cli, []);
  used.push("serve", "the dashboard");
  if (spawnSync("redis-server", ["--version"]).status !== 0)
    return [...used, "no Redis, which is not installed"];
  const redis = await startRedis(scratch);
  try {
    await useHttp(cli, ["--redis", redis.url]);
  } finally {
    redis.child.kill();
  }
  return [...used, "--redis"];
}

/** Its examples are served, because there is nothing else. */
async function useHttp(cli, args) {
  const server = await startHttpServer(["serve", ...args], {}, cli);
  try {
    const page = await (await fetch(new URL("/", server.url))).text();
    if (!page.includes("<script")) throw new Error(`serve has no dashboard: ${page}`);
    await withClient(new StreamableHTTPClientTransport(new URL(server.url)), async (client) => {
      await expectTool(client, "skill");
      const { isError } = await client.callTool({ name: "skill", arguments: { name: "csv-report" } });
      if (isError) throw new Error("serve does not have the bundled examples.");
    });
  } finally {
    await server.close();
  }
}

async function withClient(transport, use) {
  const client = new Client({ name: "check-package", version: "1.0.0" });
  await client.connect(transport);
  try {
    await use(client);
  } finally {
    await client.close();
  }
}

async function expectTool(client, wanted) {
  const names = (await client.listTools()).tools.map(({ name }) => name);
  if (!names.includes(wanted)) throw new Error(`The server has no tool ${wanted}, only ${names.join(", ")}.`);
}

/** Counts what a server sends to a collector of OpenTelemetry. */
async function startCollector() {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    request.resume().on("end", () => response.end());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.close();
      server.closeAllConnections();
      return requests;
    },
  };
}

async function startRedis(folder) {
  const port = await freePort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  return { url: `redis://127.0.0.1:${port}`, child: spawn("redis-server", args, { stdio: "ignore" }) };
}
