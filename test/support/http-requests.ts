export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
} as const;

/** A request of the modern era, which says all about itself. */
export function modernRequest(id: number, method: string, params: object = {}): object {
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  };
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta: envelope } };
}

export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": name }),
  };
}

export function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Opens a session and returns its id. */
export async function openSession(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  path = "/mcp",
): Promise<string> {
  const answer = await post(`${url}${path}`, INITIALIZE, headers);
  await answer.text();
  const id = answer.headers.get("mcp-session-id");
  if (answer.status !== 200 || id === null) throw new Error(`No session was opened: ${answer.status}`);
  await (
    await post(
      `${url}${path}`,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { ...headers, "mcp-session-id": id },
    )
  ).text();
  return id;
}

/** The value of a metric without labels. */
export async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
}
