import { mkdirSync, readFileSync, renameSync, type Stats, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ListToolsResult } from "@modelcontextprotocol/server";
import type { App } from "../../app/create-app.ts";
import { hasLibrary } from "../../app/library/open-sources.ts";
import { type Client, profileOf } from "../../mcp/clients/profiles.ts";
import { type ListTools, type ToolList } from "../../mcp/definitions/tool-list.ts";
import type { Snapshot } from "../../registry/registry.ts";
import { fingerprintOf, mayChangeUnseen } from "../../system/files/fingerprint.ts";
import { homeFolder } from "../../system/files/home-folder.ts";
import { shortHash } from "../../system/hash.ts";
import { VERSION } from "../../version.ts";
import type { ServerPlan } from "../plan-server.ts";

/** By then a client has its first answers. */
const IDLE_MS = 1_000;

/**
 * The first list of tools. A client waits for it, and it takes a scan, so the list of the last
 * run is sent if nothing that it shows has changed, and corrected by `list_changed` if the scan shows another one.
 */
export function createFirstList(app: Pick<App, "snapshot">, plan: ServerPlan, listTools: ListTools) {
  const startedAt = Date.now();
  return async (client: Client): Promise<object> => {
    const cache = cachedListFor(plan, client);
    const fresh = async (): Promise<object> => {
      const snapshot = await app.snapshot();
      const list = listTools(snapshot, client);
      setTimeout(() => cache?.write(list, snapshot, startedAt), IDLE_MS).unref();
      return list.answer;
    };
    const cached = cache?.read();
    if (cached === undefined) return fresh();
    // Cached anew for the next run. This run's client is notified if the SDK's list differs.
    setImmediate(() => void fresh().catch(() => {}));
    return cached;
  };
}

/** Undefined with a library, whose content the cache does not check, and where changes are not announced. */
function cachedListFor({ app, settings }: ServerPlan, client: Client): CachedList | undefined {
  if (hasLibrary(app.library, process.env) || !settings.announcesChanges) return undefined;
  const home = path.resolve(app.userDir ?? homeFolder());
  const { budgets, opensFiles } = profileOf(client);
  const budget = settings.descriptionBudget ?? budgets.description;
  const key = JSON.stringify([VERSION, process.cwd(), home, app, settings, budget, opensFiles]);
  return openCachedList(path.join(home, ".skills-mcp", "cache"), key);
}

/** The tools of the last run, for a client that asks before this run has scanned the disk. */
interface CachedList {
  /** Undefined when there is none, or when anything that it shows has changed. */
  read(): ListToolsResult | undefined;
  /** Caches the list of a first scan that began at `scannedAt`. */
  write(list: ToolList, snapshot: Snapshot, scannedAt: number): void;
}

interface Content {
  readonly key: string;
  /** Every place that decides what the list shows. */
  readonly places: readonly (readonly [place: string, fingerprint: number | null])[];
  readonly answer: ListToolsResult;
}

/** Fewer skills are scanned as fast as a cached list is checked. */
const FEWEST_SKILLS = 100;
/** More places take as long to check as a scan. */
const MOST_PLACES = 2_000;

/** `key` is everything but the disk that decides what the list shows. */
export function openCachedList(folder: string, key: string, fewest = FEWEST_SKILLS): CachedList {
  const file = path.join(folder, `tools-${shortHash(key)}.json`);
  return {
    read() {
      try {
        if (statsOf(file) === undefined) return undefined;
        const content = JSON.parse(readFileSync(file, "utf8")) as Content;
        const isCurrent =
          content.key === key &&
          content.places.every(([place, before]) => fingerprint(statsOf(place)) === before);
        return isCurrent ? content.answer : undefined;
      } catch {
        return undefined;
      }
    },
    write({ answer, shown }, snapshot, scannedAt) {
      const { entries } = snapshot.catalog;
      if (entries.length < fewest) return;
      const skills = entries.slice(0, shown).map(({ skill }) => skill);
      const files = skills.map(
        ({ realDir, fileName, linkedFile }) => linkedFile ?? path.join(realDir, fileName),
      );
      const places = new Set([...snapshot.surroundings(), ...skills.map(({ realDir }) => realDir), ...files]);
      if (places.size > MOST_PLACES) return;
      try {
        const stats = [...places].map((place) => [place, statsOf(place)] as const);
        if (stats.some(([, found]) => found !== undefined && mayChangeUnseen(found, scannedAt))) return;
        const checked = stats.map(([place, found]) => [place, fingerprint(found)] as const);
        const content: Content = { key, places: checked, answer };
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(`${file}.${process.pid}.tmp`, JSON.stringify(content), { mode: 0o600 });
        renameSync(`${file}.${process.pid}.tmp`, file);
      } catch {
        // The next start scans the disk first.
      }
    },
  };
}

function statsOf(place: string): Stats | undefined {
  return statSync(place, { throwIfNoEntry: false });
}

function fingerprint(stats: Stats | undefined): number | null {
  return stats === undefined ? null : fingerprintOf(stats);
}
