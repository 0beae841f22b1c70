import { Refusal } from "../../skill/refusal.ts";
import type { Log } from "../../system/log.ts";
import type { SourceAddress } from "../address/source-address.ts";
import type { FetchedTree } from "./fetched-tree.ts";

export interface FetchOptions {
  /** A folder on the same file system as the targets; each fetch makes its own folder below it. */
  readonly stagingFolder: string;
  /** Relative folders and archives start from it. */
  readonly cwd: string;
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
  /** Called now and then with what is being done, in words for a person. */
  readonly onProgress?: (text: string) => void;
  readonly signal?: AbortSignal;
  /** Instead of the address's ref: exactly this commit (for a locked install). */
  readonly commit?: string;
}

/** Brings the content of a source to a folder of its own. Throws a `Refusal`, and then leaves nothing behind. */
export function fetchSource(address: SourceAddress, _options: FetchOptions): Promise<FetchedTree> {
  throw notYet(address);
}

/** The newest commit or version without fetching content; undefined where the source cannot say. */
export function newestVersion(address: SourceAddress, _options: FetchOptions): Promise<string | undefined> {
  throw notYet(address);
}

function notYet({ kind }: SourceAddress): Refusal {
  return new Refusal(`Sources of the kind '${kind}' are not supported.`, {
    code: "cannot-fetch",
    source: kind,
    reason: "unavailable",
  });
}
