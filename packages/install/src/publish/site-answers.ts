import type { Skill, Snapshot } from "#skills";
import {
  createPublisher,
  downloadBytes,
  FOLDER_0_1,
  FOLDER_0_2,
  INDEX_FILE,
  indexOf01,
  indexOf02,
  publishedFileBytes,
} from "./create-publisher.ts";

const PATH_0_2 = `/${FOLDER_0_2}/`;
const PATH_0_1 = `/${FOLDER_0_1}/`;

/** What is at a path of a published site: an index, an archive of a skill, or one file of it. */
export type SiteAnswer =
  | { readonly kind: "index"; readonly value: object }
  | {
      readonly kind: "archive";
      readonly published: PublishedFrom;
      readonly digest: string;
      readonly body: SiteBody;
    }
  | {
      readonly kind: "file";
      readonly published: PublishedFrom;
      readonly path: string;
      readonly body: SiteBody;
    };

interface PublishedFrom {
  readonly name: string;
  readonly skill: Skill;
}

interface SiteBody {
  readonly type: string;
  readonly size: number;
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export function isSitePath(path: string): boolean {
  return path.startsWith(PATH_0_2) || path.startsWith(PATH_0_1);
}

/** Answers the paths of Agent Skills discovery 0.2 and 0.1 from the skills of a snapshot, as they are now. */
export function createSiteAnswers(): (snapshot: Snapshot, path: string) => Promise<SiteAnswer | undefined> {
  const publisher = createPublisher();

  async function file(snapshot: Snapshot, name: string, path: string): Promise<SiteAnswer | undefined> {
    const published = await publisher.download(snapshot, name);
    const bytes = published && (await publishedFileBytes(published, path).catch(() => undefined));
    if (published === undefined || bytes === undefined) return undefined;
    const type = path === "SKILL.md" ? "text/markdown; charset=utf-8" : "application/octet-stream";
    return { kind: "file", published, path, body: { type, size: bytes.length, bytes: [bytes] } };
  }

  async function archive(snapshot: Snapshot, name: string): Promise<SiteAnswer | undefined> {
    const published = await publisher.download(snapshot, name);
    if (published?.artifact.type !== "archive") return undefined;
    const { digest, size } = published.artifact;
    const body = { type: "application/gzip", size, bytes: downloadBytes(published) };
    return { kind: "archive", published, digest, body };
  }

  return async (snapshot, path) => {
    const isNew = path.startsWith(PATH_0_2);
    const rest = path.slice((isNew ? PATH_0_2 : PATH_0_1).length);
    if (rest === INDEX_FILE) {
      const publication = await publisher.publicationOf(snapshot);
      return { kind: "index", value: isNew ? indexOf02(publication) : indexOf01(publication) };
    }
    if (!isNew) {
      const [name = "", ...names] = decodeSegments(rest);
      return file(snapshot, name, names.join("/"));
    }
    const [, packed, single] = /^(?:([a-z0-9-]+)\.tar\.gz|([a-z0-9-]+)\/SKILL\.md)$/.exec(rest) ?? [];
    if (single !== undefined) return file(snapshot, single, "SKILL.md");
    return packed === undefined ? undefined : archive(snapshot, packed);
  };
}

/** The names in an address, which are only compared with names that the disk gave; none where one is not readable. */
function decodeSegments(path: string): readonly string[] {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return [];
  }
}
