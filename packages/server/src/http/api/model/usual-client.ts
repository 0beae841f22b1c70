import { clientMeant } from "#agents";
import type { SeenClient } from "../../transports/client-log.ts";
import { type ApiRequest, isAdministrator } from "../api-request.ts";

type ClientRequest = Pick<ApiRequest, "query" | "scopes" | "subject">;

/** On a server with tokens, who else is connected is for administrators alone. */
export function maySee(
  { scopes, subject }: Pick<ClientRequest, "scopes" | "subject">,
  client: SeenClient,
): boolean {
  return isAdministrator({ scopes }) || client.subject === subject;
}

/**
 * The request with what its address leaves open: the version and the connection with which the client was last seen here, else its
 * newest version, which starts a server of its own. So all views say the same of one client.
 */
export function withUsualClient<R extends ClientRequest>(request: R, clients: readonly SeenClient[]): R {
  const { name } = clientMeant(request.query.get("client")?.trim() || "claude-code");
  const seen = clients.find((each) => maySee(request, each) && clientMeant(each.client.name).name === name);
  const query = new URLSearchParams(request.query);
  const setMissing = (key: string, value: string): void => {
    if ((query.get(key)?.trim() ?? "") === "") query.set(key, value);
  };
  query.set("client", name);
  setMissing("version", seen === undefined ? "newest" : (seen.client.version ?? ""));
  if (seen !== undefined) setMissing("connection", "http");
  return { ...request, query };
}
