import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from "@modelcontextprotocol/server";
import { Refusal } from "#util/pure";
import type { App } from "../../create-app.ts";
import { listResources } from "./list-resources.ts";
import { readResource } from "./read-resource.ts";
import { resourceTemplates } from "./templates.ts";

/** Serves the files of all skills and libraries as resources. */
export function serveResources(server: Pick<Server, "setRequestHandler">, app: App): void {
  server.setRequestHandler("resources/list", async ({ params }, { mcpReq }) =>
    listResources(await app.snapshot(), params?.cursor, mcpReq.signal),
  );
  server.setRequestHandler("resources/templates/list", async () => ({
    resourceTemplates: resourceTemplates(await app.snapshot()),
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const contents = await answering(() => readResource(uri, app));
    if (contents === undefined) throw new ResourceNotFoundError(uri);
    return { contents: [contents] };
  });
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
