// The floor below every HTTP server made with the SDK: as its documentation wires it, with one tool that only answers.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  McpServer,
} from "@modelcontextprotocol/server";

const LINE = "1. Prefer small reversible steps and verify each one before you continue.\n";
const CONSTANT = LINE.repeat(1024);
const DESCRIPTION = CONSTANT.slice(0, Number(process.argv[3] ?? 0));

const build = () => {
  const mcp = new McpServer(
    { name: "bare", version: "1.0.0" },
    { capabilities: { tools: { listChanged: true } } },
  );
  mcp.server.setRequestHandler("tools/list", () => ({
    tools: [{ name: "constant", description: DESCRIPTION, inputSchema: { type: "object" } }],
  }));
  mcp.server.setRequestHandler("tools/call", ({ params }) => ({
    content: [{ type: "text", text: CONSTANT.slice(0, params.arguments.size) }],
  }));
  return mcp;
};
const handler = createMcpHandler(build, { legacy: "reject" });
const modern = toNodeHandler(handler);
const sessions = new Map();

const server = createServer((request, response) => void serve(request, response));

async function serve(request, response) {
  if (request.url === "/change") {
    for (const { mcp } of sessions.values()) mcp.sendToolListChanged();
    handler.notify.toolsChanged();
    response.end();
    return;
  }
  if (request.url === "/readyz") {
    response.end();
    return;
  }
  const body = request.method === "POST" ? JSON.parse(await bodyOf(request)) : undefined;
  if (body !== undefined && !(await isLegacyRequest(await toWebRequest(request, body), body))) {
    await modern(request, response, body);
    return;
  }
  const known = sessions.get(request.headers["mcp-session-id"]);
  if (known !== undefined) {
    await known.transport.handleRequest(request, response, body);
    return;
  }
  if (!isInitializeRequest(body)) {
    response.writeHead(404).end();
    return;
  }
  const mcp = build();
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, { mcp, transport }),
  });
  transport.onclose = () => sessions.delete(transport.sessionId);
  await mcp.connect(transport);
  await transport.handleRequest(request, response, body);
}
server.listen(Number(process.argv[2]), "127.0.0.1");

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
