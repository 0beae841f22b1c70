import path from "node:path";
import { readInstalledContent, type SkillContent } from "#skills";
import type { FolderPlace } from "../apply/apply-changes.ts";
import { isThere } from "../apply/swap.ts";
import { foldersBeside, keptBeside } from "../content/beside-content.ts";
import type { LockedSkill } from "../lock/lock-text.ts";
import { isLinkTo, type Target } from "../target.ts";
import { agentPlace, driftOf } from "./installed-skill.ts";
import { folderName, isSame } from "./plan.ts";

export interface AgentPlaceOptions {
  readonly target: Target;
  readonly locked: LockedSkill | undefined;
  /** Folders of agents that get it beside those that the lock names. */
  readonly agents: readonly string[];
  /** They get copies, not links. */
  readonly asCopies: boolean;
  /** `theirs`: what is in a place is replaced, whatever it is. */
  readonly prefer: "neither" | "mine" | "theirs";
}

/** The places of a skill in agents' folders. */
export interface AgentPlaces {
  /** Those that have to change. */
  readonly places: readonly FolderPlace[];
  /** Those that hold something else, and why that stays. */
  readonly taken: readonly { readonly place: string; readonly reason: string }[];
  /** All of them, relative to the base, for the lock. */
  readonly copies: readonly string[];
  readonly links: readonly string[];
}

/** What has to be done so that a skill in `folder` is in its places in agents' folders: those of the lock, and new ones. */
export async function planAgentPlaces(
  name: string,
  content: SkillContent,
  folder: string,
  { target, locked, agents, asCopies, prefer }: AgentPlaceOptions,
): Promise<AgentPlaces> {
  const known = (named: readonly string[] = []): readonly string[] =>
    named.flatMap((place) => agentPlace(place, name, target) ?? []);
  const knownCopies = known(locked?.own?.copies);
  // The other tool makes links as well, and its entries do not have them.
  const isForeign = locked !== undefined && locked.own === undefined;
  const knownLinks = isForeign ? await linksTo(folder, name, target) : known(locked?.own?.links);
  const wanted = agents.map((agent) => path.join(agent, folderName(name)));
  const places: FolderPlace[] = [];
  const taken: AgentPlaces["taken"][number][] = [];
  const copies: string[] = [];
  const links: string[] = [];
  for (const place of new Set([...knownCopies, ...knownLinks, ...wanted])) {
    const wasCopy = knownCopies.includes(place);
    const isCopy = wasCopy || (asCopies && wanted.includes(place));
    (isCopy ? copies : links).push(relativeTo(target.base, place));
    const isOurLink = await isLinkTo(place, folder);
    if (!isCopy && isOurLink) continue;
    const there = readInstalledContent(place);
    const isOurs =
      isOurLink ||
      (wasCopy && (there === undefined || locked === undefined || driftOf(locked, there).kind === "none"));
    const isEqual = there !== undefined && isSame(there, content);
    if (!isOurs && !isEqual && prefer !== "theirs" && isThere(place)) {
      const edited = wasCopy ? " and was edited by hand" : "";
      taken.push({ place, reason: `${place} exists${edited}. --force moves it to the trash` });
      continue;
    }
    if (isCopy && isEqual) continue;
    const beside = there === undefined || prefer === "theirs" ? [] : foldersBeside(place, there);
    const { keep } = keptBeside(beside, content);
    places.push({
      target: place,
      becomes: isCopy ? { kind: "files", content, keep } : { kind: "link", to: folder },
    });
  }
  return { places, taken, copies, links };
}

/** The links to a skill in agents' folders. */
export async function linksTo(
  folder: string,
  name: string,
  { agentDirs }: Target,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const agent of agentDirs) {
    const place = path.join(agent, folderName(name));
    if (isThere(place) && (await isLinkTo(place, folder))) found.push(place);
  }
  return found;
}

/** As a lock and a plan name a place. */
export function relativeTo(base: string, place: string): string {
  return path.relative(base, place).split(path.sep).join("/");
}
