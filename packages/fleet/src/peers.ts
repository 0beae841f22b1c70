import { monotonicMs } from "#util";
import type { Bus } from "./bus.ts";

/** What a replica serves, as it announces it to the others. */
export interface PeerState {
  /** Changes when clients would see something else. */
  readonly revision: string;
  /** Of each repository, by its address and branch. */
  readonly commits: Readonly<Record<string, string>>;
  readonly version: string;
}

const HEARTBEAT_MS = 5_000;
/** A replica that was silent for so long has ended. */
const SILENT_MS = 16_000;

interface Peer {
  readonly state: PeerState;
  readonly heardAt: number;
}

/** The other replicas that announced themselves lately. */
export class Peers {
  readonly #bus: Bus;
  readonly #own: () => PeerState;
  readonly #peers = new Map<string, Peer>();
  readonly #listeners = new Set<(state: PeerState | undefined, replica: string) => void>();
  readonly #heartbeat: NodeJS.Timeout;

  constructor(bus: Bus, own: () => PeerState) {
    this.#bus = bus;
    this.#own = own;
    bus.on("here", (data, from) => this.#hear(data, from));
    bus.on("hello", (data, from) => {
      this.#hear(data, from);
      this.tell();
    });
    bus.on("bye", (_data, from) => this.#lose(from));
    bus.on("alive", () => true);
    this.#heartbeat = setInterval(() => this.tell(), HEARTBEAT_MS).unref();
  }

  /** Announces the state of this replica, and asks all others for theirs. */
  hello(): void {
    void this.#bus.tell("hello", this.#own());
  }

  tell(): void {
    void this.#bus.tell("here", this.#own());
  }

  /** Those that were heard of lately, by name. */
  all(): ReadonlyMap<string, PeerState> {
    const now = monotonicMs();
    for (const [name, { heardAt }] of this.#peers) if (now - heardAt > SILENT_MS) this.#peers.delete(name);
    return new Map(Array.from(this.#peers, ([name, { state }]) => [name, state]));
  }

  /** Calls back when a replica tells its state, or ends. */
  onState(listener: (state: PeerState | undefined, replica: string) => void): void {
    this.#listeners.add(listener);
  }

  /** Asks those with another revision whether they are still there: a replica that was killed said no `bye`. */
  async checkAlive(revision: string): Promise<void> {
    const others = [...this.all()].filter(([, state]) => state.revision !== revision);
    await Promise.all(
      others.map(async ([name]) => {
        if ((await this.#bus.ask(name, "alive", {})).kind === "gone") this.#lose(name);
      }),
    );
  }

  /** Forgets all replicas: while Redis is away, nothing is known of them. */
  forget(): void {
    this.#peers.clear();
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#bus.tell("bye", {});
  }

  #hear(data: unknown, from: string): void {
    const state = stateIn(data);
    if (state === undefined) return;
    this.#peers.set(from, { state, heardAt: monotonicMs() });
    this.#call(state, from);
  }

  #lose(replica: string): void {
    if (this.#peers.delete(replica)) this.#call(undefined, replica);
  }

  #call(state: PeerState | undefined, replica: string): void {
    for (const listener of this.#listeners) listener(state, replica);
  }
}

function stateIn(data: unknown): PeerState | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { revision, commits, version } = data as Partial<Record<keyof PeerState, unknown>>;
  const isState = typeof revision === "string" && typeof commits === "object" && commits !== null;
  return isState
    ? { revision, commits: commits as PeerState["commits"], version: String(version) }
    : undefined;
}
