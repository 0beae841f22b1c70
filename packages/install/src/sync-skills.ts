import { digestOfAll, digestsOf, type SkillContent } from "#skills";
import { Refusal } from "#util/pure";
import { isThere } from "./apply/swap.ts";
import { originalsOf } from "./content/originals.ts";
import {
  type InstallResult,
  type InstallSession,
  runSession,
  type SessionOptions,
} from "./install-session.ts";
import type { LockedSkill } from "./lock/lock-text.ts";
import { planAgentPlaces, relativeTo } from "./plan/agent-places.ts";
import { readFetched } from "./plan/found-skills.ts";
import { driftOf, type InstalledSkill, readInstalled } from "./plan/installed-skill.ts";
import { skillIn } from "./plan/locked-content.ts";
import { addressOf, lockedAs } from "./plan/origin.ts";
import { NO_FILES, type PlannedAction, type PlannedStep } from "./plan/plan.ts";
import { planSkill } from "./plan/plan-skill.ts";
import type { InstallPlaces, Target } from "./target.ts";

export interface SyncOptions extends SessionOptions {
  /** Exactly the lock, or nothing is changed. */
  readonly frozen: boolean;
}

/** Installs what the lock has and the disk has not. What was edited by hand stays. */
export function syncSkills(
  target: Target,
  options: SyncOptions,
  places: InstallPlaces,
): Promise<InstallResult> {
  const session = { ...options, allOrNothing: options.frozen };
  return runSession(target, places, session, async (open) => {
    const steps: PlannedStep[] = [];
    for (const locked of open.locked) steps.push(await planSync(locked, open, options));
    return steps;
  });
}

async function planSync(
  locked: LockedSkill,
  session: InstallSession,
  { frozen }: SyncOptions,
): Promise<PlannedStep> {
  const { target } = session;
  const installed = readInstalled(locked.name, target, locked);
  const step = (action: PlannedAction, reason: string): PlannedStep => ({
    shown: {
      action,
      name: locked.name,
      source: lockedAs(locked),
      folder: installed.folder,
      files: NO_FILES,
      reason,
    },
  });
  if (installed.kind === "link" || installed.kind === "file")
    return step(
      frozen ? "conflict" : "keep",
      `${installed.folder} is a ${installed.kind}, not the locked skill`,
    );
  if (installed.kind === "folder") {
    const drift = driftOf(locked, installed.content);
    if (drift.kind === "none") return planPlaces(locked, installed, session, { frozen, step });
    if (drift.kind === "disabled")
      return planPlaces(locked, installed, session, { frozen, step, what: "as locked, and disabled" });
    const what = drift.kind === "edited" ? `edited by hand: ${drift.files.join(", ")}` : "not as locked";
    return frozen
      ? step("conflict", `${what}. Take the changes back, or run sync without --frozen, which keeps them`)
      : planPlaces(locked, installed, session, { frozen, step, what });
  }
  try {
    return await planRestore(locked, session, frozen);
  } catch (error) {
    if (error instanceof Refusal) return step("conflict", error.message.replace(/\.$/, ""));
    throw error;
  }
}

interface PlacesOptions {
  readonly frozen: boolean;
  readonly step: (action: PlannedAction, reason: string) => PlannedStep;
  /** How an edited skill differs from the lock. */
  readonly what?: string;
}

/** A skill that is there: what is missing of it in agents' folders is put there again. */
async function planPlaces(
  locked: LockedSkill,
  { content, folder }: Extract<InstalledSkill, { kind: "folder" }>,
  { target }: InstallSession,
  { frozen, step, what }: PlacesOptions,
): Promise<PlannedStep> {
  const all = await planAgentPlaces(locked.name, content, folder, { target, locked, ...AS_LOCKED });
  // A copy that is as locked does not follow an edit.
  const [first, ...others] = all.places.filter((place) => what === undefined || !isThere(place.target));
  const [taken] = all.taken;
  if (frozen && taken !== undefined) return step("conflict", notThere(taken.place));
  const reasons = [...(what === undefined ? [] : [what]), ...all.taken.map(({ place }) => notThere(place))];
  if (first === undefined) return step("keep", reasons.join(", ") || "as locked");
  const again = [first, ...others].map((place) => relativeTo(target.base, place.target)).join(", ");
  const { name, raw } = locked;
  const change = { name, kind: "update", before: raw, after: raw, places: [first, ...others] } as const;
  return { ...step("update", [`again in ${again}`, ...reasons].join(", ")), change };
}

const AS_LOCKED = { agents: [], asCopies: false, prefer: "neither" } as const;

const notThere = (place: string): string => `${place} is not what the lock says`;

/** A skill that is missing: from the store if it has it, else from its source at the locked commit. */
async function planRestore(
  locked: LockedSkill,
  session: InstallSession,
  frozen: boolean,
): Promise<PlannedStep> {
  const { target, places, planning } = session;
  const { own } = locked;
  const folder = readInstalled(locked.name, target, locked).folder;
  const shown = { name: locked.name, source: lockedAs(locked), folder };
  const conflict = (reason: string): PlannedStep => ({
    shown: { ...shown, action: "conflict", files: NO_FILES, reason },
  });
  const restore = async (content: SkillContent): Promise<PlannedStep> => {
    const found = await planAgentPlaces(locked.name, content, folder, { target, locked, ...AS_LOCKED });
    const [taken] = found.taken;
    if (frozen && taken !== undefined) return conflict(notThere(taken.place));
    const also = found.places.map((place) => relativeTo(target.base, place.target)).join(", ");
    const reasons = [
      ...(also === "" ? [] : [`also in ${also}`]),
      ...found.taken.map(({ place }) => notThere(place)),
    ];
    return {
      shown: {
        ...shown,
        action: "add",
        files: { ...NO_FILES, added: [...content.keys()] },
        ...(reasons.length === 0 ? {} : { reason: reasons.join(", ") }),
      },
      change: {
        name: locked.name,
        kind: "add",
        before: locked.raw,
        after: locked.raw,
        places: [
          { target: folder, becomes: { kind: "files", content }, expected: "nothing" },
          ...found.places,
        ],
      },
      original: content,
    };
  };
  const stored = own && (await originalsOf(places.home).load(own.files));
  if (stored !== undefined) return restore(stored);
  const address = addressOf(locked, target.base);
  if (address === undefined)
    return conflict(`its source (${locked.sourceType}) is not one that can be fetched`);
  const fetched = await session.fetch(address, own?.commit);
  const { tree } = fetched;
  const skill = skillIn(fetched, locked);
  if (skill === undefined) return conflict(`${locked.source} does not contain it`);
  const content = readFetched(skill, tree.folder);
  const isLocked =
    own === undefined
      ? driftOf(locked, content).kind === "none"
      : digestOfAll(digestsOf(content)) === digestOfAll(own.files);
  if (isLocked) return restore(content);
  if (frozen) return conflict(`${locked.source} no longer holds the locked content`);
  const { commit, version, folder: sourceFolder } = tree;
  const incoming = { skill, source: locked, sourceFolder, commit, version };
  const step = await planSkill(incoming, { ...planning, locked, ...AS_LOCKED });
  return { ...step, shown: { ...step.shown, reason: "newer than the lock" } };
}
