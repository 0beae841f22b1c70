import { strictObject, string } from "zod";
import { isLoopbackHost } from "#util";
import { defined, Refusal } from "#util/pure";
import { createAgentConnections } from "../../../dashboard/changes/connect-agents.ts";
import { once } from "../../../on-first-use.ts";
import type { ConnectAnswer } from "../../../wire/connect.ts";
import { isConnected, type SeenClient } from "../../transports/client-log.ts";
import { type ApiRequest, badBody } from "../api-request.ts";
import type { Handlers } from "../create-api.ts";
import { json } from "../json-answer.ts";

/** The agents of the machine that this server runs on. For whoever may write their files, and sits in front of it. */
export function connectHandlers(
  home: string,
  clients: () => readonly SeenClient[],
): Record<"reads" | "writes", Handlers> {
  /** Where the agents' files are is looked up when somebody asks. */
  const agents = once(() => createAgentConnections(home));
  const now = () =>
    clients()
      .filter((seen) => isConnected(seen))
      .map(({ client }) => client);
  const answer = async (request: ApiRequest, done?: ConnectAnswer["done"]) =>
    json({
      agents: await agents().list(endpointOf(request), now()),
      ...defined({ done }),
    } satisfies ConnectAnswer);
  return {
    reads: { connect: (request) => answer(request) },
    writes: {
      async "connect/add"(request, body) {
        const { agent, seen } = readAdd(body);
        return answer(request, await agents().connect(agent, endpointOf(request), seen));
      },
      async "connect/remove"(request, body) {
        endpointOf(request);
        return answer(request, await agents().disconnect(readRemove(body)));
      },
    },
  };
}

/** The address of this server's MCP endpoint, as a browser on its own machine knows it. */
function endpointOf({ subject, headers: { host } }: ApiRequest): string {
  const url = `http://${typeof host === "string" ? host : ""}/mcp`;
  if (subject === undefined && URL.canParse(url) && isLoopbackHost(new URL(url).hostname)) return url;
  throw new Refusal(
    "Agents are connected here only by the page of a server without tokens on the same machine. Run `skills-mcp connect` where the agent is.",
    { code: "cannot-write", file: "" },
  );
}

const ADD = strictObject({ agent: string().min(1), seen: string().min(1) });
const REMOVE = strictObject({ agent: string().min(1) });

function readAdd(body: unknown) {
  const read = ADD.safeParse(body);
  if (read.success) return read.data;
  throw badBody('{"agent": "cursor", "seen": "…"}');
}

function readRemove(body: unknown): string {
  const read = REMOVE.safeParse(body);
  if (read.success) return read.data.agent;
  throw badBody('{"agent": "cursor"}');
}
