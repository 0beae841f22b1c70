import { stat } from "node:fs/promises";
import { LIBRARY_PROVIDER } from "#agents";
import type { SandboxStatus } from "#library";
import type { Diagnostic, Entry, Freshness, Root, Snapshot } from "#skills";
import { foundIn, pluginId } from "#skills";
import type { RepoState } from "#sources";
import type { UsageState } from "#usage";
import { isInside } from "#util";

/** A folder that is searched, and how many skills it has. */
interface RootHealth {
  readonly dir: string;
  readonly provider: string;
  readonly location: string;
  /** Of a plugin's folder: `<plugin>@<marketplace>`. */
  readonly plugin?: string;
  readonly exists: boolean;
  readonly skills: number;
  /** How many of them have each label; absent when none has one. */
  readonly labels?: Readonly<Record<string, number>>;
}

/** A skill that another one of the same identity shadows. */
interface ShadowedSkill {
  readonly name: string;
  readonly path: string;
  readonly shadowedBy: string;
}

/** The state of everything, for people, dashboards and probes. */
export interface Health {
  readonly skills: number;
  readonly librarySkills: number;
  readonly roots: readonly RootHealth[];
  readonly shadowed: readonly ShadowedSkill[];
  readonly diagnostics: readonly Diagnostic[];
  readonly freshness: Freshness;
  readonly git: readonly RepoState[];
  /** `off`: scripts are disabled. */
  readonly sandbox: (SandboxStatus & ScriptWarning) | "off";
  /** Undefined before the first event. */
  readonly usage: UsageState | undefined;
}

/** What to do about the scripts of a library that have no sandbox; absent when there is nothing to do. */
interface ScriptWarning {
  readonly warning?: string;
}

export interface HealthInput extends Pick<Health, "freshness" | "git" | "usage"> {
  readonly sandbox: SandboxStatus | "off";
  readonly snapshot: Snapshot;
  readonly otherDiagnostics: readonly Diagnostic[];
  /** Libraries in folders; those from git are in `git`. */
  readonly libraries: readonly string[];
}

export async function healthOf({
  snapshot,
  otherDiagnostics,
  libraries,
  freshness,
  git,
  sandbox,
  usage,
}: HealthInput): Promise<Health> {
  const { entries } = snapshot.catalog;
  const folders = [
    ...snapshot.roots.filter(({ repo }) => repo === undefined).map((root) => rootHealth(root, entries)),
    ...libraries.map((dir) => libraryHealth(dir, snapshot)),
  ];
  return {
    skills: entries.length,
    librarySkills: snapshot.library.skills.size,
    roots: [...(await Promise.all(folders)), ...repoHealth(snapshot.roots, entries)],
    shadowed: entries.flatMap((entry) =>
      entry.shadowed.map(({ dir }) => ({
        name: entry.listedAs,
        path: dir,
        shadowedBy: entry.skill.dir,
      })),
    ),
    diagnostics: [...snapshot.diagnostics, ...otherDiagnostics],
    freshness,
    git,
    sandbox: sandbox === "off" ? sandbox : { ...sandbox, ...scriptWarning(sandbox, snapshot) },
    usage,
  };
}

/** Only libraries have scripts that the server runs. */
function scriptWarning(sandbox: SandboxStatus, { library }: Snapshot): ScriptWarning {
  if (sandbox.kind !== "none" || library.skills.size === 0) return {};
  const what = sandbox.runs
    ? "Scripts run without a sandbox"
    : "Scripts are refused, because there is no sandbox";
  return { warning: `${what}: ${sandbox.reason}. ${sandbox.way}`.trimEnd() };
}

async function rootHealth(
  { dir, provider, location, plugin }: Root,
  entries: readonly Entry[],
): Promise<RootHealth> {
  const exists = await isFolder(dir);
  const inside = exists ? entries.filter(({ skill }) => isInside(dir, foundIn(skill))) : [];
  const ofPlugin = plugin === undefined ? {} : { plugin: pluginId(plugin) };
  return { dir, provider, location, ...ofPlugin, exists, skills: inside.length, ...labelsOf(inside) };
}

/** A marketplace may list a folder for each skill, so the folders of one plugin count as one. */
function repoHealth(roots: readonly Root[], entries: readonly Entry[]): readonly RootHealth[] {
  const found = new Map<string, RootHealth>();
  for (const { repo, provider, location, plugin } of roots) {
    if (repo === undefined) continue;
    const id = plugin && pluginId(plugin);
    const inside = entries.filter(
      ({ skill }) => isInside(repo.folder, foundIn(skill)) && (skill.plugin && pluginId(skill.plugin)) === id,
    );
    const ofPlugin = id === undefined ? {} : { plugin: id };
    const health = { dir: repo.folder, provider, location, ...ofPlugin, exists: true, skills: inside.length };
    found.set(`${repo.folder}\0${id}`, { ...health, ...labelsOf(inside) });
  }
  return [...found.values()];
}

function labelsOf(entries: readonly Entry[]): Pick<RootHealth, "labels"> {
  const labels: Record<string, number> = {};
  for (const { skill } of entries) {
    if (skill.label !== undefined) labels[skill.label] = (labels[skill.label] ?? 0) + 1;
  }
  return Object.keys(labels).length === 0 ? {} : { labels };
}

async function libraryHealth(dir: string, { library }: Snapshot): Promise<RootHealth> {
  const skills = [...library.skills.values()].filter(({ file }) => isInside(dir, file));
  return {
    dir,
    provider: LIBRARY_PROVIDER,
    location: skills[0]?.location ?? "project",
    exists: await isFolder(dir),
    skills: skills.length,
  };
}

function isFolder(dir: string): Promise<boolean> {
  return stat(dir).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
