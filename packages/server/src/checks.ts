import type { Snapshot } from "#skills";
import { allFindings } from "./health/all-findings.ts";
import { createAudits } from "./health/create-audits.ts";
import type { Health } from "./health/health.ts";
import type { Base, Doors } from "./open-parts.ts";

/** What is wrong, and what is in force. */
export function checksOf(base: Base, doors: Doors) {
  const { narrowing, source } = doors;
  const { snapshot } = source;
  const audits = createAudits(snapshot, base.places.home);
  return {
    health: () => healthNow(base, doors),
    /** The profiles in force and how many skills they leave out, for people who may know; undefined without any. */
    inForce: async () => narrowing && { profiles: narrowing.names(), leftOut: await leftOut(base, doors) },
    /** The state of each repository that may be seen, without asking anyone. */
    repositories: async () => repositoriesIn(await snapshot(), base, doors),
    ...audits,
    /** Everything that is wrong, whichever check says it, in one list. */
    async problems() {
      const [health, files] = [await healthNow(base, doors), await audits.findings()];
      return allFindings({ health, files });
    },
    /** Metrics of a running server. */
    status: () => ({
      refreshes: base.registry.refreshes(),
      usage: base.usage.state(),
      sandbox: base.scripts.lastSandbox(),
    }),
  };
}

async function leftOut({ source: all }: Base, { source: seen }: Doors): Promise<number> {
  const [before, after] = await Promise.all([all.snapshot(), seen.snapshot()]);
  const countOf = ({ catalog, library }: typeof before): number =>
    catalog.entries.length + library.skills.size;
  return countOf(before) - countOf(after);
}

function repositoriesIn(snapshot: Snapshot, { options: { git } }: Base, { seesRepo }: Doors) {
  return git?.states().filter(({ url }) => seesRepo(snapshot, url)) ?? [];
}

async function healthNow(base: Base, doors: Doors): Promise<Health> {
  const { healthOf } = await import("./health/health.ts");
  const { options, registry, scripts, usage } = base;
  const { source, search, allowsScripts, narrowing } = doors;
  const snapshot = await source.snapshot();
  const folders = options.git === undefined ? registry.libraries.map(({ dir }) => dir) : [];
  const health = await healthOf({
    snapshot,
    searchDiagnostics: narrowing === undefined ? await search.diagnostics() : [],
    libraries: folders,
    freshness: registry.freshness(),
    git: repositoriesIn(snapshot, base, doors),
    sandbox: allowsScripts() ? await scripts.sandboxStatus() : "off",
    usage: usage.state(),
  });
  if (narrowing === undefined) return health;
  return { ...health, roots: health.roots.filter(({ skills }) => skills > 0) };
}
