// The floors below "every skill is known": a bare server that reads the first 4 KiB of every SKILL.md with plain fs,
// without parsing anything. `node heads-server.mjs <dir> <way>`, where `found` searches every folder for them, and the
// others take it for granted that each folder in <dir> holds one and nothing else that matters.
import { close, closeSync, open, openSync, read, readdirSync, readSync } from "node:fs";
import { open as openPromised } from "node:fs/promises";
import { promisify } from "node:util";

const HEAD_BYTES = 4_096;
/** As wide as our own queue. */
const AT_ONCE = 16;

// Cheaper than what node:fs/promises does for each file.
const [openLater, readLater, closeLater] = [promisify(open), promisify(read), promisify(close)];

const [dir, way] = process.argv.slice(2);

let rest = "";
process.stdin.setEncoding("utf8").on("data", (text) => void answerAll(text));

async function answerAll(text) {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const result = await answer(method, params);
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
  }
}

async function answer(method, params) {
  if (method === "tools/list") {
    const description = `${await WAYS[way]()} bytes`;
    return { tools: [{ name: "constant", description, inputSchema: { type: "object" } }] };
  }
  return {
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "heads", version: "1.0.0" },
  };
}

const WAYS = {
  /** Searches and reads in a synchronous loop. */
  found() {
    const head = Buffer.allocUnsafe(HEAD_BYTES);
    const folders = [dir];
    let bytes = 0;
    for (const folder of folders) {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = `${folder}/${entry.name}`;
        if (entry.isDirectory()) folders.push(path);
        else if (entry.name === "SKILL.md") bytes += readNow(path, head);
      }
    }
    return bytes;
  },
  sync() {
    const head = Buffer.allocUnsafe(HEAD_BYTES);
    let bytes = 0;
    for (const name of readdirSync(dir)) bytes += readNow(`${dir}/${name}/SKILL.md`, head);
    return bytes;
  },
  callbacks: () =>
    severalAtOnce(async (path, head) => {
      const file = await openLater(path, "r");
      const { bytesRead } = await readLater(file, head, 0, HEAD_BYTES, 0);
      await closeLater(file);
      return bytesRead;
    }),
  promises: () =>
    severalAtOnce(async (path, head) => {
      const file = await openPromised(path, "r");
      const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
      await file.close();
      return bytesRead;
    }),
};

function readNow(path, head) {
  const file = openSync(path);
  const bytesRead = readSync(file, head, 0, HEAD_BYTES, 0);
  closeSync(file);
  return bytesRead;
}

async function severalAtOnce(readOne) {
  const names = readdirSync(dir).values();
  let bytes = 0;
  const worker = async () => {
    const head = Buffer.allocUnsafe(HEAD_BYTES);
    for (const name of names) {
      const bytesRead = await readOne(`${dir}/${name}/SKILL.md`, head);
      bytes += bytesRead;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return bytes;
}
