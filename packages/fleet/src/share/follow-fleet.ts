import type { Snapshot, SnapshotSource } from "#skills";
import type { GitLibraries } from "#sources";
import type { Log } from "#util";
import { VERSION } from "#util";
import { takeLease } from "../lease.ts";
import { type PeerState, Peers } from "../peers.ts";
import type { Redis, RedisState } from "../redis.ts";
import { AnnounceTogether } from "./announce-together.ts";
import type { Fleet } from "./open-fleet.ts";
import { commitsOf, revisionOf } from "./revision.ts";

export interface FollowFleetOptions {
  readonly fleet: Fleet;
  readonly app: SnapshotSource;
  readonly git: GitLibraries | undefined;
  readonly log: Log;
}

/** The fleet as one replica sees it. */
export interface FleetHealth extends RedisState {
  readonly replica: string;
  readonly revision: string;
  /** The others that were heard of lately; none while Redis is away. */
  readonly replicas: readonly (PeerState & { readonly replica: string })[];
  /** Whether some of them serve something else than this one. */
  readonly differ: boolean;
}

export interface FollowedFleet {
  /** Tells of a change once all replicas serve it. */
  readonly listen: Pick<SnapshotSource, "onChange" | "onRefresh">;
  health(): FleetHealth;
  close(): Promise<void>;
}

/** How many commits and revisions of other replicas are remembered. */
const MOST_TRIED = 100;

/** Tells the other replicas what this one serves, and follows them: what one of them fetched, all fetch. */
export function followFleet({ fleet, app, git, log }: FollowFleetOptions): FollowedFleet {
  let revision = "";
  const commits = () => commitsOf(git?.states() ?? []);
  const peers = new Peers(fleet.bus, () => ({ revision, commits: commits(), version: VERSION }));
  // A replica without a revision serves nothing yet.
  const isOther = (peer: PeerState): boolean => peer.revision !== revision && peer.revision !== "";
  const isTogether = (): boolean => ![...peers.all().values()].some(isOther);
  const together = new AnnounceTogether({ isTogether });
  const follow = createFollower({ app, git, log }, () => ({ revision, commits: commits() }));

  const update = (snapshot: Snapshot): void => {
    const next = revisionOf(snapshot, commits());
    if (next === revision) return;
    revision = next;
    peers.tell();
  };
  const stop = app.onRefresh((event) => {
    update(event.snapshot);
    together.add(event);
    // Clients need not wait for a replica that was killed, nor be told again when it is forgotten.
    if (event.change !== undefined) void peers.checkAlive(revision);
  });
  void app.snapshot().then(
    (snapshot) => {
      update(snapshot);
      peers.hello();
    },
    () => {},
  );
  peers.onState((state) => {
    if (state !== undefined && revision !== "") follow(state);
    together.check();
  });
  fleet.onJoin(({ wasAway }) => {
    peers.forget();
    peers.hello();
    if (wasAway) together.afterOutage();
  });

  return {
    listen: together.listen,
    health() {
      const redis = fleet.redis.state();
      if (redis.state === "degraded") peers.forget();
      const replicas = Array.from(peers.all(), ([replica, state]) => ({ replica, ...state }));
      const differ = replicas.some(isOther);
      return { ...redis, replica: fleet.bus.replica, revision, replicas, differ };
    },
    async close() {
      stop();
      together.close();
      await peers.close();
    },
  };
}

/** Fetches, or scans, when another replica has something else; once for each thing that it has. */
function createFollower(
  { app, git, log }: Pick<FollowFleetOptions, "app" | "git" | "log">,
  own: () => Omit<PeerState, "version">,
) {
  const tried = new Set<string>();
  const isNew = (what: string): boolean => {
    if (tried.has(what)) return false;
    tried.add(what);
    for (const oldest of tried) if (tried.size > MOST_TRIED) tried.delete(oldest);
    return true;
  };
  const failed = (error: unknown): void =>
    log.error(`cannot follow another replica: ${error instanceof Error ? error.message : String(error)}`);

  return ({ revision, commits }: PeerState): void => {
    const mine = own();
    const behind = Object.entries(commits).filter(
      ([repo, commit]) => Object.hasOwn(mine.commits, repo) && mine.commits[repo] !== commit,
    );
    if (behind.length > 0) {
      // A replica that is itself behind is asked for nothing: its commit is fetched once, and found to be old.
      const unseen = behind.filter(([repo, commit]) => isNew(`${repo} ${commit}`));
      if (unseen.length > 0) git?.refresh({ wait: true }).catch(failed);
    } else if (revision !== "" && revision !== mine.revision && isNew(revision)) {
      app.refresh().catch(failed);
    }
  };
}

/** Whether this replica is the one that asks the git servers at this interval; the others follow it. */
export function mayPoll(redis: Redis, intervalMs: number): () => Promise<boolean> {
  // A little shorter, so that its own lease does not keep the owner from the next turn.
  return () => takeLease(redis, "git", intervalMs * 0.9);
}
