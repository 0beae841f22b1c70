import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below what systems hand out by themselves (Linux from 32768), so that nobody gets it by chance before it is used. */
const [FIRST, END] = [20_000, 32_000];

/** A port of this machine that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
