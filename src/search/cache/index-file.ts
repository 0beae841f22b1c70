import { createHash } from "node:crypto";
import { createTimeSlices, runSteps, type TimeSlices } from "../../system/time-slice.ts";
import { parseIndex, serializeIndex } from "../engine/index-of-skills.ts";
import type { KeptIndex } from "../search-keeper.ts";

const MAGIC = "skills-mcp search index 2\n";
const DIGEST_LENGTH = 64;
const HEAD_LENGTH = MAGIC.length + DIGEST_LENGTH;
const NEW_LINE = 0x0a;

// Ten thousand skills have an index of twenty megabytes, and requests are waiting: everything here goes in slices.
const REVISIONS_AT_ONCE = 500;
const DIGESTED_AT_ONCE = 256 * 1024;

/**
 * The content of the file, in pieces: the magic, a digest of the rest, lines of JSON with some of the revisions each, a
 * blank line, the index. The blank line is as long as the index needs to begin at a multiple of four.
 */
export async function formatIndexFile({ index, revisions }: KeptIndex): Promise<readonly Uint8Array[]> {
  const slices = createTimeSlices();
  const content: Uint8Array[] = [];
  let start = HEAD_LENGTH;
  const addLine = (line: string): void => {
    const bytes = Buffer.from(`${line}\n`);
    content.push(bytes);
    start += bytes.length;
  };
  let some: (readonly [string, string])[] = [];
  for (const revision of revisions) {
    some.push(revision);
    if (some.length < REVISIONS_AT_ONCE) continue;
    addLine(JSON.stringify(some));
    some = [];
    await slices.yieldIfDue();
  }
  addLine(JSON.stringify(some));
  addLine(" ".repeat(3 - (start % 4)));
  content.push(...(await runSteps(serializeIndex(index), slices)));
  return [Buffer.from(MAGIC), Buffer.from(await digestOf(content, slices)), ...content];
}

/** Undefined for anything that `formatIndexFile` did not write. The index is a view of the bytes. */
export async function parseIndexFile(bytes: Buffer): Promise<KeptIndex | undefined> {
  const slices = createTimeSlices();
  if (bytes.toString("latin1", 0, MAGIC.length) !== MAGIC) return undefined;
  const digest = bytes.toString("latin1", MAGIC.length, HEAD_LENGTH);
  if (digest !== (await digestOf([bytes.subarray(HEAD_LENGTH)], slices))) return undefined;
  const revisions = new Map<string, string>();
  let start = HEAD_LENGTH;
  for (;;) {
    const end = bytes.indexOf(NEW_LINE, start);
    if (end === -1) return undefined;
    const line = bytes.toString("utf8", start, end);
    start = end + 1;
    if (line.trim() === "") break;
    const some = JSON.parse(line) as readonly (readonly [string, string])[];
    for (const [id, revision] of some) revisions.set(id, revision);
    await slices.yieldIfDue();
  }
  const index = await runSteps(parseIndex(bytes.subarray(start)), slices);
  return index === undefined ? undefined : { index, revisions };
}

async function digestOf(parts: readonly Uint8Array[], slices: TimeSlices): Promise<string> {
  const hash = createHash("sha256");
  for (const part of parts) {
    for (let from = 0; from < part.length; from += DIGESTED_AT_ONCE) {
      hash.update(part.subarray(from, from + DIGESTED_AT_ONCE));
      await slices.yieldIfDue();
    }
  }
  return hash.digest("hex");
}
