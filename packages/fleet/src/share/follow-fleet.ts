import type { Snapshot, SnapshotSource } from "#skills";
import type { GitLibraries, RepoState } from "#sources";
import { type Log, VERSION } from "#util";
import { shortHash } from "#util/pure";
import { type PeerState, Peers } from "../peers.ts";
import type { Redis, RedisState } from "../redis.ts";
import { AnnounceTogether } from "./announce-together.ts";
import type { Fleet } from "./open-fleet.ts";

export interface FollowFleetOptions {
  readonly fleet: Fleet;
  readonly skills: SnapshotSource;
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
export function followFleet({ fleet, skills, git, log }: FollowFleetOptions): FollowedFleet {
  let revision = "";
  const commits = () => commitsOf(git?.states() ?? []);
  const peers = new Peers(fleet.bus, () => ({ revision, commits: commits(), version: VERSION }));
  // A replica without a revision serves nothing yet.
  const isOther = (peer: PeerState): boolean => peer.revision !== revision && peer.revision !== "";
  const isTogether = (): boolean => ![...peers.all().values()].some(isOther);
  const together = new AnnounceTogether({ isTogether });
  const follow = createFollower({ skills, git, log }, () => ({ revision, commits: commits() }));

  const update = (snapshot: Snapshot): void => {
    const next = revisionOf(snapshot, commits());
    if (next === revision) return;
    revision = next;
    peers.tell();
  };
  const stop = skills.onRefresh((event) => {
    update(event.snapshot);
    together.add(event);
    // Clients need not wait for a replica that was killed, nor be told again when it is forgotten.
    if (event.change !== undefined) void peers.checkAlive(revision);
  });
  void skills.snapshot().then(
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
  { skills, git, log }: Pick<FollowFleetOptions, "skills" | "git" | "log">,
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
      skills.refresh().catch(failed);
    }
  };
}

/** Whether this replica is the one that asks the git servers at this interval; the others follow it. */
export function mayPoll(redis: Redis, intervalMs: number): () => Promise<boolean> {
  // A little shorter, so that its own lease does not keep the owner from the next turn.
  return () => takeLease(redis, "git", intervalMs * 0.9);
}

/** Takes a lease that no replica has, or prolongs that of this replica. */
const TAKE = `
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/**
 * Takes the lease `name` for a time; true if this replica has it now. At most one has it while Redis answers; without an answer
 * every replica may act, so it is true.
 */
async function takeLease(redis: Redis, name: string, ms: number): Promise<boolean> {
  try {
    const args = [redis.replica, String(Math.max(1, Math.round(ms)))];
    return (await redis.evaluate(TAKE, [redis.key(`lease:${name}`)], args)) === 1;
  } catch {
    return true;
  }
}

/**
 * What clients see of the skills, as a short text that is the same on every machine that serves the same: nothing of a path or
 * a time is in it.
 */
function revisionOf({ catalog, library, hasFiles }: Snapshot, commits: object): string {
  const skills = catalog.entries.map(({ listedAs, skill }) => {
    const { description, provider, location, invocation } = skill;
    return [listedAs, description, provider, location, invocation];
  });
  const ofLibrary = Array.from(library.skills.values(), (skill) => {
    const { path, description, keywords, priority, inherit, assets, scripts, parent } = skill;
    return [path, description, keywords, priority, inherit, assets, scripts, parent];
  });
  return shortHash(JSON.stringify([skills, ofLibrary, hasFiles, commits]));
}

/** The commit of each repository, by its address and branch. */
function commitsOf(states: readonly RepoState[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    states.flatMap(({ url, branch, commit }) => (commit === undefined ? [] : [[`${url}#${branch}`, commit]])),
  );
}
