import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import type { Snapshot } from "#skills";
import type { AuditEntry } from "#trust";
import type { App } from "../../create-app.ts";
import { PROVENANCE } from "../answers/skill-page.ts";
import { fieldsOf, knownTool, namedInCall, plainUri, skillNamed, textOf } from "../observe/skill-use.ts";
import { clientOf } from "./client-of.ts";

type Handler = (request: unknown, context: ServerContext) => unknown;
type Fields = Readonly<Record<string, unknown>>;

/** The requests that give content away or run something. */
const RECORDED: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

/** Records who was served what by a server, which has to be told before its handlers are set. */
export function recordCalls(
  server: McpServer["server"],
  app: App,
  { caller, isRemote }: { readonly caller: string | undefined; readonly isRemote: boolean },
): void {
  const target = server as unknown as { setRequestHandler(method: string, ...more: unknown[]): void };
  const setHandler = target.setRequestHandler.bind(server);
  target.setRequestHandler = (method, ...more) => {
    if (!RECORDED.has(method)) {
      setHandler(method, ...more);
      return;
    }
    const handler = more.pop() as Handler;
    setHandler(method, ...more, async (request: unknown, context: ServerContext) => {
      const began = performance.now();
      const note = async (answer: unknown, result?: "error"): Promise<void> => {
        const client = clientOf(server, context);
        app.auditLog.record({
          ...describe(method, fieldsOf(fieldsOf(request)["params"]), fieldsOf(answer), await app.snapshot()),
          ...(caller === undefined ? {} : { caller }),
          ...(client === undefined
            ? {}
            : { client: client.version === undefined ? client.name : `${client.name}/${client.version}` }),
          ...(isRemote ? { remote: true } : {}),
          duration_ms: Math.round(performance.now() - began),
          ...(result === undefined ? {} : { result }),
        });
      };
      try {
        const answer = await handler(request, context);
        // The client need not wait for it.
        void note(answer).catch(() => {});
        return answer;
      } catch (error) {
        void note(undefined, "error").catch(() => {});
        throw error;
      }
    });
  };
}

/** What a request was about: names that are known here, never a text that a caller wrote. */
function describe(method: string, params: Fields, answer: Fields, snapshot: Snapshot): AuditEntry {
  const isRefused = answer["isError"] === true;
  const data = fieldsOf(answer["structuredContent"]);
  const [content] = Array.isArray(answer["contents"]) ? (answer["contents"] as readonly unknown[]) : [];
  const meta = fieldsOf(answer["_meta"] ?? fieldsOf(content)["_meta"]);
  const origin = fieldsOf(meta[PROVENANCE]);
  const file = fieldsOf(meta["skills-mcp/file"]);
  const action = method === "tools/call" ? (knownTool(textOf(params["name"])) ?? method) : method;
  const skill =
    method === "tools/call"
      ? skillNamed(snapshot, namedInCall(params, answer))?.name
      : isRefused || answer["error"] !== undefined || Object.keys(answer).length === 0
        ? undefined
        : (textOf(params["name"]) ?? plainUri(textOf(params["uri"])));
  const isScript = action === "run_script" && !isRefused;
  const exitCode = data["exit_code"];
  return {
    action,
    ...named("skill", skill),
    ...named("file", textOf(file["path"]) ?? (isScript || isRefused ? undefined : textOf(data["file"]))),
    ...named("script", isScript ? textOf(data["script"]) : undefined),
    ...named("digest", textOf(file["digest"]) ?? textOf(origin["approved"]) ?? textOf(origin["sha256"])),
    ...named("commit", textOf(origin["commit"])),
    ...named("repository", textOf(origin["repository"])),
    ...named("sandbox", isScript ? textOf(data["sandbox"]) : undefined),
    ...(isScript && typeof exitCode === "number" ? { exit_code: exitCode } : {}),
    result: isRefused ? "refused" : isScript && data["success"] === false ? "failed" : "ok",
  };
}

function named<Key extends string>(key: Key, value: string | undefined): { readonly [K in Key]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: string };
}
