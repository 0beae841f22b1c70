import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createSiteAnswers, type SiteAnswer } from "#install";
import type { SnapshotSource } from "#skills";
import type { AuditLog } from "#trust";
import { defined, memoizeWeak } from "#util/pure";
import type { Principal } from "../auth/principal.ts";
import { type Exchange, notAllowed, sendJson } from "../server/exchange.ts";

/** What a caller may download, and the record of what was downloaded. */
interface PublishedView extends Pick<SnapshotSource, "snapshot"> {
  readonly auditLog: Pick<AuditLog, "record">;
}

/** Agent Skills discovery 0.2 and 0.1: indexes of the skills for installers, with an archive or the files of each. */
export function createAgentSkillsIndex(viewFor: (caller: Principal) => PublishedView) {
  const answersOf = memoizeWeak((_view: PublishedView) => createSiteAnswers());
  return async ({ request, response, path, principal }: Exchange): Promise<void> => {
    if (request.method !== "GET" && request.method !== "HEAD") throw notAllowed("GET, HEAD");
    const view = viewFor(principal);
    const answer = await answersOf(view)(await view.snapshot(), path);
    if (answer === undefined) return sendJson(response, 404, { error: "Skill not found." });
    if (answer.kind === "index") return sendJson(response, 200, answer.value);
    record(view.auditLog, answer);
    return sendBytes(response, answer.body);
  };
}

type Download = Exclude<SiteAnswer, { kind: "index" }>;

function record(auditLog: Pick<AuditLog, "record">, answer: Download): void {
  const { name, skill } = answer.published;
  auditLog.record({
    action: "download",
    skill: name,
    ...(answer.kind === "file" ? { file: answer.path } : { digest: answer.digest }),
    ...defined({ commit: skill.repo?.commit, repository: skill.repo?.url }),
    remote: true,
    result: "ok",
  });
}

async function sendBytes(response: ServerResponse, { type, size, bytes }: Download["body"]): Promise<void> {
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
