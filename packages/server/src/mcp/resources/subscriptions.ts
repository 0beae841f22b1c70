import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import type { SnapshotSource } from "#skills";
import type { RequestHandlers } from "../server/pipeline.ts";
import { libraryTarget } from "./library-resources.ts";
import { findSkillFile } from "./read-resource.ts";
import { LIBRARY_SCHEME, parseResourceUri } from "./resource-uri.ts";

/** More than any client needs; each is checked after every refresh. */
const MOST_SUBSCRIPTIONS = 1_000;

/**
 * Serves `resources/subscribe`, which only clients with a session can send. Every subscribed resource is checked after
 * each refresh, until `stop` is called.
 */
export function createSubscriptions(
  server: Pick<Server, "sendResourceUpdated">,
  skills: Pick<SnapshotSource, "snapshot" | "onRefresh">,
): { readonly handlers: RequestHandlers; readonly stop: () => void } {
  /** By URI, the fingerprint when the subscriber was last notified. */
  const fingerprints = new Map<string, string | undefined>();
  let checking = Promise.resolve();

  const handlers: RequestHandlers = {
    "resources/subscribe": async ({ params: { uri } }) => {
      if (!fingerprints.has(uri) && fingerprints.size >= MOST_SUBSCRIPTIONS) {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `A session can subscribe to at most ${MOST_SUBSCRIPTIONS} resources; unsubscribe from some first.`,
        );
      }
      // A client may subscribe to a resource that does not exist yet.
      if (!fingerprints.has(uri)) fingerprints.set(uri, await resourceFingerprint(uri, skills));
      return {};
    },
    "resources/unsubscribe": async ({ params: { uri } }) => {
      fingerprints.delete(uri);
      return {};
    },
  };

  async function check(): Promise<void> {
    for (const [uri, before] of fingerprints) {
      const current = await resourceFingerprint(uri, skills);
      if (current === before || !fingerprints.has(uri)) continue;
      fingerprints.set(uri, current);
      await server.sendResourceUpdated({ uri });
    }
  }

  const stop = skills.onRefresh(() => {
    // One check at a time; a failed one does not prevent the next.
    if (fingerprints.size > 0) checking = checking.then(check).catch(() => {});
  });
  return { handlers, stop };
}

/** Another value means that the content may have changed; undefined when there is nothing to read. */
async function resourceFingerprint(
  uri: string,
  skills: Pick<SnapshotSource, "snapshot">,
): Promise<string | undefined> {
  const address = parseResourceUri(uri);
  if (address?.scheme !== LIBRARY_SCHEME) return (await findSkillFile(uri, skills))?.file.fingerprint;
  const { library, libraryFingerprints } = await skills.snapshot();
  const target = libraryTarget(library, address.parts);
  if (target === undefined) return undefined;
  // The content of a skill begins with that of the skills above it.
  const fingerprints: string[] = [];
  let path: string | undefined = target.skillPath;
  while (path !== undefined) {
    fingerprints.push(libraryFingerprints.get(path) ?? "");
    path = library.skills.get(path)?.parent;
  }
  return fingerprints.join(" ");
}
