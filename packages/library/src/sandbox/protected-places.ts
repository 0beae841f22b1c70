import { lstatSync, readlinkSync } from "node:fs";
import path from "node:path";
import { errorCode, isInside } from "#util";

interface ProtectionPlan {
  /** To be mounted read-only: real paths in the working folder, none inside another. */
  readonly places: readonly string[];
  /** The folders between the working folder and them. */
  readonly pins: readonly string[];
  /** Why nothing in the working folder may be written; undefined when it may. */
  readonly problem: string | undefined;
}

/** How a working folder (a real path) is protected: what lies directly in it by name, and what lies anywhere. */
export function planProtection(
  cwd: string,
  named: readonly string[],
  trusted: readonly string[],
): ProtectionPlan {
  const isCovered = (place: string): boolean => named.some((each) => isInside(each, place));
  const places = new Set(named);
  const pins = new Set<string>();
  for (const given of trusted) {
    const { place, links } = resolveLinks(given);
    if (isInside(place, cwd)) {
      return {
        ...{ places: [], pins: [] },
        problem: `it lies in ${place}, and what is served from there cannot be changed by scripts`,
      };
    }
    const link = links.find((each) => isInside(cwd, each) && !isCovered(each));
    if (link !== undefined) {
      return {
        ...{ places: [], pins: [] },
        problem: `${path.relative(cwd, link)} is a link, which cannot be protected`,
      };
    }
    if (!isInside(cwd, place) || isCovered(place)) continue;
    const way = wayTo(cwd, place);
    places.add(way.place);
    for (const pin of way.pins) pins.add(pin);
  }
  const all = [...places];
  const isInner = (place: string): boolean => all.some((each) => each !== place && isInside(each, place));
  return {
    places: all.filter((place) => !isInner(place)),
    pins: [...pins].filter((pin) => !all.some((each) => isInside(each, pin))),
    problem: undefined,
  };
}

/** The folders on the way from a folder to a place in it. Where one is missing, that one is protected instead of the place. */
function wayTo(cwd: string, place: string): { readonly place: string; readonly pins: readonly string[] } {
  const parts = path.relative(cwd, place).split(path.sep);
  const pins: string[] = [];
  for (const [index] of parts.slice(0, -1).entries()) {
    const folder = path.join(cwd, ...parts.slice(0, index + 1));
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return { place: folder, pins };
    pins.push(folder);
  }
  return { place, pins };
}

/** As many as the system follows. */
const MOST_LINKS = 40;

/** Where an absolute path leads, as far as it exists, and every link on the way by its own real path. */
function resolveLinks(given: string): { readonly place: string; readonly links: readonly string[] } {
  const { root } = path.parse(given);
  const links: string[] = [];
  let place = root;
  const rest = partsOf(given.slice(root.length));
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    const next = path.join(place, part);
    const target = linkAt(next);
    if (target === undefined || links.length === MOST_LINKS) {
      place = next;
      continue;
    }
    links.push(next);
    if (path.isAbsolute(target)) place = path.parse(target).root;
    rest.unshift(...partsOf(target));
  }
  return { place, links };
}

const partsOf = (text: string): string[] =>
  text.split(path.sep).filter((part) => part !== "" && part !== ".");

function linkAt(place: string): string | undefined {
  try {
    return readlinkSync(place);
  } catch (error) {
    // EINVAL: it is no link. Anything else: nothing that can be followed.
    if (["EINVAL", "ENOENT", "ENOTDIR", "EACCES", "UNKNOWN"].includes(errorCode(error) ?? ""))
      return undefined;
    throw error;
  }
}
