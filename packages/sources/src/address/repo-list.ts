import { Refusal } from "#util/pure";
import { FORMS, withUniqueNames } from "../git/repo-address.ts";
import { type GitAddress, parseGitAddress } from "./source-address.ts";

/** Addresses of repositories, and what names them: a variable or a setting, for messages. */
export interface RepoList {
  readonly use: string;
  readonly addresses: readonly string[];
  /** Whoever wrote it may not have git use their keys and files: https only. */
  readonly isForeign?: boolean;
}

/** An address of a list. */
export interface ListedRepo extends GitAddress {
  readonly isForeign?: true;
}

/** The addresses in a comma list. */
export function splitRepoList(list: string): readonly string[] {
  return list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Parses lists of addresses. Each repository gets a name of its own; an address that is given twice counts once. */
export function parseRepoLists(lists: readonly RepoList[]): readonly ListedRepo[] {
  const addresses = new Map<string, ListedRepo>();
  for (const { use, addresses: given, isForeign = false } of lists) {
    if (given.length === 0) throw empty(use);
    for (const text of given)
      if (!addresses.has(text))
        addresses.set(text, {
          ...parseOne(text, use, isForeign),
          ...(isForeign ? { isForeign } : {}),
        });
  }
  const parsed = [...addresses.values()];
  const repos = withUniqueNames(parsed.map(({ repo }) => repo));
  return parsed.map((address, index) => ({ ...address, repo: repos[index] ?? address.repo }));
}

function parseOne(text: string, use: string, isForeign: boolean): GitAddress {
  // No address that git takes has one, and the text may be an option with its value.
  if (/\s/.test(text)) {
    const message = `${use} has a space or a control character in an address; use ${FORMS}, and a comma between two of them.`;
    throw new Refusal(message, { code: "bad-usage", flag: use });
  }
  const address = parseGitAddress(text, use);
  const { transport } = address.repo;
  if (!isForeign || transport === "https" || transport === "http") return address;
  const message = `${use} contains '${address.repo.url}'; a project may name https addresses only. Put it into ~/.skills-mcp/config.yaml.`;
  throw new Refusal(message, { code: "bad-usage", flag: use });
}

function empty(use: string): Refusal {
  const message = `${use} is empty; set it to the address of a git repository, such as owner/repo.`;
  return new Refusal(message, { code: "bad-usage", flag: use });
}
