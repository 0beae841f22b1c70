import type { ServerResponse } from "node:http";
import type { McpRequestContext, McpServer } from "@modelcontextprotocol/server";
import { sendFull } from "../server/reply.ts";
import { createSessionTable, type Session, type SessionLimits, type SessionTable } from "./session-table.ts";
import type { SseTransport } from "./sse-transport.ts";
import type { StreamableTransport } from "./streamable-transport.ts";

/** Makes a server for one session or, since 2026-07-28, for one request. */
export type ServerFactory = (context: McpRequestContext) => McpServer;

/** What a session holds: one server instance, never shared, and the transport it is connected to. */
export type Held =
  | {
      readonly kind: "streamable";
      readonly mcp: McpServer;
      readonly transport: StreamableTransport;
      readonly close: () => Promise<void>;
    }
  | {
      readonly kind: "sse";
      readonly mcp: McpServer;
      readonly transport: SseTransport;
      readonly close: () => Promise<void>;
    };

export type Sessions = SessionTable<Held>;
export type HeldSession = Session<Held>;

export function createSessions(limits: SessionLimits): Sessions {
  return createSessionTable<Held>(limits, ({ value }) => void value.close());
}

/** Opens a session, or answers that there is no room. */
export function admit(
  sessions: Sessions,
  subject: string | undefined,
  response: ServerResponse,
  make: (id: string) => Held,
): HeldSession | undefined {
  const admission = sessions.open(subject, make);
  if (admission.ok) return admission.session;
  const message =
    admission.why === "full"
      ? "The server has as many sessions as it may. Try again later."
      : "You have as many sessions as you may. Close one, or try again later.";
  sendFull(response, message);
  return undefined;
}
