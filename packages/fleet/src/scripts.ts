import { createHash } from "node:crypto";
import type { SendOptions } from "./connection.ts";
import type { Reply } from "./redis-client.ts";

type Send = (args: readonly [string, ...string[]], options?: SendOptions) => Promise<Reply>;

/** Runs Lua scripts by their digest, and sends the text only where Redis does not know it, as after a restart. */
export function createScripts(send: Send) {
  const digests = new Map<string, string>();
  return async (
    script: string,
    keys: readonly string[],
    args: readonly string[],
    options: SendOptions = {},
  ): Promise<Reply> => {
    const digest = digests.get(script) ?? createHash("sha1").update(script).digest("hex");
    digests.set(script, digest);
    const rest = [String(keys.length), ...keys, ...args];
    const routed = { key: keys[0], ...options };
    try {
      return await send(["EVALSHA", digest, ...rest], routed);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
      return send(["EVAL", script, ...rest], routed);
    }
  };
}
