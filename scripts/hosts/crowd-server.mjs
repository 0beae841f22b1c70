// An MCP server with many tools that do nothing, for hosts that show tools differently when there are many.
//   node crowd-server.mjs <number of tools>
import { createInterface } from "node:readline";

const tools = Array.from({ length: Number(process.argv[2]) }, (_, index) => ({
  name: `room_${index}`,
  description: `Books meeting room ${index}.`,
  inputSchema: { type: "object", properties: { day: { type: "string" } } },
}));

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answerTo(method, params) })}\n`);
});

function answerTo(method, params) {
  if (method === "tools/list") return { result: { tools } };
  if (method === "ping") return { result: {} };
  if (method !== "initialize")
    return { error: { code: -32601, message: `Method '${method}' is not supported.` } };
  const serverInfo = { name: "crowd", version: "1.0.0" };
  return { result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } };
}
