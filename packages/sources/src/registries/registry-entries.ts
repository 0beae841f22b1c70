import { cutText, defined, isRecord, oneLine } from "#util/pure";
import { parseSourceAddress, type SourceAddress } from "../address/source-address.ts";
import { repositoryOf } from "../fetch/market/from-marketplace.ts";
import { parseMarketplace } from "../repos/marketplace.ts";

/** What a registry says of a skill or a plugin: somebody's words, of which none is checked. */
export interface RegistryEntry {
  readonly name: string;
  readonly description: string;
  /** What `add` takes. */
  readonly source: string;
  /** The name that `add` takes after the source; undefined for a plugin, whose skills are not listed. */
  readonly skill?: string;
  readonly license?: string;
  /** How often it was installed, as the registry counts. */
  readonly installs?: number;
  /** What the registry calls it where it is asked for audits. */
  readonly id?: string;
}

/** What somebody who audits skills says of one. */
export interface RegistryAudit {
  readonly by: string;
  readonly status: string;
  readonly risk?: string;
}

const LONGEST_NAME = 128;
const LONGEST_TEXT = 1_024;
/** As skills.sh writes the place of a skill: of a repository on GitHub, or a site. */
const REPOSITORY = /^[A-Za-z0-9][\w-]*\/[A-Za-z0-9_][\w.-]*$/;

/** The entries of an index of Agent Skills discovery. Undefined for anything else. */
export function entriesOfIndex(index: unknown, site: string): readonly RegistryEntry[] | undefined {
  if (!isRecord(index) || !Array.isArray(index["skills"])) return undefined;
  return (index["skills"] as readonly unknown[]).flatMap((entry) => {
    if (!isRecord(entry)) return [];
    const name = textOf(entry["name"], LONGEST_NAME);
    // The name is also the one of a folder.
    if (name === undefined || /[/\\]|^\./.test(name)) return [];
    return [{ name, skill: name, source: site, ...wordsOf(entry) }];
  });
}

/** The plugins of a `marketplace.json`, each with where it is. Undefined for anything else. */
export function entriesOfMarketplace(file: unknown, place: string): readonly RegistryEntry[] | undefined {
  const market = parseMarketplace(file);
  if (market === undefined || !isRecord(file)) return undefined;
  const written = (file["plugins"] as readonly unknown[]).filter(isRecord);
  const repository = URL.canParse(place) ? repositoryOf(place) : undefined;
  return market.plugins.flatMap(({ name, source }) => {
    const entry = written.find((one) => one["name"] === name) ?? {};
    const inside = repository === undefined ? place : shownRepository(repository.address.repo.url);
    const address =
      source.kind === "elsewhere"
        ? remoteSource(source.address)
        : source.kind === "inside" && repository !== undefined && source.path !== ""
          ? `${inside}:${source.path}`
          : source.kind === "inside"
            ? inside
            : undefined;
    return address === undefined ? [] : [{ name, source: address, ...wordsOf(entry) }];
  });
}

/** What a search compatible with that of skills.sh found. Undefined for anything else. */
export function entriesOfSearch(answer: unknown): readonly RegistryEntry[] | undefined {
  if (!isRecord(answer) || !Array.isArray(answer["skills"])) return undefined;
  return (answer["skills"] as readonly unknown[]).flatMap((entry) => {
    if (!isRecord(entry)) return [];
    const { id, installs } = entry;
    const name = textOf(entry["name"], LONGEST_NAME);
    const given = entry["source"];
    // As it is written, or not at all: it is typed and fetched.
    if (name === undefined || typeof given !== "string" || given !== textOf(given, LONGEST_TEXT)) return [];
    const source = REPOSITORY.test(given) ? given : remoteSource(given);
    if (source === undefined || name.startsWith("-")) return [];
    const count = typeof installs === "number" && installs >= 0 ? installs : undefined;
    return [
      {
        ...{ name, skill: name, source },
        ...wordsOf(entry),
        ...defined({ installs: count, id: textOf(id, LONGEST_TEXT) }),
      },
    ];
  });
}

/** What such a registry answers about the audits of a skill. */
export function auditsIn(answer: unknown): readonly RegistryAudit[] {
  const list = isRecord(answer) && Array.isArray(answer["audits"]) ? (answer["audits"] as unknown[]) : [];
  return list.flatMap((audit) => {
    if (!isRecord(audit)) return [];
    const [by, status] = [textOf(audit["provider"], LONGEST_NAME), textOf(audit["status"], LONGEST_NAME)];
    if (by === undefined || status === undefined) return [];
    return [{ by, status, ...defined({ risk: textOf(audit["riskLevel"], LONGEST_NAME) }) }];
  });
}

/** A source that somebody else names: only one that `add` fetches over the network, never a folder or file of this machine. */
function remoteSource(text: string): string | undefined {
  let address: SourceAddress;
  try {
    address = parseSourceAddress(text);
  } catch {
    return undefined;
  }
  const { kind } = address;
  const isRemote =
    kind === "git"
      ? address.repo.transport === "https"
      : kind === "site"
        ? address.url.startsWith("https:")
        : kind === "npm" || ((kind === "archive" || kind === "marketplace") && address.isRemote);
  return isRemote ? text : undefined;
}

const shownRepository = (url: string): string => /^https:\/\/github\.com\/(.+)\.git$/.exec(url)?.[1] ?? url;

function wordsOf(entry: Readonly<Record<string, unknown>>) {
  const description = textOf(entry["description"], LONGEST_TEXT) ?? "";
  return { description, ...defined({ license: textOf(entry["license"], LONGEST_NAME) }) };
}

/** A text on one line, cut; undefined where there is none. */
function textOf(value: unknown, longest: number): string | undefined {
  const text = typeof value === "string" ? cutText(oneLine(value.slice(0, 4 * longest)).trim(), longest) : "";
  return text === "" ? undefined : text;
}
