// The floor below every server: Node, its standard streams and JSON, and nothing else.
const LINE = "1. Prefer small reversible steps and verify each one before you continue.\n";
const CONSTANT = LINE.repeat(256);

let rest = "";
process.stdin.setEncoding("utf8").on("data", (text) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id !== undefined)
      process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: answer(method, params) })}\n`);
  }
});

function answer(method, params) {
  if (method === "tools/list") return { tools: [{ name: "constant", inputSchema: { type: "object" } }] };
  if (method === "tools/call")
    return { content: [{ type: "text", text: CONSTANT.slice(0, params.arguments.size) }] };
  return {
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "bare", version: "1.0.0" },
  };
}
