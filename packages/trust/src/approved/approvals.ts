import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "#skills";
import { describeError, errorCode, lockHolder, takeLock, writeFileAtomic } from "#util";
import { defined, isRecord, Refusal } from "#util/pure";

/** One approved version of a skill. */
export interface Approval {
  /** The SHA-256 of all files, in hexadecimal: what the content is stored under. */
  readonly digest: string;
  /** When, as ISO text, and who. */
  readonly at: string;
  readonly by: string;
  /** The commit that it was approved at; absent for a folder. */
  readonly commit?: string;
  /** Names that come with its repository and not with its files: they were approved with them. */
  readonly plugin?: Plugin;
}

/** What was approved of one skill. */
export interface ApprovedSkill {
  /** As it was called then, for people. */
  readonly name: string;
  /** The version that is served first, then those before it. */
  readonly versions: readonly Approval[];
  /** The SHA-256 of what somebody decided not to serve. Other content of the skill waits for a decision again. */
  readonly rejected?: string;
}

/** By the place that a skill comes from. */
export type Approvals = ReadonlyMap<string, ApprovedSkill>;

/** How many versions a roll-back can go back to, the served one included. */
const MOST_VERSIONS = 5;
const WAIT_MS = 10_000;

export function approvalsFile(ownFolder: string): string {
  return path.join(ownFolder, "approvals.json");
}

/** What is approved now; nothing when there is no file. A damaged file is a refusal: what it said is not known. */
export function readApprovals(file: string): Approvals {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return new Map();
    throw damaged(file, describeError(error));
  }
  try {
    const data: unknown = JSON.parse(text);
    if (!isRecord(data) || !isRecord(data["skills"])) throw damaged(file, "it has no object 'skills'");
    return new Map(Object.entries(data["skills"]).flatMap(([key, value]) => entryOf(key, value)));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw damaged(file, "it is not valid JSON");
  }
}

function entryOf(key: string, value: unknown): readonly (readonly [string, ApprovedSkill])[] {
  if (!isRecord(value) || !Array.isArray(value["versions"])) return [];
  const versions = value["versions"].filter(
    (one): one is Approval => isRecord(one) && isDigest(one["digest"]),
  );
  const name = typeof value["name"] === "string" ? value["name"] : key;
  const rejected = isDigest(value["rejected"]) ? value["rejected"] : undefined;
  const isEmpty = versions.length === 0 && rejected === undefined;
  return isEmpty ? [] : [[key, { name, versions, ...defined({ rejected }) }]];
}

function isDigest(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

/** Makes a version the served one. An earlier approval of the same content moves to the front. */
export function withApproval(
  skill: ApprovedSkill | undefined,
  name: string,
  approval: Approval,
): ApprovedSkill {
  const others = (skill?.versions ?? []).filter(({ digest }) => digest !== approval.digest);
  return { name, versions: [approval, ...others].slice(0, MOST_VERSIONS) };
}

/** Takes back the last approval; undefined when nothing is known of the skill without it. */
export function withoutLatest(skill: ApprovedSkill): ApprovedSkill | undefined {
  return skill.versions.length < 2 && skill.rejected === undefined
    ? undefined
    : { ...skill, versions: skill.versions.slice(1) };
}

/** Notes that some content is not to be served, or with undefined that it waits for a decision again. */
export function withRejected(
  skill: ApprovedSkill | undefined,
  name: string,
  rejected: string | undefined,
): ApprovedSkill | undefined {
  const versions = skill?.versions ?? [];
  return versions.length === 0 && rejected === undefined
    ? undefined
    : { name: skill?.name ?? name, versions, ...defined({ rejected }) };
}

/** Changes the file. Several processes may do so: each reads what the others wrote. `tidy` runs before the next one does. */
export async function changeApprovals(
  file: string,
  change: (before: Approvals) => Approvals,
  tidy: (after: Approvals) => Promise<void> = async () => {},
): Promise<void> {
  const folder = path.join(path.dirname(file), "approved");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const until = Date.now() + WAIT_MS;
  const lock = await takeLock(folder, Date.now, () => Date.now() > until);
  if (lock === undefined) {
    const pid = await lockHolder(folder);
    throw new Refusal(
      `${file} is being changed by another skills-mcp${pid === undefined ? "" : ` (process ${pid})`}. Try again when it has ended.`,
      { code: "cannot-write", file },
    );
  }
  try {
    const after = change(readApprovals(file));
    const data = { version: 1, skills: Object.fromEntries([...after].sort(([a], [b]) => (a < b ? -1 : 1))) };
    await writeFileAtomic(file, `${JSON.stringify(data, null, 2)}\n`, { flush: true });
    await tidy(after);
  } finally {
    await lock.release();
  }
}

function damaged(file: string, reason: string): Refusal {
  const message = `The file cannot be read: ${reason}. Restore it from a backup; or delete it and approve the skills again with skills-mcp approve.`;
  return new Refusal(`${file}: ${message}`, { code: "bad-config", problems: [{ place: file, message }] });
}
