import fs from "node:fs";
import { monotonicMs } from "./clock.ts";
import type { FolderNode } from "./folder-tree.ts";
import type { Gathering } from "./gather-walk.ts";
import { type FolderLook, lookFailed, lookGiven } from "./look-at-folder.ts";
import type { Pace } from "./pace.ts";

const WITH_TYPES = { withFileTypes: true } as const;
/** Between two looks at the clock. */
const AT_ONCE = 16;

/**
 * Enters folders of which nothing is known and nothing is to be kept, and those in them. That is `workThrough` with `lookNow`,
 * in one loop: a first look is over before V8 has made fast code of all the small functions on that way. Answers with how far
 * it came: to the end, or to where the disk became slow.
 */
export async function enterNew(
  queue: FolderNode[],
  from: number,
  gathering: Gathering,
  look: FolderLook,
  pace: Pace,
): Promise<number> {
  let next = from;
  let began = monotonicMs();
  while (next < queue.length && pace.isQuick()) {
    const end = Math.min(queue.length, next + AT_ONCE);
    let entries = 0;
    for (; next < end; next++) entries += enterOne(queue[next] as FolderNode, queue, gathering, look);
    const ended = monotonicMs();
    pace.took(began, ended, entries);
    began = ended;
    const rest = pace.rest(ended);
    if (rest === undefined) continue;
    await rest;
    began = monotonicMs();
  }
  return next;
}

function enterOne(node: FolderNode, queue: FolderNode[], gathering: Gathering, look: FolderLook): number {
  if (!gathering.enter(node)) return 0;
  try {
    lookGiven(node, look, fs.readdirSync(node.realDir, WITH_TYPES));
  } catch (error) {
    lookFailed(node, look, error);
  }
  gathering.add(node, queue);
  return node.listing.entries;
}
