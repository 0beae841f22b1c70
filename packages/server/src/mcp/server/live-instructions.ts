import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import type { ClientInfo } from "#agents";
import { clientOf } from "./client-of.ts";

type Handler = (request: unknown, context: ServerContext) => unknown;

/** The parts of the SDK that answer a handshake, looked up at each request or set by the transport. */
interface Handshake {
  _oninitialize(request: { readonly params: { readonly clientInfo: ClientInfo } }): Promise<object>;
  setRequestHandler(method: string, handler: Handler, ...more: readonly unknown[]): void;
}

/**
 * Makes the server's instructions depend on the client and on the skills at the moment of its handshake. The SDK takes
 * them as a constant, when a server is created and nobody has asked yet. Undefined leaves that constant in place.
 */
export function answerWithInstructions(
  { server }: McpServer,
  instructionsFor: (client: ClientInfo | undefined) => Promise<string | undefined>,
): void {
  const handshake = server as unknown as Handshake;
  const withInstructions = async (answer: object, client: ClientInfo | undefined): Promise<object> => {
    const instructions = await instructionsFor(client);
    return instructions === undefined ? answer : { ...answer, instructions };
  };
  const initialize = handshake._oninitialize.bind(server);
  handshake._oninitialize = async (request) =>
    withInstructions(await initialize(request), request.params.clientInfo);

  // The handler of `server/discover` is set by the transport, after the server is created.
  const setHandler = handshake.setRequestHandler.bind(server);
  handshake.setRequestHandler = (method, handler, ...more) => {
    const discover: Handler = async (request, context) =>
      withInstructions((await handler(request, context)) as object, clientOf(server, context));
    setHandler(method, method === "server/discover" ? discover : handler, ...more);
  };
}
