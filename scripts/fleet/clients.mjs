// Clients of both protocol eras behind a balancer, which record everything that goes wrong.
import http from "node:http";

const VERSION = "2025-11-25";
const MODERN = "2026-07-28";

/** Sends a request; answers status, headers and body, or rejects when the connection breaks. */
function send(agent, port, { method = "POST", headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        agent,
        port,
        host: "127.0.0.1",
        path: "/mcp",
        method,
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
        response.on("error", reject);
        response.on("aborted", () => reject(new Error("the response was cut")));
      },
    );
    request.on("error", reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The messages of an answer, whether it is JSON or a stream of events. */
function messagesIn(text) {
  return text
    .split("\n")
    .flatMap((line) => (line.startsWith("data: {") ? [line.slice(6)] : line.startsWith("{") ? [line] : []))
    .map((line) => JSON.parse(line));
}

/** One client. `era` is legacy or modern. */
export function createClient({ agent, port, index, era, record }) {
  const name = `client-${index}`;
  let count = 0;
  let session;

  const envelope = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name, version: "1" },
  };
  const headersOf = (method, params) =>
    era === "modern"
      ? {
          "mcp-protocol-version": MODERN,
          "mcp-method": method,
          ...(method === "tools/call" ? { "mcp-name": params.name } : {}),
        }
      : session === undefined
        ? {}
        : { "mcp-session-id": session, "mcp-protocol-version": VERSION };

  async function call(method, params = {}, isRequest = true) {
    const id = `${name}-${++count}`;
    const withMeta = era === "modern" ? { ...params, _meta: envelope } : params;
    const body = { jsonrpc: "2.0", ...(isRequest ? { id } : {}), method, params: withMeta };
    const began = performance.now();
    const tool = method === "tools/call" ? params.name : undefined;
    const outcome = { client: name, method, tool, began, ended: 0, status: 0, upstream: "" };
    try {
      const answer = await send(agent, port, { headers: headersOf(method, params), body });
      outcome.status = answer.status;
      outcome.upstream = String(answer.headers["x-upstream"] ?? "");
      if (method === "initialize") session = answer.headers["mcp-session-id"];
      const messages = isRequest && answer.status === 200 ? messagesIn(answer.text) : [];
      const result = messages.at(-1)?.result;
      const foreign = messages.find((message) => message.id !== undefined && message.id !== id);
      if (foreign !== undefined) outcome.problem = `wrong session: ${JSON.stringify(foreign).slice(0, 200)}`;
      else if (answer.status >= 300) outcome.problem = `${answer.status} ${answer.text.slice(0, 200)}`;
      else if (isRequest && (result === undefined || result.isError === true))
        outcome.problem = `no result: ${answer.text.slice(0, 200)}`;
      else if (tool === "report_usage" && !answer.text.includes('"recorded":true'))
        outcome.problem = `not recorded: ${answer.text.slice(0, 200)}`;
    } catch (error) {
      outcome.problem = error.message;
    }
    outcome.ended = performance.now();
    record(outcome);
    return outcome;
  }

  return {
    name,
    era,
    call,
    async open() {
      if (era === "modern") return;
      const clientInfo = { name, version: "1" };
      await call("initialize", { protocolVersion: VERSION, capabilities: {}, clientInfo });
      await call("notifications/initialized", {}, false);
    },
    /** What a stream for notifications of this client needs. */
    streamRequest(lastEventId) {
      if (era === "legacy") {
        const last = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
        return { method: "GET", headers: { ...headersOf("", {}), accept: "text/event-stream", ...last } };
      }
      const method = "subscriptions/listen";
      const params = { notifications: { toolsListChanged: true }, _meta: envelope };
      return {
        method: "POST",
        headers: headersOf(method, params),
        body: { jsonrpc: "2.0", id: `${name}-listen-${++count}`, method, params },
      };
    },
    ownsId: (id) => typeof id === "string" && id.startsWith(`${name}-`),
  };
}

/** Keeps a stream of a client open, and records when it was opened and what arrived. */
export function keepStream({ client, port, record }) {
  const events = [];
  let lastEventId;
  let stopped = false;
  let request;
  const agent = new http.Agent({ keepAlive: false });

  function open() {
    if (stopped) return;
    const { method, headers, body } = client.streamRequest(lastEventId);
    request = http.request(
      {
        agent,
        port,
        host: "127.0.0.1",
        path: "/mcp",
        method,
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
      },
      (response) => {
        if (response.statusCode !== 200) {
          events.push({ at: performance.now(), kind: "refused", status: response.statusCode });
          response.resume();
          response.on("close", again);
          return;
        }
        events.push({ at: performance.now(), kind: "open" });
        let rest = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          rest += chunk;
          const parts = rest.split("\n\n");
          rest = parts.pop();
          for (const part of parts) take(part);
        });
        response.on("close", () => {
          events.push({ at: performance.now(), kind: "closed" });
          again();
        });
        response.on("error", () => {});
      },
    );
    request.on("error", again);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  }
  let waiting;
  function again() {
    clearTimeout(waiting);
    // As clients do: soon, but not at once.
    if (!stopped) waiting = setTimeout(open, 100 + Math.random() * 200);
  }
  function take(part) {
    const id = /^id: (.+)$/m.exec(part)?.[1];
    if (id !== undefined) lastEventId = id;
    const data = /^data: (\{.*)$/m.exec(part)?.[1];
    if (data === undefined) return;
    const message = JSON.parse(data);
    if (message.id !== undefined && !client.ownsId(message.id))
      record({ client: client.name, problem: `wrong session: ${data.slice(0, 200)}` });
    if (message.method === "notifications/tools/list_changed")
      events.push({ at: performance.now(), kind: "notice" });
  }
  open();
  return {
    client,
    events,
    isOpen: () => events.findLast(({ kind }) => kind !== "notice")?.kind === "open",
    stop() {
      stopped = true;
      clearTimeout(waiting);
      request?.destroy();
    },
  };
}
