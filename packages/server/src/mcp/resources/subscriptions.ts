import path from "node:path";
import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import type { RefreshEvent, SnapshotSource } from "#skills";
import type { RequestHandlers } from "../server/pipeline.ts";
import { librarySkillUri, libraryTarget } from "./library-resources.ts";
import { findSkillFile } from "./read-resource.ts";
import { LIBRARY_SCHEME, parseResourceUri, skillFileUri, skillRootUri } from "./resource-uri.ts";

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

/**
 * The URIs of the skills whose text a refresh found changed. For clients of the modern era: the SDK knows their
 * subscriptions and drops the rest.
 */
export function updatedResources({ snapshot, previous }: RefreshEvent): readonly string[] {
  if (previous === undefined) return [];
  const changed =
    previous.fingerprints === snapshot.fingerprints
      ? []
      : snapshot.catalog.entries.filter(
          ({ skill }) => previous.fingerprints.get(skill) !== snapshot.fingerprints.get(skill),
        );
  const known = new Set(
    changed.length === 0 ? [] : previous.catalog.entries.map(({ skill }) => skillRootUri(skill)),
  );
  const uris = changed.map(({ skill }) => {
    const root = skillRootUri(skill);
    return root === undefined || !known.has(root) ? undefined : skillFileUri(root, skill, [skill.fileName]);
  });
  for (const [path, fingerprint] of snapshot.libraryFingerprints) {
    const before = previous.libraryFingerprints.get(path);
    if (before !== undefined && before !== fingerprint) uris.push(librarySkillUri(path));
  }
  return uris.filter((uri) => uri !== undefined);
}

/**
 * Whether only files of the skills that clients see came or went: a change of the catalog is announced as one anyway,
 * and nobody sees the files of a skill that is broken or filtered out.
 */
export function onlyFilesChanged({ snapshot, previous, change }: RefreshEvent): boolean {
  if (change !== undefined || previous === undefined || previous.listing === snapshot.listing) return false;
  const served = new Set(snapshot.catalog.entries.map(({ skill }) => skill.realDir));
  return snapshot.changedFolders.some((dir) => isInOneOf(dir, served));
}

function isInOneOf(dir: string, folders: ReadonlySet<string>): boolean {
  for (let at = dir; ; at = path.dirname(at)) {
    if (folders.has(at)) return true;
    if (at === path.dirname(at)) return false;
  }
}
