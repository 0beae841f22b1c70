// The floor below "every skill is known": a bare server that lists one folder and reads the first 4 KiB of every SKILL.md
// with plain fs, without parsing anything. `node heads-server.mjs <dir> sync|async`
import { close, closeSync, open, openSync, read, readdirSync, readSync } from "node:fs";
import { promisify } from "node:util";

const HEAD_BYTES = 4_096;
/** As wide as our own queue. */
const AT_ONCE = 16;

// Cheaper than what node:fs/promises does for each file.
const [openLater, readLater, closeLater] = [promisify(open), promisify(read), promisify(close)];

const [dir, way] = process.argv.slice(2);

let rest = "";
process.stdin.setEncoding("utf8").on("data", async (text) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const result = await answer(method, params);
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
  }
});

async function answer(method, params) {
  if (method === "tools/list") {
    const description = `${way === "sync" ? readInTurn() : await readAtOnce()} bytes`;
    return { tools: [{ name: "constant", description, inputSchema: { type: "object" } }] };
  }
  return {
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "heads", version: "1.0.0" },
  };
}

function readInTurn() {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  let bytes = 0;
  for (const name of readdirSync(dir)) {
    const file = openSync(`${dir}/${name}/SKILL.md`);
    bytes += readSync(file, head, 0, HEAD_BYTES, 0);
    closeSync(file);
  }
  return bytes;
}

async function readAtOnce() {
  const names = readdirSync(dir).values();
  let bytes = 0;
  const worker = async () => {
    const head = Buffer.allocUnsafe(HEAD_BYTES);
    for (const name of names) {
      const file = await openLater(`${dir}/${name}/SKILL.md`, "r");
      const { bytesRead } = await readLater(file, head, 0, HEAD_BYTES, 0);
      bytes += bytesRead;
      await closeLater(file);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return bytes;
}
