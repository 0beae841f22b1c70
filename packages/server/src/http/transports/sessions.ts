import { randomBytes } from "node:crypto";
import type { McpServer, Transport } from "@modelcontextprotocol/server";
import type { SessionContext } from "../../mcp/server/create-server.ts";
import { callerInfo, type Principal } from "../auth/principal.ts";
import { type Exchange, full, type HttpRefusal } from "../server/exchange.ts";
import type { ClientLog } from "./client-log.ts";

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
  readonly id: string;
  /** Who opened it; undefined on a server without authentication. */
  readonly subject: string | undefined;
  /** The profile that it serves; undefined: everything. */
  readonly profile: string | undefined;
  readonly transport: T;
  readonly mcp: McpServer;
  /** Whether the client's `initialized` was seen here; another replica may have received it. */
  isInitialized = false;
  /** When the other replicas were last told that it is in use. */
  touchedAt = Date.now();
  #users = 0;
  #lastUsed = Date.now();

  constructor(id: string, { subject, profile }: Principal, transport: T, mcp: McpServer) {
    this.id = id;
    this.subject = subject;
    this.profile = profile;
    this.transport = transport;
    this.mcp = mcp;
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

  get lastUsed(): number {
    return this.#users > 0 ? Number.POSITIVE_INFINITY : this.#lastUsed;
  }
}

/** 192 random bits: without authentication, the id is the only credential. */
const ID_BYTES = 24;

export function randomId(): string {
  return randomBytes(ID_BYTES).toString("base64url");
}

/** What a session is opened with. */
export interface NewSession<T extends SessionTransport> {
  readonly create: (id: string) => T;
  /** Random when absent. */
  readonly id?: string;
  /** True: it was opened on another replica, so that no limit refuses it. */
  readonly isKnown?: boolean;
}

const MAX_SWEEP_INTERVAL_MS = 60_000;

/** The open sessions of both older transports; they share the limits. */
export class Sessions {
  readonly #factory: ServerFactory;
  readonly #limits: SessionLimits;
  readonly #clients: ClientLog;
  readonly #isShared: boolean;
  readonly #open = new Map<string, Session>();
  readonly #sweep: NodeJS.Timeout;

  /** `isShared`: other replicas can go on with a session. */
  constructor(factory: ServerFactory, limits: SessionLimits, clients: ClientLog, isShared = false) {
    this.#factory = factory;
    this.#isShared = isShared;
    this.#limits = limits;
    this.#clients = clients;
    const interval = Math.min(MAX_SWEEP_INTERVAL_MS, Math.max(10, limits.idleMs / 4));
    this.#sweep = setInterval(() => {
      const time = Date.now() - limits.idleMs;
      this.#close((session) => session.isIdleSince(time));
    }, interval).unref();
  }

  /** Opens a session and connects a new server to its transport. */
  async open<T extends SessionTransport>(
    { principal, isRemote }: Pick<Exchange, "principal" | "isRemote">,
    { create, id = randomId(), isKnown = false }: NewSession<T>,
  ): Promise<Session<T>> {
    if (this.#isShared) this.#makeRoom();
    if (!isKnown) this.#refuseIfFull(principal.subject);
    const mcp = this.#factory({ era: "legacy", isRemote, ...callerInfo(principal) });
    const session = new Session(id, principal, create(id), mcp);
    const { subject, profile } = principal;
    const leave = this.#clients.enter({ client: () => mcp.server.getClientVersion(), subject, profile });
    session.transport.onclose = () => {
      this.#open.delete(session.id);
      leave();
    };
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

  /** Every open session. */
  all(): readonly Session[] {
    return [...this.#open.values()];
  }

  endOf(subjects: Pick<ReadonlySet<string>, "has">): void {
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

  /** Another replica can go on with a session, so the one that was unused for longest makes room. */
  #makeRoom(): void {
    if (this.#open.size < this.#limits.sessions) return;
    const [oldest] = this.all()
      .filter((session) => Number.isFinite(session.lastUsed) && !session.transport.isBusy())
      .sort((a, b) => a.lastUsed - b.lastUsed);
    if (oldest === undefined) throw full("The server has reached its session limit. Try again later.");
    void oldest.transport.close();
  }

  #refuseIfFull(subject: string | undefined): void {
    const { sessions, sessionsPerSubject } = this.#limits;
    if (this.#open.size >= sessions) throw full("The server has reached its session limit. Try again later.");
    if (subject === undefined) return;
    const own = [...this.#open.values()].filter((session) => session.subject === subject).length;
    if (own >= sessionsPerSubject) throw tooManySessions(sessionsPerSubject);
  }
}

export function tooManySessions(most: number): HttpRefusal {
  return full(`You have reached the limit of ${most} sessions. Close one, or try again later.`);
}
