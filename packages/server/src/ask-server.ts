import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { describeError, errorCode, signalGroup, spawnGroup, VERSION } from "#util";
import { isRecord } from "#util/pure";

/** A server as an agent reaches it: a program that it starts, or an address. */
export type AskedServer =
  | {
      readonly kind: "local";
      readonly program: readonly string[];
      readonly env: Readonly<Record<string, string | undefined>>;
    }
  | { readonly kind: "http"; readonly url: string; readonly token: string | undefined };

/** What a server said to `initialize` and to the requests for its lists, or why it said nothing. */
export type ServerReply =
  | { readonly ok: true; readonly server: string; readonly tools: number; readonly skills: number }
  | { readonly ok: false; readonly reason: string; readonly status?: number };

/** Shorter than the patience of agents, which is 10 s to 30 s. */
const LONGEST_MS = 10_000;
/** Time for a program to end once its input has. */
const END_MS = 2_000;
const MOST_PAGES = 100;
/** Every version of the protocol since this one begins with these requests. */
const PROTOCOL = "2025-06-18";

/** One connection to a server. */
interface Session {
  request(method: string, params: object): Promise<unknown>;
  notify(method: string): Promise<void>;
  close(): Promise<void>;
}

/** Why a server gave no answer, as a clause. */
class NoReply extends Error {
  readonly status: number | undefined;

  constructor(reason: string, status?: number) {
    super(reason);
    this.status = status;
  }
}

/** Connects to a server as an agent does, asks for its lists, and leaves it. Never throws. */
export async function askServer(asked: AskedServer, longestMs = LONGEST_MS): Promise<ServerReply> {
  const signal = AbortSignal.timeout(longestMs);
  let session: Session | undefined;
  try {
    session = asked.kind === "http" ? openHttp(asked, signal) : openProgram(asked, signal);
    return await conversation(session);
  } catch (error) {
    if (signal.aborted) return { ok: false, reason: `no answer within ${longestMs / 1000} s` };
    if (!(error instanceof NoReply)) return { ok: false, reason: describeError(error) };
    return {
      ok: false,
      reason: error.message,
      ...(error.status === undefined ? {} : { status: error.status }),
    };
  } finally {
    await session?.close();
  }
}

async function conversation({ request, notify }: Session): Promise<ServerReply> {
  const hello = await request("initialize", {
    protocolVersion: PROTOCOL,
    capabilities: {},
    clientInfo: { name: "skills-mcp-connect", version: VERSION },
  });
  const info = isRecord(hello) && isRecord(hello["serverInfo"]) ? hello["serverInfo"] : undefined;
  if (info === undefined) throw new NoReply("what answers is no MCP server");
  await notify("notifications/initialized");
  const tools = await request("tools/list", {});
  const skills = await countSkills(request);
  return {
    ok: true,
    server: `${String(info["name"])} ${String(info["version"])}`,
    tools: listIn(tools, "tools").length,
    skills,
  };
}

/** Each skill is one resource that is called SKILL.md. */
async function countSkills(request: Session["request"]): Promise<number> {
  let skills = 0;
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await request("resources/list", cursor === undefined ? {} : { cursor });
    skills += listIn(answer, "resources").filter(isSkillFile).length;
    cursor = isRecord(answer) ? answer["nextCursor"] : undefined;
    if (typeof cursor !== "string") break;
  }
  return skills;
}

function isSkillFile(resource: unknown): boolean {
  const uri = isRecord(resource) ? resource["uri"] : undefined;
  return typeof uri === "string" && uri.startsWith("skill://") && uri.endsWith("/SKILL.md");
}

function listIn(answer: unknown, key: string): readonly unknown[] {
  const list = isRecord(answer) ? answer[key] : undefined;
  return Array.isArray(list) ? list : [];
}

function openHttp({ url, token }: AskedServer & { kind: "http" }, signal: AbortSignal): Session {
  let id = 0;
  let sessionId: string | undefined;
  const send = async (method: "POST" | "DELETE", message?: object): Promise<Response> => {
    const response = await fetch(url, {
      method,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(sessionId === undefined ? {} : { "mcp-session-id": sessionId }),
        ...(id > 1 ? { "mcp-protocol-version": PROTOCOL } : {}),
      },
      ...(message === undefined ? {} : { body: JSON.stringify(message) }),
      redirect: "error",
      signal,
    }).catch((error: unknown) => {
      throw new NoReply(reasonOf(error));
    });
    if (!response.ok) throw new NoReply(`it answers ${response.status}`, response.status);
    sessionId ??= response.headers.get("mcp-session-id") ?? undefined;
    return response;
  };
  return {
    async request(method, params) {
      const response = await send("POST", { jsonrpc: "2.0", id: ++id, method, params });
      const text = await response.text();
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
      const messages = isStream ? [...text.matchAll(/^data: ?(.+)$/gm)].map(([, data = ""]) => data) : [text];
      return resultOf(messages.map(parsed).find((message) => message?.["id"] === id));
    },
    async notify(method) {
      await (await send("POST", { jsonrpc: "2.0", method })).body?.cancel();
    },
    async close() {
      // A server that keeps no sessions need not be told.
      if (sessionId !== undefined) await send("DELETE").catch(() => undefined);
    },
  };
}

function openProgram(
  { program: [command = "", ...args], env }: AskedServer & { kind: "local" },
  signal: AbortSignal,
): Session {
  const child = spawnGroup(command, args, { env, stdio: ["pipe", "pipe", "pipe"] });
  const { stdin, stdout, stderr, pid } = child;
  let id = 0;
  let lastLine = "";
  const waiting = new Map<unknown, (message: Record<string, unknown>) => void>();
  if (stderr !== null) createInterface({ input: stderr }).on("line", (line) => void (lastLine = line));
  if (stdout !== null)
    createInterface({ input: stdout }).on("line", (line) => {
      const message = parsed(line);
      if (message !== undefined) waiting.get(message["id"])?.(message);
    });
  stdin?.on("error", () => {});
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`it cannot be started: ${describeError(error)}`));
    child.once("close", (code) => {
      resolve(`it ended with exit code ${code}${lastLine === "" ? "" : `: ${lastLine}`}`);
    });
  });
  const failed = Promise.race([
    ended.then((reason) => Promise.reject(new NoReply(reason))),
    new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(new NoReply("no answer")), { once: true });
    }),
  ]);
  // The requests that wait report it.
  failed.catch(() => {});
  const write = (message: object): void => void stdin?.write(`${JSON.stringify(message)}\n`);
  return {
    async request(method, params) {
      const own = ++id;
      const answer = new Promise<Record<string, unknown>>((resolve) => {
        waiting.set(own, resolve);
      });
      write({ jsonrpc: "2.0", id: own, method, params });
      return resultOf(await Promise.race([answer, failed]));
    },
    async notify(method) {
      write({ jsonrpc: "2.0", method });
    },
    async close() {
      stdin?.end();
      const hasEnded = await Promise.race([ended.then(() => true), pause(END_MS, false, { ref: false })]);
      if (!hasEnded && pid !== undefined) signalGroup(pid, "SIGKILL");
    },
  };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The result of an answer. A method that the server lacks has none; anything else is no answer of an MCP server. */
function resultOf(message: Record<string, unknown> | undefined): unknown {
  if (message === undefined) throw new NoReply("what answers is no MCP server");
  return message["result"];
}

/** Why a request could not be sent, in the words of the system. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const errors = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause ?? error];
  const [first] = errors;
  const code = errorCode(first);
  if (code === "ECONNREFUSED") return "connection refused";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "its host name is not known here";
  return describeError(first);
}
