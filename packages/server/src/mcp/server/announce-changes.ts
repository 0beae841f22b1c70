import type { McpServer } from "@modelcontextprotocol/server";
import type { SnapshotSource } from "#skills";
import { onlyFilesChanged, updatedResources } from "../resources/subscriptions.ts";

interface Options {
  readonly era: "legacy" | "modern";
  /** Called when the client is initialized. */
  readonly onInitialized: () => void;
  readonly onClose: () => void;
}

/** Tells a client that tools, resources and, where there are any, prompts changed. */
export function announce(server: McpServer["server"]): void {
  const params = { reason: "skills directory changed" };
  const notices = [
    server.notification({ method: "notifications/tools/list_changed", params }),
    server.sendResourceListChanged(),
    ...(server.getCapabilities().prompts === undefined ? [] : [server.sendPromptListChanged()]),
  ];
  for (const notice of notices) notice.catch(() => {});
}

/** Notifies the client of changed lists, once it is initialized. */
export function announceChanges(
  mcp: McpServer,
  skills: Pick<SnapshotSource, "onChange" | "onRefresh">,
  options: Options,
): void {
  const { server } = mcp;
  const modern = options.era === "modern";
  // In the modern era there is no handshake: the SDK notifies subscribers.
  let initialized = modern;
  let missed = false;
  server.oninitialized = () => {
    initialized = true;
    options.onInitialized();
    if (missed) announce(server);
  };
  const listening = (): boolean => initialized && mcp.isConnected();
  const stop = skills.onChange(() => {
    // A client may have listed before it was initialized.
    if (listening()) announce(server);
    else missed = true;
  });
  const stopUpdates = skills.onRefresh((event) => {
    if (!listening()) return;
    if (onlyFilesChanged(event)) server.sendResourceListChanged().catch(() => {});
    // Clients with a session subscribe through handlers of their own.
    if (!modern) return;
    for (const uri of updatedResources(event)) server.sendResourceUpdated({ uri }).catch(() => {});
  });
  const closed = server.onclose;
  server.onclose = () => {
    stop();
    stopUpdates();
    options.onClose();
    closed?.();
  };
}
