import { Client, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";

/** The three ways in which real clients connect. */
export const WAYS = ["2025-11-25", "2026-07-28", "sse"] as const;
export type Way = (typeof WAYS)[number];

export interface HttpConnection {
  readonly client: Client;
  /** How often it was told that the tools changed, and that the resources did. */
  readonly announced: () => number;
  readonly filesAnnounced: () => number;
  readonly transport: StreamableHTTPClientTransport | SSEClientTransport;
}

/** A real client. Closed when the test ends. */
export async function connectHttp(
  url: string,
  way: Way,
  options: { readonly token?: string; readonly path?: string; readonly clientName?: string } = {},
): Promise<HttpConnection> {
  let announced = 0;
  let filesAnnounced = 0;
  const requestInit =
    options.token === undefined ? {} : { headers: { authorization: `Bearer ${options.token}` } };
  const address = new URL(options.path ?? "/mcp", url);
  const transport =
    way === "sse"
      ? new SSEClientTransport(address, { requestInit })
      : new StreamableHTTPClientTransport(address, { requestInit });
  const client = new Client(
    { name: options.clientName ?? "test", version: "1.0.0" },
    {
      ...(way === "2026-07-28" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
      listChanged: {
        tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void announced++ },
        resources: { autoRefresh: false, debounceMs: 0, onChanged: () => void filesAnnounced++ },
      },
    },
  );
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport, announced: () => announced, filesAnnounced: () => filesAnnounced };
}
