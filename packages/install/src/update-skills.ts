import { defined, Refusal, suggestNames } from "#util/pure";
import { diffContent } from "./content/diff-content.ts";
import {
  type InstallResult,
  type InstallSession,
  runSession,
  type SessionOptions,
} from "./install-session.ts";
import { cannotInstall, type LockedSkill } from "./lock/lock-text.ts";
import { entriesNamed, skillIn } from "./plan/locked-content.ts";
import { addressOf } from "./plan/origin.ts";
import { NO_FILES, type PlannedStep } from "./plan/plan.ts";
import { planSkill } from "./plan/plan-skill.ts";
import type { InstallPlaces, Target } from "./target.ts";

export interface UpdateOptions extends SessionOptions {
  readonly names: readonly string[];
  readonly withDiff: boolean;
  readonly prefer: "neither" | "mine" | "theirs";
}

/** Brings installed skills to what their sources hold now. */
export function updateSkills(
  target: Target,
  options: UpdateOptions,
  places: InstallPlaces,
): Promise<InstallResult> {
  return runSession(target, places, options, async (session) => {
    const { found, unknown } = entriesNamed(session.locked, options.names);
    refuseUnknown(unknown, target, session.locked);
    const steps: PlannedStep[] = [];
    for (const locked of found) {
      const step = await planUpdate(locked, session, options);
      steps.push(options.withDiff ? withDiff(step) : step);
    }
    return steps;
  });
}

async function planUpdate(
  locked: LockedSkill,
  session: InstallSession,
  { prefer }: UpdateOptions,
): Promise<PlannedStep> {
  const { target, planning } = session;
  const address = addressOf(locked, target.base);
  const stays = (action: "keep" | "conflict", reason: string): PlannedStep => ({
    shown: { action, name: locked.name, source: locked.source, folder: "", files: NO_FILES, reason },
  });
  if (address === undefined)
    return stays("keep", `its source (${locked.sourceType}) is not one that can be fetched`);
  try {
    const fetched = await session.fetch(address);
    const { tree } = fetched;
    const skill = skillIn(fetched, locked);
    if (skill === undefined)
      return stays(
        "conflict",
        `${locked.source} no longer contains it. Remove it with skills-mcp remove ${locked.name}`,
      );
    const { source, sourceType, sourceUrl, ref } = locked;
    return await planSkill(
      {
        skill,
        source: { source, sourceType, ...defined({ sourceUrl, ref }) },
        sourceFolder: tree.folder,
        commit: tree.commit,
        version: tree.version,
      },
      { ...planning, locked, agents: [], asCopies: false, prefer },
    );
  } catch (error) {
    // One source that does not answer must not stop the others.
    if (error instanceof Refusal) return stays("conflict", error.message.replace(/\.$/, ""));
    throw error;
  }
}

/** Names that the lock of the target does not have. */
export function refuseUnknown(
  unknown: readonly string[],
  target: Target,
  locked: readonly LockedSkill[],
): void {
  const [name] = unknown;
  if (name === undefined) return;
  const [meant] = suggestNames(
    name,
    locked.map((skill) => skill.name),
    1,
  );
  const hint = meant === undefined ? "" : ` Did you mean '${meant}'?`;
  const where = target.scope === "project" ? "in this project" : "for the user";
  const way = target.scope === "project" ? ", or pass -g for the user's skills" : "";
  throw cannotInstall(
    `'${name}' is not installed ${where}: ${target.lock.file} does not have it.${hint} Run skills-mcp verify for a list${way}.`,
    name,
  );
}

function withDiff(step: PlannedStep): PlannedStep {
  const { before = new Map(), after, shown } = step;
  if (after === undefined) return step;
  const { added, changed, removed } = shown.files;
  const diff = diffContent(before, after, [...changed, ...added, ...removed]);
  return { ...step, shown: { ...shown, diff } };
}
