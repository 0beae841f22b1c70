import type { McpServer } from "@modelcontextprotocol/server";
import type { App } from "../../app/create-app.ts";
import { onlyFilesChanged, updatedResources } from "../resources/updated-resources.ts";

interface Options {
  readonly era: "legacy" | "modern";
  readonly prompts: boolean;
  /** Called when the client is initialized. */
  readonly onInitialized: () => void;
  readonly onClose: () => void;
}

/** Notifies the client of changed lists, once it is initialized. */
export function announceChanges(mcp: McpServer, app: App, options: Options): void {
  const { server } = mcp;
  const modern = options.era === "modern";
  // In the modern era there is no handshake: the SDK notifies subscribers.
  let initialized = modern;
  let missed = false;
  const announce = (): void => {
    const params = { reason: "skills directory changed" };
    const notices = [
      server.notification({ method: "notifications/tools/list_changed", params }),
      server.sendResourceListChanged(),
      ...(options.prompts ? [server.sendPromptListChanged()] : []),
    ];
    for (const notice of notices) notice.catch(() => {});
  };
  server.oninitialized = () => {
    initialized = true;
    options.onInitialized();
    if (missed) announce();
  };
  const listening = (): boolean => initialized && mcp.isConnected();
  const stop = app.onChange(() => {
    // A client may have listed before it was initialized.
    if (listening()) announce();
    else missed = true;
  });
  const stopUpdates = app.onRefresh((event) => {
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
