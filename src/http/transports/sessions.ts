import { randomBytes } from "node:crypto";
import type { McpServer, Transport } from "@modelcontextprotocol/server";
import type { SessionContext } from "../../mcp/server/create-server.ts";
import { callerInfo } from "../auth/principal.ts";
import { type Exchange, full } from "../server/exchange.ts";

/** Makes a server for one session or, since 2026-07-28, for one request. */
export type ServerFactory = (context: SessionContext) => McpServer;

export interface SessionLimits {
  readonly sessions: number;
  readonly sessionsPerSubject: number;
  readonly idleMs: number;
}

/** A transport that lasts for a session. */
export interface SessionTransport extends Transport {
  /** Whether a request is not answered yet. */
  isBusy(): boolean;
  /** Ends the stream for notifications, if there is one. */
  endListening(): void;
}

/** One client and its MCP server instance. */
export class Session<T extends SessionTransport = SessionTransport> {
  readonly id = randomBytes(ID_BYTES).toString("base64url");
  /** Who opened it; undefined on a server without authentication. */
  readonly subject: string | undefined;
  readonly transport: T;
  #users = 0;
  #lastUsed = Date.now();

  constructor(subject: string | undefined, create: (id: string) => T) {
    this.subject = subject;
    this.transport = create(this.id);
  }

  /** Marks it as in use until the returned function is called. A session in use is never idle. */
  enter(): () => void {
    this.#users++;
    return () => {
      this.#users--;
      this.#lastUsed = Date.now();
    };
  }

  isIdleSince(time: number): boolean {
    return this.#users === 0 && this.#lastUsed < time;
  }
}

/** 192 random bits: without authentication, the id is the only credential. */
const ID_BYTES = 24;
const MAX_SWEEP_INTERVAL_MS = 60_000;

/** The open sessions of both older transports; they share the limits. */
export class Sessions {
  readonly #factory: ServerFactory;
  readonly #limits: SessionLimits;
  readonly #open = new Map<string, Session>();
  readonly #sweep: NodeJS.Timeout;

  constructor(factory: ServerFactory, limits: SessionLimits) {
    this.#factory = factory;
    this.#limits = limits;
    const interval = Math.min(MAX_SWEEP_INTERVAL_MS, Math.max(10, limits.idleMs / 4));
    this.#sweep = setInterval(() => {
      const time = Date.now() - limits.idleMs;
      this.#close((session) => session.isIdleSince(time));
    }, interval).unref();
  }

  /** Opens a session and connects a new server to its transport. */
  async open<T extends SessionTransport>(
    { principal, isRemote }: Exchange,
    create: (id: string) => T,
  ): Promise<Session<T>> {
    this.#refuseIfFull(principal.subject);
    const mcp = this.#factory({ era: "legacy", isRemote, ...callerInfo(principal) });
    const session = new Session(principal.subject, create);
    session.transport.onclose = () => this.#open.delete(session.id);
    // Before any await, so that concurrent requests cannot exceed the limit.
    this.#open.set(session.id, session);
    await mcp.connect(session.transport);
    return session;
  }

  /** A session of this transport that this subject opened. */
  find<T extends SessionTransport>(
    id: string,
    subject: string | undefined,
    kind: abstract new (...args: never) => T,
  ): Session<T> | undefined {
    const session = this.#open.get(id);
    const isFound = session?.subject === subject && session?.transport instanceof kind;
    return isFound ? (session as Session<T>) : undefined;
  }

  endOf(subjects: ReadonlySet<string>): void {
    this.#close(({ subject }) => subject !== undefined && subjects.has(subject));
  }

  endListening(): void {
    for (const { transport } of this.#open.values()) transport.endListening();
  }

  isBusy(): boolean {
    return [...this.#open.values()].some(({ transport }) => transport.isBusy());
  }

  get size(): number {
    return this.#open.size;
  }

  close(): void {
    clearInterval(this.#sweep);
    this.#close(() => true);
  }

  #close(isMeant: (session: Session) => boolean): void {
    for (const session of this.#open.values()) if (isMeant(session)) void session.transport.close();
  }

  #refuseIfFull(subject: string | undefined): void {
    const { sessions, sessionsPerSubject } = this.#limits;
    if (this.#open.size >= sessions) throw full("The server has reached its session limit. Try again later.");
    if (subject === undefined) return;
    const own = [...this.#open.values()].filter((session) => session.subject === subject).length;
    if (own >= sessionsPerSubject)
      throw full(
        `You have reached the limit of ${sessionsPerSubject} sessions. Close one, or try again later.`,
      );
  }
}
