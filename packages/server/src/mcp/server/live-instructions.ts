import type { RequestId } from "@modelcontextprotocol/server";
import { cancelledId, isRequest } from "./message-parts.ts";
import type { Step } from "./pipeline.ts";

const HANDSHAKES: ReadonlySet<string> = new Set(["initialize", "server/discover"]);

/**
 * Makes the server's instructions depend on the client and on the skills at the moment of its handshake. The SDK takes
 * them as a constant, when a server is created and nobody has asked yet. Undefined leaves that constant in place.
 */
export function liveInstructions(instructionsNow: () => Promise<string | undefined>): Step {
  const unanswered = new Set<RequestId>();
  return {
    receive(message, extra, next) {
      if (isRequest(message) && HANDSHAKES.has(message.method)) unanswered.add(message.id);
      const cancelled = cancelledId(message);
      if (cancelled !== undefined) unanswered.delete(cancelled);
      next(message, extra);
    },
    async send(message, options, next) {
      if ("method" in message || message.id === undefined || !unanswered.has(message.id))
        return next(message, options);
      const instructions = "result" in message ? await instructionsNow() : undefined;
      // It may have been cancelled meanwhile.
      if (!unanswered.delete(message.id)) return undefined;
      if (instructions === undefined || !("result" in message)) return next(message, options);
      return next({ ...message, result: { ...message.result, instructions } }, options);
    },
  };
}
