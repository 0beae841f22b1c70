import type { RefreshEvent, SnapshotSource } from "#skills";

interface TogetherOptions {
  /** Whether every replica serves what this one does, as far as is known. */
  readonly isTogether: () => boolean;
  /** How long clients wait for a replica that is behind. */
  readonly longestMs?: number;
  /** How long the others get to tell what they serve, after an outage. */
  readonly settleMs?: number;
}

const LONGEST_MS = 3_000;
const SETTLE_MS = 1_000;

type Listen = Pick<SnapshotSource, "onChange" | "onRefresh">;
type ChangeListener = Parameters<SnapshotSource["onChange"]>[0];
type RefreshListener = Parameters<SnapshotSource["onRefresh"]>[0];

/**
 * Announces a change to clients when all replicas serve it: clients then list again, and the balancer may send that request to
 * any replica. A replica that is far behind, or serves something else, delays it for a moment only; when it catches up later,
 * clients are notified once more.
 */
export class AnnounceTogether {
  readonly #options: TogetherOptions;
  readonly #changes = new Set<ChangeListener>();
  readonly #refreshes = new Set<RefreshListener>();
  #waiting: RefreshEvent[] = [];
  #isDue = false;
  /** Some replica was behind when clients were notified. */
  #wasEarly = false;
  #settling = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TogetherOptions) {
    this.#options = options;
  }

  /** What transports listen to. */
  readonly listen: Listen = {
    onChange: (listener) => added(this.#changes, listener),
    onRefresh: (listener) => added(this.#refreshes, listener),
  };

  /** A refresh of this replica. */
  add(event: RefreshEvent): void {
    if (event.change === undefined) {
      for (const listener of this.#refreshes) listener(event);
      return;
    }
    this.#waiting.push(event);
    this.#wait(this.#options.longestMs ?? LONGEST_MS);
    this.check();
  }

  /** Notifies clients once after an outage: they may have missed changes. */
  afterOutage(): void {
    this.#settling = true;
    setTimeout(() => {
      this.#settling = false;
      this.check();
    }, this.#options.settleMs ?? SETTLE_MS).unref();
    this.#wait(this.#options.longestMs ?? LONGEST_MS);
  }

  /** Called when something became known of another replica. */
  check(): void {
    if (this.#settling || !this.#options.isTogether()) return;
    if (this.#isDue || this.#wasEarly) this.#tell();
    this.#wasEarly = false;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    this.#isDue = true;
    this.#timer ??= setTimeout(() => {
      this.#settling = false;
      this.#wasEarly = !this.#options.isTogether();
      this.#tell();
    }, ms).unref();
  }

  #tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = false;
    const events = this.#waiting;
    this.#waiting = [];
    const change = events.at(-1)?.change ?? NOTHING_KNOWN;
    for (const listener of this.#changes) listener(change);
    for (const event of events) for (const listener of this.#refreshes) listener(event);
  }
}

const NOTHING_KNOWN = { added: 0, removed: 0, changed: 0 };

function added<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
