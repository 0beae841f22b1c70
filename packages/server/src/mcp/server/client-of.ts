import path from "node:path";
import { fileURLToPath } from "node:url";
import type { McpServer, Server, ServerContext } from "@modelcontextprotocol/server";
import type { ClientInfo } from "#agents";
import type { Log } from "#util";
import type { Step } from "./pipeline.ts";
import { clientInMeta, fieldsOf, isRequest, metaOf } from "./pipeline.ts";

/**
 * Learns the client of a server from its requests: since 2026-07-28 each one names it, and a server that is not for a single
 * request has a single client.
 */
export function followClient(server: McpServer["server"]): {
  readonly step: Step;
  /** Undefined until the client has sent a request. */
  readonly client: () => ClientInfo | undefined;
} {
  let named: ClientInfo | undefined;
  return {
    client: () => named ?? server.getClientVersion(),
    step: {
      receive(message, extra, next) {
        if (isRequest(message)) named = clientInMeta(metaOf(message));
        next(message, extra);
      },
    },
  };
}

/** The client of a request: it names itself in `initialize` or, since 2026-07-28, in every request. */
export function clientOf(server: McpServer["server"], context: ServerContext): ClientInfo | undefined {
  return clientInMeta(fieldsOf(context.mcpReq.envelope)) ?? server.getClientVersion();
}

/** More folders than this are a mistake. */
const MOST_ROOTS = 64;

type RootsServer = Pick<Server, "getClientCapabilities" | "listRoots" | "setNotificationHandler">;

/**
 * Makes a client's workspace folders project folders. Only where one process serves one client, so that no client
 * changes another's lists. Returns what to call once the client is initialized; the modern era has neither that moment
 * nor requests to the client.
 */
export function followClientRoots(
  server: RootsServer,
  setWorkspaces: (folders: readonly string[]) => Promise<void>,
  log: Log,
): () => void {
  const ask = async (): Promise<void> => {
    try {
      const { roots } = await server.listRoots();
      await setWorkspaces(workspaceFolders(roots.map(({ uri }) => uri)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.warn(`the client's workspace folders are not searched: ${reason}`);
    }
  };
  server.setNotificationHandler("notifications/roots/list_changed", ask);
  return () => {
    if (server.getClientCapabilities()?.roots !== undefined) void ask();
  };
}

/** The folders on this machine among a client's roots, each once, in the client's order. */
export function workspaceFolders(uris: readonly string[]): readonly string[] {
  const folders = uris.slice(0, MOST_ROOTS).flatMap((uri): string[] => {
    try {
      const folder = uri.startsWith("file://") ? path.resolve(fileURLToPath(uri)) : "\0";
      return folder.includes("\0") ? [] : [folder];
    } catch {
      // On another machine, or not a path.
      return [];
    }
  });
  return [...new Set(folders)];
}
