import type { Writable } from "node:stream";
import { answerInitialize } from "../../mcp/first-answers/first-initialize.ts";
import { idOfPlainList, isInitialized } from "../../mcp/first-answers/first-list.ts";
import { answerLine, type Id } from "../../mcp/first-answers/first-message.ts";
import type { Offer } from "../../mcp/server/capabilities.ts";
import type { EarlyStdin } from "./early-stdin.ts";

/** What was said before the SDK was there to say it. */
export interface Said {
  /** The result as it was written; undefined when nothing could be said after all. */
  readonly result: Promise<string | undefined>;
  /** Sent when the SDK says something else by then. */
  readonly notice?: { readonly jsonrpc: "2.0"; readonly method: string };
}

export interface EarlyAnswers {
  readonly said: ReadonlyMap<Id, Said>;
  /** Answers the client's first `tools/list`, if that is the next that it asks for. */
  answerFirstList(list: (clientName: string) => Promise<object>): Promise<void>;
}

/** How long a client may take from one message to the next. Nobody has to wait for longer than that in vain. */
const PATIENCE_MS = 20;
/** The first look at a great many skills takes longer on a slow disk; then the SDK is loaded meanwhile. */
const LONGEST_WAIT_MS = 2_000;
const LIST_CHANGED = { jsonrpc: "2.0", method: "notifications/tools/list_changed" } as const;

/** Answers `initialize` if it has come by now: a client need not wait for what it has not asked for yet. */
export async function introduce(
  stdin: EarlyStdin,
  offer: Offer,
  stdout: Writable,
  patienceMs = PATIENCE_MS,
): Promise<EarlyAnswers> {
  const said = new Map<Id, Said>();
  const line = await stdin.nextLine(0);
  const introduction = line === undefined ? undefined : answerInitialize(line, offer);
  if (introduction === undefined) return { said, answerFirstList: async () => {} };
  const { id, clientName } = introduction;
  stdout.write(introduction.line);
  said.set(id, { result: Promise.resolve("") });

  const answerFirstList: EarlyAnswers["answerFirstList"] = async (list) => {
    let next = await stdin.nextLine(patienceMs);
    if (next !== undefined && isInitialized(next)) next = await stdin.nextLine(patienceMs);
    const asked = next === undefined ? undefined : idOfPlainList(next);
    if (asked === undefined || said.has(asked)) return;
    const result = list(clientName).then(
      (answer) => {
        const text = JSON.stringify(answer);
        stdout.write(answerLine(asked, text));
        return text;
      },
      // The SDK tries again, and says what is wrong.
      () => undefined,
    );
    said.set(asked, { result, notice: LIST_CHANGED });
    // Whatever else the client sends is for the SDK.
    await Promise.race([result, stdin.nextLine(LONGEST_WAIT_MS)]);
  };
  return { said, answerFirstList };
}
