import path from "node:path";
import type { createCatalogChecks, ValidatedFile } from "#check";
import type { openScripts } from "#library";
import type { createLazySearch } from "#search";
import type {
  Diagnostic,
  openRegistry,
  Places,
  ProfilesInForce,
  Skill,
  Snapshot,
  SnapshotSource,
} from "#skills";
import type { RepoState } from "#sources";
import type { createLazyUsage } from "#usage";
import { isInside } from "#util";
import type { Checks } from "../services.ts";
import { anyInfo } from "../skill-info.ts";
import { allFindings } from "./all-findings.ts";
import type { Health } from "./health.ts";

/** Everything whose state is told. */
interface CheckedParts {
  readonly registry: Pick<ReturnType<typeof openRegistry>, "libraries" | "freshness" | "refreshes">;
  readonly scripts: () => Pick<ReturnType<typeof openScripts>, "sandboxStatus" | "lastSandbox">;
  readonly usage: Pick<ReturnType<typeof createLazyUsage>, "state">;
  readonly search: Pick<ReturnType<typeof createLazySearch>, "diagnostics">;
  readonly repositories: () => Promise<readonly RepoState[]>;
}

/** The skills that are checked, and for whom. */
interface CheckedSkills {
  readonly source: SnapshotSource;
  /** The skills of everyone together. */
  readonly all: SnapshotSource;
  /** Undefined for someone who sees all skills. */
  readonly narrowing: ProfilesInForce | undefined;
  readonly hasRepositories: boolean;
  readonly places: Places;
}

export function createChecks(parts: CheckedParts, skills: CheckedSkills): Checks {
  const { source, all, narrowing, places } = skills;
  const audits = createAudits(source.snapshot, places.home);
  const health = () => healthNow(parts, skills);
  return {
    health,
    repositories: parts.repositories,
    inForce: async () => narrowing && { profiles: narrowing.names(), leftOut: await leftOut(all, source) },
    ...audits,
    problems: async () => allFindings({ health: await health(), files: await audits.findings() }),
    status: () => ({
      refreshes: parts.registry.refreshes(),
      usage: parts.usage.state(),
      sandbox: parts.scripts().lastSandbox(),
    }),
  };
}

async function leftOut(all: SnapshotSource, seen: SnapshotSource): Promise<number> {
  const [before, after] = await Promise.all([all.snapshot(), seen.snapshot()]);
  const countOf = ({ catalog, library }: Snapshot): number => catalog.entries.length + library.skills.size;
  return countOf(before) - countOf(after);
}

async function healthNow(
  { registry, scripts, usage, search, repositories }: CheckedParts,
  { source, narrowing, hasRepositories, places }: CheckedSkills,
): Promise<Health> {
  const { healthOf } = await import("./health.ts");
  const isAllowed = narrowing?.allowsScripts() ?? true;
  const snapshot = await source.snapshot();
  const ofAll = async () => [...(await search.diagnostics()), ...(await staleness(snapshot, places))];
  const health = await healthOf({
    snapshot,
    otherDiagnostics: narrowing === undefined ? await ofAll() : [],
    libraries: hasRepositories ? [] : registry.libraries.map(({ dir }) => dir),
    freshness: registry.freshness(),
    git: await repositories(),
    sandbox: isAllowed ? await scripts().sandboxStatus() : "off",
    usage: usage.state(),
  });
  if (narrowing === undefined) return health;
  return { ...health, roots: health.roots.filter(({ skills }) => skills > 0) };
}

/** Warnings about plugins whose installed copy differs from their marketplace, as far as their skills are served. */
async function staleness({ roots }: Snapshot, places: Places): Promise<readonly Diagnostic[]> {
  if (!roots.some(({ location }) => location === "plugin")) return [];
  const { stalePlugins } = await import("#sources");
  return (await stalePlugins(places))
    .filter(({ dir }) => roots.some((root) => isInside(dir, root.dir)))
    .map(({ dir, message }) => ({ severity: "warning", code: "plugin-stale", file: dir, message }));
}

/** What is said about skills on demand. Loaded when first needed: it would slow the start of every server. */
function createAudits(snapshot: () => Promise<Snapshot>, home: string) {
  let checks: ReturnType<typeof createCatalogChecks> | undefined;
  return {
    /** What `validate` and the audit say about the skills that are served. */
    async findings() {
      const { createCatalogChecks } = await import("#check");
      const { ignoredRules } = await import("#check");
      checks ??= createCatalogChecks(() => ignoredRules(home));
      return checks(await snapshot());
    },
    /** What `validate` and the audit say about one skill, served or not, as its files are at this moment. */
    async findingsOf(skill: Skill): Promise<readonly ValidatedFile[]> {
      const { checkFolder } = await import("#check");
      const { ignoredRules } = await import("#check");
      const file = path.join(skill.dir, skill.fileName);
      // A skill that goes at this moment has no findings.
      return checkFolder(file, { ignore: await ignoredRules(home) }).catch(() => []);
    },
    /** What the audit finds in skills that are served; without names in all of them. */
    async audit(names: readonly string[] = [], onDone?: (done: number, all: number) => void) {
      const { auditServed } = await import("#check");
      const current = await snapshot();
      return auditServed(current, { names, find: (name) => anyInfo(current, name), home, onDone });
    },
  };
}
