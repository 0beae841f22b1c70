import { clientTitle } from "#agents";
import type { ObserveRequest } from "#util";
import { defined } from "#util/pure";
import { noteRequests } from "../../mcp/observe/observers.ts";
import type { ActivityAnswer, WireCall } from "../../wire/activity.ts";

/** More than anybody reads; older ones are in the record of who was served what. */
const MOST_CALLS = 1_000;
const LONGEST_NAME = 100;

/** The requests that use something, and the one that begins a session. */
const SHOWN: ReadonlySet<string> = new Set(["initialize", "tools/call", "prompts/get", "resources/read"]);

export interface CallTail {
  readonly requests: ObserveRequest;
  /** The calls after a number, the newest last, and the number of the last one. With `caller`, that caller's alone. */
  since(number: number, caller?: { readonly subject: string | undefined }): ActivityAnswer;
}

/** The last calls of agents: names that exist here and numbers, never a text that somebody wrote. */
export function createCallTail(): CallTail {
  const calls: WireCall[] = [];
  let last = 0;
  return {
    requests: noteRequests((request, { kind: outcome, code, durationMs, client, served }) => {
      const { method, tool, caller, startedAt } = request;
      if (!SHOWN.has(method)) return;
      const name = client?.name.slice(0, LONGEST_NAME);
      last += 1;
      calls.push({
        number: last,
        at: new Date(startedAt).toISOString(),
        what: tool ?? method,
        outcome,
        ms: Math.round(durationMs),
        ...defined({
          agent: name === undefined ? undefined : (clientTitle(name) ?? name),
          version: client?.version?.slice(0, LONGEST_NAME),
          caller,
          skill: served?.name,
          code,
        }),
      });
      if (calls.length > MOST_CALLS) calls.shift();
    }),
    since(number, caller) {
      // A page may know numbers of a server that was here before.
      const after = number > last ? 0 : number;
      const isShown = (call: WireCall): boolean =>
        call.number > after && (caller === undefined || call.caller === caller.subject);
      return { calls: calls.filter(isShown), last };
    },
  };
}
