import { mkdir, realpath } from "node:fs/promises";
import path from "node:path";
import { describeError, expandHome, withOpenFile } from "#util";
import { unpackArchive } from "../archive/unpack.ts";
import { cannotFetch, type FetchContext, type FetchedContent } from "./fetch-context.ts";
import { createWebClient } from "./web-client.ts";

export interface ArchivePlace {
  readonly place: string;
  readonly isRemote: boolean;
}

/** Unpacks an archive of this machine or of the web. */
export async function fetchArchive(
  { place, isRemote }: ArchivePlace,
  work: string,
  context: FetchContext,
): Promise<FetchedContent> {
  const bytes = isRemote ? await download(place, context) : await readLocal(place, context);
  context.progress(`unpacking ${context.source}`);
  const tree = path.join(work, "tree");
  await mkdir(tree);
  await unpackArchive(bytes, tree, context.limits, context.signal);
  return { folder: tree };
}

async function download(url: string, context: FetchContext): Promise<Buffer> {
  context.progress(`downloading ${context.source}`);
  const maxBytes = context.limits.archiveBytes;
  return (await createWebClient(context).get({ url, what: "The archive", maxBytes })).bytes;
}

async function readLocal(place: string, context: FetchContext): Promise<Buffer> {
  return readPlace(place, context.limits.archiveBytes, context);
}

/** Reads a file that a person named; a FIFO, a device or a file that is too large is refused. */
export async function readPlace(place: string, maxBytes: number, context: FetchContext): Promise<Buffer> {
  const { source, cwd, home } = context;
  const asked = path.resolve(cwd, expandHome(place, home));
  try {
    return await withOpenFile(await realpath(asked), async ({ stats, readStart }) => {
      if (!stats.isFile())
        throw cannotFetch(source, "unsafe", `${asked} is not a file; name an archive or a folder of skills.`);
      if (stats.size > maxBytes) {
        const limit = `${Math.floor(maxBytes / 1024 / 1024)} MiB`;
        throw cannotFetch(source, "too-large", `${asked} is larger than the limit of ${limit}.`);
      }
      return readStart(stats.size);
    });
  } catch (error) {
    if (error instanceof Error && error.name === "Refusal") throw error;
    throw cannotFetch(source, "not-found", `${asked} could not be read: ${describeError(error)}.`, error);
  }
}
