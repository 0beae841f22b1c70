// The MCP clients of the matrix, each behind the same methods: describe the tools, load a skill, count the notifications
// received (undefined where the client does not expose them), and close.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { installTools } from "./install-tools.mjs";

export const VERSIONS = {
  "@modelcontextprotocol/sdk": "1.32.2",
  "@modelcontextprotocol/client": "2.4.0",
  "@modelcontextprotocol/inspector": "2.12.0",
  "mcp-remote": "0.15.1",
  supergateway: "4.0.0",
  "@ai-sdk/mcp": "1.0.101",
};

/**
 * In a folder of their own, with peers pinned by hand: left to npm, each release of LangGraph may want a core that the adapters
 * were not tried with, or one that is not published yet.
 */
const LANGCHAIN_VERSIONS = {
  "@langchain/mcp-adapters": "1.1.4",
  "@langchain/core": "1.2.13",
  "@langchain/langgraph": "1.4.12",
};

const INFO = { name: "client-matrix", version: "1.0.0" };

export function createAdapters() {
  const folder = installTools("clients", VERSIONS);
  const load = createRequire(path.join(folder, "x.js"));
  const langchainFolder = installTools("langchain", LANGCHAIN_VERSIONS, ["--legacy-peer-deps"]);
  const loadLangChain = createRequire(path.join(langchainFolder, "x.js"));
  const bin = (name) => path.join(folder, ".bin", name);

  /** `target` is {command, args, env, cwd} for stdio, or {url}. */
  async function sdkV1(target, transport) {
    const { Client } = load("@modelcontextprotocol/sdk/client/index.js");
    const { ToolListChangedNotificationSchema } = load("@modelcontextprotocol/sdk/types.js");
    const client = new Client(INFO);
    let notices = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void notices++);
    await client.connect(v1Transport(target, transport));
    return sdkVerbs(client, () => notices);
  }

  function v1Transport(target, transport) {
    if (transport === "stdio") {
      const { StdioClientTransport } = load("@modelcontextprotocol/sdk/client/stdio.js");
      return new StdioClientTransport({ ...target, stderr: "ignore" });
    }
    const { SSEClientTransport } = load("@modelcontextprotocol/sdk/client/sse.js");
    const { StreamableHTTPClientTransport } = load("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const Transport = transport === "sse" ? SSEClientTransport : StreamableHTTPClientTransport;
    return new Transport(new URL(target.url));
  }

  async function sdkV2(target, transport, era) {
    const { Client, SSEClientTransport, StreamableHTTPClientTransport } = load(
      "@modelcontextprotocol/client",
    );
    let notices = 0;
    const client = new Client(INFO, {
      ...(era === "modern" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void notices++ } },
    });
    const { StdioClientTransport } = load("@modelcontextprotocol/client/stdio");
    const Http = transport === "sse" ? SSEClientTransport : StreamableHTTPClientTransport;
    await client.connect(
      transport === "stdio"
        ? new StdioClientTransport({ ...target, stderr: "ignore" })
        : new Http(new URL(target.url)),
    );
    return sdkVerbs(client, () => notices);
  }

  function sdkVerbs(client, notices) {
    return {
      notices,
      async describe() {
        const { tools } = await client.listTools(undefined, { cacheMode: "refresh" });
        return tools.map(({ description }) => description).join("\n");
      },
      async load(name) {
        const { content } = await client.callTool({ name: "skill", arguments: { name } });
        return content[0].text;
      },
      close: () => client.close(),
    };
  }

  /** Every call is a process of its own, so it receives no notifications. */
  function inspector(target, transport) {
    const place =
      transport === "stdio" ? [target.command, ...target.args] : [target.url, "--transport", transport];
    const call = (args, wanted) => {
      const { status, stdout } = spawnSync(
        process.execPath,
        [bin("mcp-inspector"), "--cli", ...place, ...args, "--format", "json", "-q"],
        { encoding: "utf8", cwd: target.cwd, env: target.env ?? process.env, timeout: 60_000 },
      );
      if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}`);
      return wanted(stdout);
    };
    return {
      notices: undefined,
      describe: async () =>
        call(["--method", "tools/list"], (text) => JSON.parse(text).result.tools[0].description),
      load: async (name) =>
        call(
          ["--method", "tools/call", "--tool-name", "skill", "--tool-arg", `name=${name}`],
          (text) => JSON.parse(text).result.content[0].text,
        ),
      // Exits with 7 when a file differs from its published digest.
      verify: async () => call(["--method", "skills/list", "--verify"], () => true),
      close: async () => {},
    };
  }

  /** A bridge is a stdio server to its client. */
  const bridge = (command) => (target) =>
    sdkV1({ ...target, command: process.execPath, args: command(target) }, "stdio");

  const remote = (transport) =>
    bridge(({ url }) => [bin("mcp-remote"), url, "--transport", `${transport}-only`, "--allow-http"]);
  /** It forwards requests and responses, but no notifications. */
  const gateway = (flag) => {
    const open = bridge(({ url }) => [bin("supergateway"), flag, url, "--logLevel", "none"]);
    return async (target) => ({ ...(await open(target)), notices: undefined });
  };

  async function langchain(target, transport) {
    const { MultiServerMCPClient } = loadLangChain("@langchain/mcp-adapters");
    let notices = 0;
    const server =
      transport === "stdio" ? { transport, ...target, stderr: "ignore" } : { transport, url: target.url };
    const client = new MultiServerMCPClient({
      mcpServers: { skills: server },
      onToolsListChanged: () => void notices++,
    });
    const skillTool = async () => (await client.getTools("skills")).find(({ name }) => name === "skill");
    await skillTool();
    const raw = () => client.getClient("skills");
    return {
      notices: () => notices,
      // The adapter reads the list of tools once; the client below it reads it again.
      describe: async () => (await (await raw()).listTools()).tools[0].description,
      load: async (name) => textOf(await (await skillTool()).invoke({ name })),
      close: () => client.close(),
    };
  }

  async function aiSdk(target, transport) {
    const { createMCPClient } = load("@ai-sdk/mcp");
    const { Experimental_StdioMCPTransport: Stdio } = load("@ai-sdk/mcp/mcp-stdio");
    const client = await createMCPClient({
      transport:
        transport === "stdio"
          ? new Stdio({ ...target, stderr: "ignore" })
          : { type: transport, url: target.url },
    });
    return {
      notices: undefined,
      describe: async () => (await client.tools())["skill"].description,
      load: async (name) => {
        const tools = await client.tools();
        return textOf(await tools["skill"].execute({ name }, { toolCallId: "1", messages: [] }));
      },
      close: () => client.close(),
    };
  }

  return [
    ...["stdio", "http", "sse"].map((on) => ["SDK v1", on, (target) => sdkV1(target, on)]),
    ...["stdio", "http", "sse"].map((on) => ["SDK v2", on, (target) => sdkV2(target, on, "legacy")]),
    ...["stdio", "http"].map((on) => ["SDK v2, 2026-07-28", on, (target) => sdkV2(target, on, "modern")]),
    ...["stdio", "http", "sse"].map((on) => ["Inspector", on, async (target) => inspector(target, on)]),
    ["mcp-remote", "http", remote("http")],
    ["mcp-remote", "sse", remote("sse")],
    ["supergateway", "http", gateway("--streamableHttp")],
    ["supergateway", "sse", gateway("--sse")],
    ...["stdio", "http", "sse"].map((on) => ["LangChain", on, (target) => langchain(target, on)]),
    ...["stdio", "http"].map((on) => ["AI SDK", on, (target) => aiSdk(target, on)]),
    // It names a version when it opens its stream, so it needs the address that is for HTTP+SSE alone.
    ["AI SDK", "sse", (target) => aiSdk({ ...target, url: target.url.replace(/mcp$/, "sse") }, "sse")],
  ].map(([name, transport, open]) => ({ name, transport, open }));
}

function textOf(answer) {
  return typeof answer === "string" ? answer : JSON.stringify(answer);
}
