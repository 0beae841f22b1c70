import path from "node:path";
import type { Audience, Diagnostic, OpenViewOptions, Snapshot, SnapshotView } from "#skills";
import { type Places, viewKey } from "#skills";
import type { Idle, Log } from "#util";
import { UNOBSERVED, type WorkResult } from "#util";
import type { SearchEngine } from "./search-engine.ts";
import type { SearchResult } from "./search-skills.ts";

interface SearchDeps {
  readonly options: OpenViewOptions;
  readonly places: Places;
  readonly snapshot: () => Promise<Snapshot>;
  readonly idle: Idle;
  readonly log: Log;
  /** Whoever is served these has an index of their own: scores and corrections tell what else is in an index. */
  readonly profiles?: readonly string[] | undefined;
}

/** Whatever has an index of all skills that it serves. */
export interface SearchIndexSource {
  readonly searchIndex: () => ReturnType<SearchEngine["indexOf"]>;
}

/** Ranked search. Its code is loaded with the first search: most servers never need it. */
export function createLazySearch({ options, places, snapshot, idle, log, profiles }: SearchDeps) {
  const { ownFolder, home } = places;
  const synonymsFile = path.join(ownFolder, "synonyms.yaml");
  const serves = options.watch === true;
  const { observe = UNOBSERVED } = options;
  let engine: Promise<SearchEngine> | undefined;
  let isPreparing = false;

  const open = (): Promise<SearchEngine> => {
    engine ??= import("./search-engine.ts").then(({ createSearchEngine }) =>
      createSearchEngine({
        ownFolder,
        home,
        synonymsFile,
        view: viewKey(options, places, profiles),
        log,
        // A command ends with its answer; a server can wait until it is idle.
        soon: serves ? (action) => void idle.whenIdle(action) : (action) => action(),
      }),
    );
    return engine;
  };

  return {
    /** Finds skills for a task in what `view` makes of the snapshot: all of it, or what one client is served. */
    search(
      task: string,
      limit: number,
      audience: Audience = "people",
      view: SnapshotView = (snapshot) => snapshot,
    ): Promise<SearchResult> {
      const run = async (): Promise<SearchResult> => {
        const [found, current] = await Promise.all([open(), snapshot()]);
        return found.search(view(current), { task, limit, audience });
      };
      return idle.during(observe({ kind: "search", run, describe: describeResult }));
    },
    /** The index of all skills, and the user's synonyms. */
    index: () => Promise.all([open(), snapshot()]).then(([found, current]) => found.indexOf(current)),
    /** What is wrong with the user's synonyms. */
    async diagnostics(): Promise<readonly Diagnostic[]> {
      const { readSynonyms } = await import("./read-synonyms.ts");
      const { problem } = await readSynonyms(synonymsFile);
      return problem === undefined ? [] : [problem];
    },
    /** Builds the index in the background. */
    prepare(): void {
      if (isPreparing) return;
      isPreparing = true;
      idle.whenIdle(() => {
        isPreparing = false;
        // A failure here happens again, and is answered, with the first search.
        void Promise.all([open(), snapshot()])
          .then(([found, current]) => found.prepare(current))
          .catch(() => {});
      });
    },
    async close(): Promise<void> {
      // The next command need not index everything again.
      if (!serves) await engine?.then((found) => found.saved()).catch(() => {});
    },
  };
}

function describeResult({ total, verdict }: SearchResult): WorkResult {
  return { facts: { results: total, verdict } };
}
