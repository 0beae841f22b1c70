import { randomBytes } from "node:crypto";
import type { McpRequestContext, McpServer, Transport } from "@modelcontextprotocol/server";
import { callerInfo } from "../auth/principal.ts";
import { type Exchange, sendFull } from "../server/exchange.ts";

/** Makes a server for one session or, since 2026-07-28, for one request. */
export type ServerFactory = (context: McpRequestContext) => McpServer;

export interface SessionLimits {
  readonly sessions: number;
  readonly sessionsPerSubject: number;
  readonly idleMs: number;
}

/** A transport that lasts for a session. */
export interface SessionTransport extends Transport {
  /** Whether a request is not answered yet. */
  isBusy(): boolean;
  /** Ends the stream that carries nothing but notifications, if there is one. */
  endListening(): void;
}

/** One client with a server instance of its own. */
export interface Session<T extends SessionTransport = SessionTransport> {
  readonly id: string;
  /** Who opened it; undefined on a server without authentication. */
  readonly subject: string | undefined;
  readonly transport: T;
  /** Marks it as in use until the returned function is called. A session in use is never idle. */
  enter(): () => void;
}

/** The open sessions of both older transports; they share the limits. */
export interface Sessions {
  /** Opens a session and connects a new server to its transport, or answers 503. */
  open<T extends SessionTransport>(
    exchange: Exchange,
    create: (id: string) => T,
  ): Promise<Session<T> | undefined>;
  /** A session of this transport that this subject opened. */
  find<T extends SessionTransport>(
    id: string,
    subject: string | undefined,
    kind: abstract new (...args: never) => T,
  ): Session<T> | undefined;
  endOf(subjects: ReadonlySet<string>): void;
  endListening(): void;
  isBusy(): boolean;
  readonly size: number;
  close(): Promise<void>;
}

interface Entry extends Session {
  users: number;
  lastUsed: number;
}

/** 192 random bits: the id is all that a client without credentials has to show. */
const ID_BYTES = 24;
const LONGEST_SWEEP_INTERVAL_MS = 60_000;

export function createSessions(factory: ServerFactory, limits: SessionLimits): Sessions {
  const entries = new Map<string, Entry>();
  const transports = (): readonly SessionTransport[] => [...entries.values()].map((entry) => entry.transport);

  const sweep = setInterval(
    () => {
      const oldest = Date.now() - limits.idleMs;
      for (const { users, lastUsed, transport } of entries.values()) {
        if (users === 0 && lastUsed < oldest) void transport.close();
      }
    },
    Math.min(LONGEST_SWEEP_INTERVAL_MS, Math.max(10, limits.idleMs / 4)),
  ).unref();

  function fullReason(subject: string | undefined): string | undefined {
    if (entries.size >= limits.sessions) return "The server has reached its session limit. Try again later.";
    if (subject === undefined) return undefined;
    const own = [...entries.values()].filter((entry) => entry.subject === subject).length;
    return own < limits.sessionsPerSubject
      ? undefined
      : `You have reached the limit of ${limits.sessionsPerSubject} sessions. Close one, or try again later.`;
  }

  return {
    async open({ principal, response }, create) {
      const { subject } = principal;
      const reason = fullReason(subject);
      if (reason !== undefined) {
        sendFull(response, reason);
        return undefined;
      }
      const id = randomBytes(ID_BYTES).toString("base64url");
      const transport = create(id);
      const mcp = factory({ era: "legacy", ...callerInfo(principal) });
      transport.onclose = () => entries.delete(id);
      const session = createEntry(id, subject, transport);
      // Before anything is awaited, so that a crowd cannot slip past the limit.
      entries.set(id, session);
      await mcp.connect(transport);
      return session;
    },
    find(id, subject, kind) {
      const entry = entries.get(id);
      if (entry === undefined || entry.subject !== subject) return undefined;
      return isOfKind(entry, kind) ? entry : undefined;
    },
    endOf(subjects) {
      for (const { subject, transport } of entries.values()) {
        if (subject !== undefined && subjects.has(subject)) void transport.close();
      }
    },
    endListening() {
      for (const transport of transports()) transport.endListening();
    },
    isBusy: () => transports().some((transport) => transport.isBusy()),
    get size() {
      return entries.size;
    },
    async close() {
      clearInterval(sweep);
      await Promise.all(transports().map((transport) => transport.close()));
    },
  };
}

function createEntry<T extends SessionTransport>(
  id: string,
  subject: string | undefined,
  transport: T,
): Entry & Session<T> {
  const entry = {
    id,
    subject,
    transport,
    users: 0,
    lastUsed: Date.now(),
    enter() {
      entry.users++;
      let left = false;
      return () => {
        if (left) return;
        left = true;
        entry.users--;
        entry.lastUsed = Date.now();
      };
    },
  };
  return entry;
}

function isOfKind<T extends SessionTransport>(
  session: Session,
  kind: abstract new (...args: never) => T,
): session is Session<T> {
  return session.transport instanceof kind;
}
