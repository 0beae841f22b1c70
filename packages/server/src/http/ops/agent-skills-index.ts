import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  createPublisher,
  downloadBytes,
  FOLDER_0_1,
  FOLDER_0_2,
  INDEX_FILE,
  indexOf01,
  indexOf02,
  type PublishedSkill,
  publishedFileBytes,
} from "#install";
import type { SkillSource } from "#skills";
import type { AuditLog } from "#trust";
import { memoizeWeak } from "#util/pure";
import type { Principal } from "../auth/principal.ts";
import { type Exchange, notAllowed, sendJson } from "../server/exchange.ts";

const PATH_0_2 = `/${FOLDER_0_2}/`;
const PATH_0_1 = `/${FOLDER_0_1}/`;

export function isAgentSkillsPath(path: string): boolean {
  return path.startsWith(PATH_0_2) || path.startsWith(PATH_0_1);
}

/** What a caller may download, and the record of what was downloaded. */
interface PublishedView extends Pick<SkillSource, "snapshot"> {
  readonly auditLog: Pick<AuditLog, "record">;
}

/** Agent Skills discovery 0.2 and 0.1: indexes of the skills for installers, with an archive or the files of each. */
export function createAgentSkillsIndex(viewFor: (caller: Principal) => PublishedView) {
  const indexOf = memoizeWeak(createIndex);
  return async ({ request, response, path, principal }: Exchange): Promise<void> => {
    if (request.method !== "GET" && request.method !== "HEAD") throw notAllowed("GET, HEAD");
    const serve = indexOf(viewFor(principal));
    if (!(await serve(path, response))) sendJson(response, 404, { error: "Skill not found." });
  };
}

/** Answers whether a path has something, which is then sent. */
function createIndex({
  snapshot,
  auditLog,
}: PublishedView): (path: string, response: ServerResponse) => Promise<boolean> {
  const publisher = createPublisher();

  /** A skill as it is now, by its published name. */
  const find = async (name: string): Promise<PublishedSkill | undefined> =>
    publisher.download(await snapshot(), name);

  async function serve02(rest: string, response: ServerResponse): Promise<boolean> {
    const [, archive, single] = /^(?:([a-z0-9-]+)\.tar\.gz|([a-z0-9-]+)\/SKILL\.md)$/.exec(rest) ?? [];
    if (single !== undefined) return serveFile(single, "SKILL.md", response);
    const found = archive === undefined ? undefined : await find(archive);
    if (found?.artifact.type !== "archive") return false;
    note(found);
    await sendBytes(response, "application/gzip", found.artifact.size, downloadBytes(found));
    return true;
  }

  const note = ({ name, skill, artifact }: PublishedSkill, file?: string): void =>
    auditLog.record({
      action: "download",
      skill: name,
      ...(file === undefined ? { digest: artifact.digest } : { file }),
      ...(skill.repo === undefined ? {} : { commit: skill.repo.commit, repository: skill.repo.url }),
      remote: true,
      result: "ok",
    });

  async function serveFile(name: string, path: string, response: ServerResponse): Promise<boolean> {
    const found = await find(name);
    const bytes = found && (await publishedFileBytes(found, path).catch(() => undefined));
    if (bytes === undefined) return false;
    if (found !== undefined) note(found, path);
    const type = path === "SKILL.md" ? "text/markdown; charset=utf-8" : "application/octet-stream";
    await sendBytes(response, type, bytes.length, [bytes]);
    return true;
  }

  async function serve(path: string, response: ServerResponse): Promise<boolean> {
    const isNew = path.startsWith(PATH_0_2);
    const rest = path.slice((isNew ? PATH_0_2 : PATH_0_1).length);
    if (rest === INDEX_FILE) {
      const publication = await publisher.publicationOf(await snapshot());
      sendJson(response, 200, isNew ? indexOf02(publication) : indexOf01(publication));
      return true;
    }
    if (isNew) return serve02(rest, response);
    const [name = "", ...names] = decodeSegments(rest);
    return serveFile(name, names.join("/"), response);
  }

  return serve;
}

/** The names in an address, which are only compared with names that the disk gave; none where one is not readable. */
function decodeSegments(path: string): readonly string[] {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return [];
  }
}

async function sendBytes(
  response: ServerResponse,
  type: string,
  size: number,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  response.writeHead(200, {
    "content-type": type,
    "content-length": String(size),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    // A page that a skill brings along must not run as one of the dashboard.
    "content-security-policy": "sandbox; default-src 'none'",
  });
  if (response.req.method === "HEAD") {
    response.end();
    return;
  }
  try {
    await pipeline(Readable.from(bytes, { objectMode: false }), response);
  } catch (error) {
    // The client left, or a file changed: the connection is closed before the announced length.
    if (!response.destroyed) throw error;
  }
}
