import { randomBytes } from "node:crypto";
import type { InitializeRequest, JSONRPCMessage } from "@modelcontextprotocol/server";
import type { Fleet } from "#fleet";
import { field, textField } from "../auth/principal.ts";
import type { Exchange } from "../server/exchange.ts";
import type { OpenStreams } from "../server/open-streams.ts";
import { type Session, type Sessions, tooManySessions } from "./sessions.ts";
import { SharedStreams } from "./shared-streams.ts";
import { type StreamableSession, StreamableTransport } from "./streamable-transport.ts";

export interface SharedOptions {
  readonly fleet: Fleet;
  readonly sessions: Sessions;
  readonly streams: OpenStreams;
  readonly keepAliveMs: number;
  readonly idleMs: number;
  readonly sessionsPerSubject: number;
}

type SessionCaller = Pick<Exchange, "principal" | "isRemote">;
type Start = InitializeRequest["params"];

/** How many sessions are checked at a time after a new connection. */
const CHECKED_AT_ONCE = 50;

/**
 * The sessions of Streamable HTTP as all replicas share them. Each replica that gets a request of a session has a server for it,
 * made of the record in Redis; whoever changes the session tells the others.
 */
export class SharedSessions {
  readonly streams: SharedStreams;
  readonly #fleet: Fleet;
  readonly #sessions: Sessions;
  readonly #options: SharedOptions;
  readonly #opening = new Map<string, Promise<StreamableSession | undefined>>();
  readonly #sweep: NodeJS.Timeout;

  constructor(options: SharedOptions) {
    const { fleet, sessions, idleMs } = options;
    this.#options = options;
    this.#fleet = fleet;
    this.#sessions = sessions;
    this.streams = new SharedStreams(fleet, (key) => this.#byKey(key));
    this.#listen();
    fleet.onJoin(() => void this.#checkAll().catch(() => {}));
    this.#sweep = setInterval(() => this.#touchUsed(), Math.max(1_000, idleMs / 4)).unref();
  }

  /** Opens a session that every replica will know. */
  async open(caller: SessionCaller, start: Start): Promise<StreamableSession> {
    const { subject } = caller.principal;
    const id = this.#fleet.sessions.newId(start, subject);
    await this.#enter(id, subject);
    try {
      const session = await this.#connect(id, caller, false);
      await this.#fleet.sessions.opened(id, start, subject);
      return session;
    } catch (error) {
      this.#leave(id, subject);
      throw error;
    }
  }

  /** Takes one of the places that the caller has on all replicas. Without Redis, this replica's own count decides. */
  async #enter(id: string, subject: string | undefined): Promise<void> {
    const { sessionsPerSubject: most } = this.#options;
    if (subject === undefined) return;
    if ((await this.#fleet.slots.enter(subject, this.#fleet.keyOf(id), most)) === false)
      throw tooManySessions(most);
  }

  #leave(id: string, subject: string | undefined): void {
    if (subject !== undefined) this.#fleet.slots.leave(subject, this.#fleet.keyOf(id));
  }

  /** A session that this caller opened, here or on another replica. */
  async find(id: string, caller: SessionCaller): Promise<StreamableSession | undefined> {
    const { subject } = caller.principal;
    const known = this.#sessions.find(id, subject, StreamableTransport);
    if (known !== undefined) {
      this.#touch(known);
      return known;
    }
    const name = JSON.stringify([id, subject]);
    const opening =
      this.#opening.get(name) ?? this.#pickUp(id, caller).finally(() => this.#opening.delete(name));
    this.#opening.set(name, opening);
    return opening;
  }

  /** Ends a session on every replica. */
  async end(session: StreamableSession): Promise<void> {
    this.#fleet.sessions.ended(session.id, session.subject);
    this.#leave(session.id, session.subject);
    await session.transport.close();
    await this.#fleet.bus.tell("end", { session: this.#fleet.keyOf(session.id) });
  }

  /** Ends the sessions and streams of these subjects on the other replicas. */
  revoked(subjects: ReadonlySet<string>): void {
    for (const subject of subjects) this.#fleet.sessions.endOf(subject).catch(() => {});
    void this.#fleet.bus.tell("revoked", { callers: Array.from(subjects, this.#fleet.callerOf) });
  }

  /** Whether the client's `initialized` came here or elsewhere: a request that follows it says so. */
  initialize(session: StreamableSession, messages: readonly JSONRPCMessage[]): void {
    if (session.isInitialized) return;
    session.isInitialized = true;
    if (messages.some((message) => "method" in message && message.method === INITIALIZED.method)) return;
    void session.transport.replay(INITIALIZED);
  }

  /** Whether Redis does not answer, so that nothing is known of what other replicas have. */
  isAway(): boolean {
    return this.#fleet.redis.state().state === "degraded";
  }

  /** Streams that broke are left to the replica that their clients come to. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all(this.#streamable().map(({ transport }) => transport.spill()));
  }

  async #connect(id: string, caller: SessionCaller, isKnown: boolean): Promise<StreamableSession> {
    const { keepAliveMs } = this.#options;
    const { bus, keyOf, sessions } = this.#fleet;
    const key = keyOf(id);
    return this.#sessions.open(caller, {
      id,
      isKnown,
      create: () =>
        new StreamableTransport(id, keepAliveMs, {
          replica: bus.replica,
          mark: key.slice(0, 12),
          onCancelled: (request) => void bus.tell("cancel", { session: key, request }),
          onSubscribed(uri, isOn) {
            sessions.subscribed(id, uri, isOn);
            void bus.tell("subscribed", { session: key, uri, isOn });
          },
          forward: (stream, events) => this.streams.forward(id, stream, events),
        }),
    });
  }

  /** Makes a server that is where the session is: initialized by its client, with its subscriptions. */
  async #pickUp(id: string, caller: SessionCaller): Promise<StreamableSession | undefined> {
    const found = await this.#fleet.sessions.find(id, caller.principal.subject);
    if (found.kind === "unknown") return undefined;
    const session = await this.#connect(id, caller, true);
    const { transport } = session;
    await transport.replay(asRequest("initialize", { ...found.start }));
    session.isInitialized = true;
    await transport.replay(INITIALIZED);
    await Promise.all(
      found.subscriptions.map((uri) => transport.replay(asRequest("resources/subscribe", { uri }))),
    );
    return session;
  }

  #listen(): void {
    const { bus } = this.#fleet;
    bus.on("end", (data) => void this.#byKey(textField(data, "session"))?.transport.close());
    bus.on("cancel", (data) => {
      const request = field(data, "request");
      if (typeof request === "string" || typeof request === "number")
        this.#byKey(textField(data, "session"))?.transport.cancel(request);
    });
    bus.on("subscribed", (data) => {
      const uri = textField(data, "uri");
      const method = field(data, "isOn") === true ? "resources/subscribe" : "resources/unsubscribe";
      void this.#byKey(textField(data, "session"))?.transport.replay(asRequest(method, { uri }));
    });
    bus.on("revoked", (data) => {
      const callers = field(data, "callers");
      if (!Array.isArray(callers)) return;
      const subjects = { has: (subject: string) => callers.includes(this.#fleet.callerOf(subject)) };
      this.#sessions.endOf(subjects);
      this.#options.streams.endOf(subjects);
    });
  }

  /** Messages may have been missed: sessions that ended meanwhile are closed, and those that Redis lost are written again. */
  async #checkAll(): Promise<void> {
    const { sessions } = this.#fleet;
    const open = this.#streamable();
    for (let at = 0; at < open.length; at += CHECKED_AT_ONCE) {
      await Promise.all(
        open.slice(at, at + CHECKED_AT_ONCE).map(async ({ id, subject, transport, mcp }) => {
          const fate = await sessions.check(id, subject);
          if (fate === "ended") await transport.close();
          if (fate !== "forgotten") return;
          await sessions.opened(id, startOf(mcp), subject);
          if (subject !== undefined) this.#fleet.slots.renew(subject, this.#fleet.keyOf(id));
        }),
      );
    }
  }

  /** A session is put off when it was used in the last quarter of its time. */
  #touch(session: StreamableSession): void {
    const now = Date.now();
    if (now - session.touchedAt < this.#options.idleMs / 4) return;
    session.touchedAt = now;
    this.#fleet.sessions.touch(session.id);
    if (session.subject !== undefined)
      this.#fleet.slots.renew(session.subject, this.#fleet.keyOf(session.id));
  }

  /** Those with an open stream, which send no requests. */
  #touchUsed(): void {
    for (const session of this.#streamable()) if (session.transport.isListening()) this.#touch(session);
  }

  #streamable(): readonly StreamableSession[] {
    return this.#sessions.all().filter(isStreamable);
  }

  #byKey(key: string): StreamableSession | undefined {
    return this.#streamable().find(({ id }) => this.#fleet.keyOf(id) === key);
  }
}

const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" } as const;

/** With an id that no client uses. */
function asRequest(method: string, params: Record<string, unknown>): JSONRPCMessage {
  return { jsonrpc: "2.0", id: `replica-${randomBytes(9).toString("base64url")}`, method, params };
}

function isStreamable(session: Session): session is StreamableSession {
  return session.transport instanceof StreamableTransport;
}

function startOf({ server }: StreamableSession["mcp"]): Start {
  const { name = "", version = "" } = server.getClientVersion() ?? {};
  return {
    protocolVersion: server.getNegotiatedProtocolVersion() ?? "",
    capabilities: server.getClientCapabilities() ?? {},
    clientInfo: { name, version },
  };
}
