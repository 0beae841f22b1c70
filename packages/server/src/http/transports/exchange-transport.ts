import type { ServerResponse } from "node:http";
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageClassification,
  PerRequestHTTPServerTransport,
  type TransportSendOptions,
} from "@modelcontextprotocol/server";
import {
  type ClientMessage,
  isRequest,
  type Pipe,
  pipeThrough,
  type ReceiveMessage,
  type SelfPiped,
  type Step,
} from "../../mcp/server/pipeline.ts";

interface ExchangeOptions {
  readonly classification: MessageClassification;
  readonly keepAliveMs: number;
}

/**
 * One request since 2026-07-28 and its answer. Results are written straight to Node's response: a web response takes longer than
 * loading a skill. Errors have a status, which the SDK decides, and notifications begin a stream, which is the SDK's too.
 */
export class ExchangeTransport extends PerRequestHTTPServerTransport implements SelfPiped {
  readonly #response: ServerResponse;
  #steps: readonly Step[] = [];
  #pipe: Pipe;
  #onAnswer: (answer: Response | undefined) => void = () => {};
  #onFailure: (error: unknown) => void = () => {};
  #isDispatched = false;
  #isStream = false;
  #isAnswered = false;
  #isClosed = false;

  constructor(response: ServerResponse, options: ExchangeOptions) {
    super(options);
    this.#response = response;
    this.#pipe = this.#through([]);
  }

  pipe(steps: readonly Step[]): void {
    this.#steps = steps;
    this.#pipe = this.#through(steps);
  }

  /** Resolves with the answer that the SDK made; undefined when it is sent already. */
  serve(message: JSONRPCRequest, info: ClientMessage): Promise<Response | undefined> {
    return new Promise((resolve, reject) => {
      this.#onAnswer = resolve;
      this.#onFailure = reject;
      this.#pipe.receive(message, info);
    });
  }

  override send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.#pipe.send(message, options);
  }

  override close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    for (const step of this.#steps) step.closed?.();
    // For the SDK it is unanswered: it would make an error for nobody.
    if (!this.#isAnswered) return super.close();
    this.onclose?.();
    return Promise.resolve();
  }

  #through(steps: readonly Step[]): Pipe {
    const dispatch: ReceiveMessage = (message) => {
      this.#isDispatched = true;
      if (isRequest(message)) super.handleMessage(message).then(this.#onAnswer, this.#onFailure);
    };
    return pipeThrough(steps, dispatch, (message, options) => this.#deliver(message, options));
  }

  #deliver(message: JSONRPCMessage, options: TransportSendOptions | undefined): Promise<void> {
    if (this.#isAnswered) return Promise.resolve();
    this.#isStream ||= "method" in message;
    // An error before the SDK saw the request is the refusal of a step.
    if (this.#isStream || (this.#isDispatched && !("result" in message))) return super.send(message, options);
    this.#isAnswered = true;
    sendResult(this.#response, JSON.stringify(message));
    this.#onAnswer(undefined);
    // The handler that made it is still on the way back.
    setImmediate(() => void this.close());
    return Promise.resolve();
  }
}

function sendResult(response: ServerResponse, text: string): void {
  if (response.destroyed) return;
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  response.writeHead(200, headers).end(text);
}
