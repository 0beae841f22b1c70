import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { Refusal } from "#util/pure";
import type { RequestHandlers } from "../server/pipeline.ts";
import { listResources } from "./list-resources.ts";
import { type ReadableSkills, readResource } from "./read-resource.ts";
import { resourceTemplates } from "./templates.ts";

/** Serves the files of all skills and libraries as resources. */
export function resourceHandlers(served: ReadableSkills): RequestHandlers {
  return {
    "resources/list": async ({ params }, { mcpReq }) =>
      listResources(await served.snapshot(), params?.cursor, mcpReq.signal),
    "resources/templates/list": async () => ({
      resourceTemplates: resourceTemplates(await served.snapshot()),
    }),
    "resources/read": async ({ params: { uri } }) => {
      const contents = await answering(() => readResource(uri, served));
      if (contents === undefined) throw new ResourceNotFoundError(uri);
      return { contents: [contents] };
    },
  };
}

/** Turns a refusal into the protocol's error for invalid parameters. */
export async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    throw error;
  }
}
