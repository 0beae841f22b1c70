import type { ClientInfo } from "#agents";

/** A client of this server, now or since the server started. */
export interface SeenClient {
  readonly client: ClientInfo;
  /** Who it is; undefined on a server without authentication. */
  readonly subject: string | undefined;
  /** The profile that decides what it sees. */
  readonly profile?: string | undefined;
  readonly era: "legacy" | "modern";
  /** Open sessions; always 0 in the modern era. */
  readonly sessions: number;
  readonly firstSeen: number;
  readonly lastSeen: number;
}

/** A client that sends single requests counts as connected for this time after its last one. */
const CONNECTED_MS = 120_000;

export function isConnected({ sessions, lastSeen }: SeenClient): boolean {
  return sessions > 0 || Date.now() - lastSeen < CONNECTED_MS;
}

type Who = Pick<SeenClient, "client" | "subject" | "profile" | "era">;

/** Who sends a request, and what they see. */
type SeenCaller = Pick<SeenClient, "subject" | "profile">;

interface OpenSession extends SeenCaller {
  /** Undefined until it has introduced itself. */
  readonly client: () => ClientInfo | undefined;
  readonly since: number;
}

/** A client may name itself anything, so neither the number of names nor their length is theirs to choose. */
const MOST_CLIENTS = 200;
const LONGEST_NAME = 100;

export interface ClientLog {
  /** A session begins; the returned function ends it. */
  enter(session: Omit<OpenSession, "since">): () => void;
  /** A single request of the modern era, which names its client. */
  note(client: ClientInfo, caller: SeenCaller): void;
  /** The last seen first. */
  list(): readonly SeenClient[];
}

/** Remembers who talks to this server, for the dashboard. Nothing of it is written anywhere. */
export function createClientLog(now: () => number = Date.now): ClientLog {
  const open = new Set<OpenSession>();
  const past = new Map<string, SeenClient>();

  const remember = (who: Who, since: number): void => {
    const client = shortened(who.client);
    const key = keyOf({ ...who, client });
    const firstSeen = past.get(key)?.firstSeen ?? since;
    // The first one in the order of the map is the one that was not seen for the longest time.
    past.delete(key);
    past.set(key, { ...who, client, sessions: 0, firstSeen, lastSeen: now() });
    const [oldest] = past.keys();
    if (past.size > MOST_CLIENTS && oldest !== undefined) past.delete(oldest);
  };
  return {
    enter({ client, subject, profile }) {
      const session = { client, subject, profile, since: now() };
      open.add(session);
      return () => {
        const known = client();
        if (open.delete(session) && known !== undefined)
          remember({ client: known, subject, profile, era: "legacy" }, session.since);
      };
    },
    note(client, { subject, profile }) {
      remember({ client, subject, profile, era: "modern" }, now());
    },
    list() {
      const all = new Map(past);
      for (const { client, subject, profile, since } of open) {
        const known = client();
        if (known === undefined) continue;
        const who = { client: shortened(known), subject, profile, era: "legacy" as const };
        const before = all.get(keyOf(who));
        all.set(keyOf(who), {
          ...who,
          sessions: (before?.sessions ?? 0) + 1,
          firstSeen: Math.min(before?.firstSeen ?? since, since),
          lastSeen: now(),
        });
      }
      return [...all.values()].sort((a, b) => b.lastSeen - a.lastSeen);
    },
  };
}

function keyOf({ client, subject, profile, era }: Who): string {
  return JSON.stringify([era, subject, profile, client.name, client.version]);
}

function shortened({ name, version }: ClientInfo): ClientInfo {
  const short = name.slice(0, LONGEST_NAME);
  return version === undefined ? { name: short } : { name: short, version: version.slice(0, LONGEST_NAME) };
}
