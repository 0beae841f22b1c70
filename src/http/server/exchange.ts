import type { IncomingMessage, ServerResponse } from "node:http";
import type { Principal } from "../auth/principal.ts";

/** One request and its answer, after the guards let it in. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly principal: Principal;
  /** Our own address as the client knows it, without a slash at its end. */
  readonly base: string;
}
