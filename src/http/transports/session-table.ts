import { randomBytes } from "node:crypto";

export interface SessionLimits {
  readonly sessions: number;
  readonly sessionsPerSubject: number;
  readonly idleMs: number;
}

/** What holds a place in the table until it ends. */
export interface Session<T> {
  readonly id: string;
  /** Who opened it; undefined where nobody needs to say who they are. */
  readonly subject: string | undefined;
  readonly value: T;
  /** Marks it as in use until the returned function is called. A session in use is never idle. */
  enter(): () => void;
}

type Admission<T> =
  | { readonly ok: true; readonly session: Session<T> }
  | { readonly ok: false; readonly why: "full" | "subject-full" };

/** The sessions that are open, each found only by the subject that opened it. */
export interface SessionTable<T> {
  /** Gives the session its place before it opens, so that a crowd cannot slip past the cap. */
  open(subject: string | undefined, make: (id: string) => T): Admission<T>;
  find(id: string, subject: string | undefined): Session<T> | undefined;
  /** Forgets it; whoever calls this closes what it held. */
  remove(id: string): void;
  values(): Iterable<Session<T>>;
  readonly size: number;
  close(): void;
}

interface Entry<T> extends Session<T> {
  users: number;
  lastUsed: number;
}

/** 192 random bits: an id is all that a client without credentials has to show. */
const ID_BYTES = 24;
const SLOWEST_SWEEP_MS = 60_000;

export function createSessionTable<T>(
  limits: SessionLimits,
  onIdle: (session: Session<T>) => void,
  now: () => number = Date.now,
): SessionTable<T> {
  const entries = new Map<string, Entry<T>>();
  const bySubject = new Map<string, number>();

  const sweep = setInterval(
    () => {
      const oldest = now() - limits.idleMs;
      for (const entry of entries.values()) if (entry.users === 0 && entry.lastUsed < oldest) onIdle(entry);
    },
    Math.min(SLOWEST_SWEEP_MS, Math.max(10, limits.idleMs / 4)),
  );
  sweep.unref();

  return {
    open(subject, make) {
      if (entries.size >= limits.sessions) return { ok: false, why: "full" };
      const own = subject === undefined ? 0 : (bySubject.get(subject) ?? 0);
      if (subject !== undefined) {
        if (own >= limits.sessionsPerSubject) return { ok: false, why: "subject-full" };
        bySubject.set(subject, own + 1);
      }
      const id = randomBytes(ID_BYTES).toString("base64url");
      const entry: Entry<T> = {
        id,
        subject,
        value: make(id),
        users: 0,
        lastUsed: now(),
        enter() {
          entry.users++;
          let left = false;
          return () => {
            if (left) return;
            left = true;
            entry.users--;
            entry.lastUsed = now();
          };
        },
      };
      entries.set(id, entry);
      return { ok: true, session: entry };
    },
    find(id, subject) {
      const entry = entries.get(id);
      return entry !== undefined && entry.subject === subject ? entry : undefined;
    },
    remove(id) {
      const entry = entries.get(id);
      if (entry === undefined) return;
      entries.delete(id);
      if (entry.subject === undefined) return;
      const left = (bySubject.get(entry.subject) ?? 1) - 1;
      if (left === 0) bySubject.delete(entry.subject);
      else bySubject.set(entry.subject, left);
    },
    values: () => entries.values(),
    get size() {
      return entries.size;
    },
    close: () => clearInterval(sweep),
  };
}
