import type { McpServer, RequestMethod, ServerContext } from "@modelcontextprotocol/server";
import type { Snapshot, SnapshotSource } from "#skills";
import type { AuditLog } from "#trust";
import { PROVENANCE } from "../answers/skill-page.ts";
import { knownTool, namedInCall, plainUri, skillNamed } from "../observe/skill-use.ts";
import { clientOf } from "./client-of.ts";
import type { RequestHandler, Step } from "./pipeline.ts";
import { fieldsOf, type MessageFields, textOf } from "./pipeline.ts";

/** The requests that give content away or run something. */
const RECORDED: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

/** What is recorded, and where. */
interface Recorded {
  readonly skills: Pick<SnapshotSource, "snapshot">;
  readonly auditLog: Pick<AuditLog, "record">;
  readonly caller: string | undefined;
  readonly isRemote: boolean;
}

/** Records in the audit log who was served what. */
export function recordCalls(server: McpServer["server"], recorded: Recorded): Step {
  const { skills, auditLog, caller, isRemote } = recorded;
  const around = <Method extends RequestMethod>(
    method: Method,
    handler: RequestHandler<Method>,
  ): RequestHandler<Method> => {
    if (!RECORDED.has(method)) return handler;
    return async (request, context) => {
      const began = performance.now();
      const note = async (answer: unknown, result?: "error"): Promise<void> => {
        auditLog.record({
          ...describe(method, fieldsOf(request.params), fieldsOf(answer), await skills.snapshot()),
          ...(caller === undefined ? {} : { caller }),
          ...clientField(server, context),
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
    };
  };
  return { around };
}

function clientField(server: McpServer["server"], context: ServerContext): { readonly client?: string } {
  const client = clientOf(server, context);
  if (client === undefined) return {};
  return { client: client.version === undefined ? client.name : `${client.name}/${client.version}` };
}

/** What a request was about: names that are known here, never a text that a caller wrote. */
function describe(
  method: string,
  params: MessageFields,
  answer: MessageFields,
  snapshot: Snapshot,
): Parameters<AuditLog["record"]>[0] {
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
