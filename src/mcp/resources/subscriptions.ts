import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import type { Snapshot } from "../../registry/registry.ts";
import { libraryTarget } from "./library-resources.ts";
import { findSkillFile, type ReadDeps } from "./read-resource.ts";
import { LIBRARY_SCHEME, parseResourceUri } from "./resource-uri.ts";

/** More than any client watches; a limit all the same, because each is looked at after every refresh. */
const MOST_SUBSCRIPTIONS = 1_000;

/**
 * Serves `resources/subscribe`, which only clients with a session can send. What a session subscribed to is looked at
 * after every refresh. Returns how to stop.
 */
export function serveSubscriptions(
  server: Pick<Server, "setRequestHandler" | "sendResourceUpdated">,
  deps: ReadDeps,
): () => void {
  /** By URI, what the resource was like when its subscriber was last told. */
  const stamps = new Map<string, string | undefined>();
  let looking = Promise.resolve();

  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
    if (!stamps.has(uri) && stamps.size >= MOST_SUBSCRIPTIONS) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `A session can subscribe to ${MOST_SUBSCRIPTIONS} resources; unsubscribe from some first.`,
      );
    }
    // A resource that is not there yet may be waited for.
    if (!stamps.has(uri)) stamps.set(uri, await stampOf(uri, deps));
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", async ({ params: { uri } }) => {
    stamps.delete(uri);
    return {};
  });

  async function look(): Promise<void> {
    for (const [uri, before] of stamps) {
      const stamp = await stampOf(uri, deps);
      if (stamp === before || !stamps.has(uri)) continue;
      stamps.set(uri, stamp);
      await server.sendResourceUpdated({ uri });
    }
  }

  return deps.app.onRefresh(() => {
    // One look at a time, and none that fails ends the next.
    if (stamps.size > 0) looking = looking.then(look).catch(() => {});
  });
}

/** Another value means that a reading may give something else; undefined when there is nothing to read. */
async function stampOf(uri: string, deps: ReadDeps): Promise<string | undefined> {
  const address = parseResourceUri(uri);
  if (address?.scheme !== LIBRARY_SCHEME) return (await findSkillFile(uri, deps))?.file.stamp;
  const { library, libraryFingerprints } = await deps.app.snapshot();
  const target = libraryTarget(library, address.parts);
  return target === undefined ? undefined : chainRevision(target.skillPath, { library, libraryFingerprints });
}

/** A skill's content begins with that of the skills above it. */
function chainRevision(
  skillPath: string,
  { library, libraryFingerprints }: Pick<Snapshot, "library" | "libraryFingerprints">,
): string {
  const revisions: string[] = [];
  for (
    let path: string | undefined = skillPath;
    path !== undefined;
    path = library.skills.get(path)?.parent
  ) {
    revisions.push(libraryFingerprints.get(path) ?? "");
  }
  return revisions.join(" ");
}
