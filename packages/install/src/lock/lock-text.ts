import { digestOfAll, type FileDigests } from "#skills";
import { defined, isRecord, Refusal } from "#util/pure";

/** The two files of the `skills` tool: `skills-lock.json` of a project, and the user's `.skill-lock.json`. */
export type LockFormat = "project" | "user";

/** An entry as it is in the file, with whatever another tool added. */
export type RawEntry = Readonly<Record<string, unknown>>;

/** What a lock says of an installed skill. */
export interface LockedSkill {
  readonly name: string;
  /** `owner/repo`, an address, or a folder. */
  readonly source: string;
  /** `github`, `gitlab`, `git`, `local`, `well-known`, `node_modules`; ours are `archive`, `marketplace` and `npm`. */
  readonly sourceType: string;
  readonly sourceUrl?: string;
  readonly ref?: string;
  /** Its SKILL.md in the source, with `/`. */
  readonly skillPath?: string;
  /** The hash of the `skills` tool. */
  readonly hash: string;
  /** What only we write. */
  readonly own?: OwnData;
  readonly raw: RawEntry;
}

/** Our part of an entry. The other tool keeps it until it installs the skill anew, and then drops it with the old entry. */
export interface OwnData {
  /** The commit that the content is from. */
  readonly commit?: string;
  /** The version of a package or a site. */
  readonly version?: string;
  /** What the skill itself says is its version. */
  readonly skillVersion?: string;
  /** Its folder in the source, where `skillPath` is absent. */
  readonly path?: string;
  readonly files: FileDigests;
  /** Where it is installed, if it is in the folder of an agent alone. */
  readonly folder?: string;
  /** Copies in the folders of agents, relative to the project or the home folder, with `/`. */
  readonly copies?: readonly string[];
  /** Links to it in the folders of agents, likewise. */
  readonly links?: readonly string[];
}

/** A lock as it was read. */
export interface Lock {
  readonly format: LockFormat;
  /** Everything in the file but the skills. */
  readonly rest: RawEntry;
  /** Entries by name, also those that mean nothing to us. */
  readonly entries: ReadonlyMap<string, unknown>;
}

const OWN_KEY = "skillsMcp";
const HASH_KEY = { project: "computedHash", user: "skillFolderHash" } as const;
const NEW_LOCK = { project: { version: 1 }, user: { version: 3, dismissed: {} } } as const;

/** An entry whose lists do not have these places in the folders of agents. */
export function withoutPlaces(raw: RawEntry, gone: readonly string[]): RawEntry {
  const own = raw[OWN_KEY];
  if (!isRecord(own)) return raw;
  const left = Object.entries(own).map(([key, value]) => {
    return [key, Array.isArray(value) ? value.filter((place) => !gone.includes(place)) : value];
  });
  return { ...raw, [OWN_KEY]: Object.fromEntries(left) };
}

export function emptyLock(format: LockFormat): Lock {
  return { format, rest: NEW_LOCK[format], entries: new Map() };
}

/** Reads the text of a lock. One that is damaged is refused, because writing it would lose what it says. */
export function parseLock(text: string, format: LockFormat, file: string): Lock {
  const document = parseJson(text, file);
  if (!isRecord(document)) throw damaged(file, "it is not a JSON object");
  const { skills = {}, ...rest } = document;
  if (!isRecord(skills)) throw damaged(file, "'skills' is not an object");
  return { format, rest, entries: new Map(Object.entries(skills)) };
}

/** As the `skills` tool writes it: a project's entries in order of their names and a line break at the end. */
export function printLock({ format, rest, entries }: Lock): string {
  const sorted =
    format === "project" ? [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) : [...entries];
  const { version = NEW_LOCK[format].version, ...others } = rest;
  const text = JSON.stringify({ version, skills: Object.fromEntries(sorted), ...others }, null, 2);
  return format === "project" ? `${text}\n` : text;
}

/** The entries that name a source. */
export function lockedSkills({ format, entries }: Lock): readonly LockedSkill[] {
  return [...entries].flatMap(([name, raw]) => {
    const locked = isRecord(raw) ? readEntry(name, raw, format) : undefined;
    return locked === undefined ? [] : [locked];
  });
}

export function withEntries(lock: Lock, changes: ReadonlyMap<string, RawEntry | null>): Lock {
  const entries = new Map(lock.entries);
  for (const [name, entry] of changes) {
    if (entry === null) entries.delete(name);
    else entries.set(name, entry);
  }
  return { ...lock, entries };
}

/** The entry of a skill that was just installed. `before` keeps what another tool added to it. */
export function writeEntry(
  { source, sourceType, sourceUrl, ref, skillPath, hash, own }: Omit<LockedSkill, "name" | "raw">,
  format: LockFormat,
  before: RawEntry | undefined,
  now: string,
): RawEntry {
  const known = new Set(["source", "sourceType", "sourceUrl", "ref", "skillPath", HASH_KEY[format], OWN_KEY]);
  const others = Object.entries(before ?? {}).filter(([key]) => !known.has(key) && key !== "wellKnownDigest");
  const url = defined({ sourceUrl });
  const rest = {
    ...defined({ ref }),
    ...(format === "project" ? { sourceType } : {}),
    ...defined({ skillPath }),
    [HASH_KEY[format]]: hash,
  };
  const times = format === "user" ? { installedAt: before?.["installedAt"] ?? now, updatedAt: now } : {};
  const digest = own && `sha256:${digestOfAll(own.files)}`;
  const ours = own === undefined ? {} : { [OWN_KEY]: { for: hash, digest, ...own } };
  const head = format === "project" ? { source, ...url } : { source, sourceType, ...url };
  return { ...head, ...rest, ...Object.fromEntries(others), ...times, ...ours };
}

function readEntry(name: string, raw: RawEntry, format: LockFormat): LockedSkill | undefined {
  const source = text(raw["source"]);
  if (source === undefined || name === "") return undefined;
  const hash = text(raw[HASH_KEY[format]]) ?? "";
  const own = readOwn(raw[OWN_KEY], hash);
  const [sourceUrl, ref, skillPath] = [text(raw["sourceUrl"]), text(raw["ref"]), text(raw["skillPath"])];
  return {
    name,
    source,
    sourceType: text(raw["sourceType"]) ?? "git",
    ...defined({ sourceUrl, ref, skillPath }),
    hash,
    ...defined({ own }),
    raw,
  };
}

/** Undefined when it belongs to another state of the entry than the one that it is in. */
function readOwn(value: unknown, hash: string): OwnData | undefined {
  if (!isRecord(value) || value["for"] !== hash || !isRecord(value["files"])) return undefined;
  const files = Object.entries(value["files"]).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  const [commit, version, path] = [text(value["commit"]), text(value["version"]), text(value["path"])];
  const [copies, links] = [texts(value["copies"]), texts(value["links"])];
  const folder = text(value["folder"]);
  return {
    ...defined({ commit, version, path }),
    files: Object.fromEntries(files),
    ...defined({ folder, copies, links }),
  };
}

function parseJson(content: string, file: string): unknown {
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw damaged(file, error instanceof Error ? error.message : String(error));
  }
}

function damaged(file: string, reason: string): Refusal {
  return new Refusal(
    `${file} cannot be read: ${reason}. Restore it, for example with git checkout, or remove it; nothing was changed.`,
    { code: "bad-lock", file },
  );
}

/** A command that cannot go on because of a skill or a place. */
export function cannotInstall(message: string, name: string, cause?: unknown): Refusal {
  return new Refusal(message, { code: "cannot-install", name }, { cause });
}

function texts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
