import type { Readable, Writable } from "node:stream";
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type Transport,
} from "@modelcontextprotocol/server";
import type { Id } from "../mcp/server/plain-requests.ts";
import {
  invalidRequest,
  MAX_BATCH,
  RPC_ERRORS,
  type RpcRefusal,
  readMessage,
  refusal,
} from "../mcp/server/read-message.ts";

/** A longer line ends the session: it would be kept in memory until its end. */
const LONGEST_LINE = 10 * 1024 * 1024;
const NEW_LINE = 0x0a;
const NOTHING = Buffer.alloc(0);

/** Requests that came in one array, whose answers go back in one. */
interface Batch {
  readonly answers: (JSONRPCMessage | RpcRefusal)[];
  /** Requests without an answer. */
  open: number;
}

/**
 * MCP on stdio: one line is a message or, in protocol 2025-03-26, a batch of them. Our own, because the SDK's ignores batches and
 * everything that is no message; a client that sends such a line waits for an answer.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #isBusy: () => boolean;
  readonly #batches = new Map<Id, Batch>();
  /** What was read and not looked at: lines that have to wait. */
  #unread: Buffer = NOTHING;
  /** The beginning of a line. */
  #chunks: Buffer[] = [];
  #length = 0;
  #reads = false;
  #closed = false;

  /** While `isBusy`, no message is taken from the input. */
  constructor(input: Readable, output: Writable, isBusy: () => boolean = () => false) {
    this.#input = input;
    this.#output = output;
    this.#isBusy = isBusy;
  }

  start(): Promise<void> {
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#onEnd);
    this.#input.on("data", this.#onData).on("end", this.#onEnd).on("close", this.#onEnd);
    this.#input.on("error", this.#onInputError);
    this.#output.on("error", this.#onOutputError).on("drain", this.readOn);
    return Promise.resolve();
  }

  /** Whether lines wait for the client to read its answers, or for the end of other requests. */
  get hasUnread(): boolean {
    return this.#unread.length > 0;
  }

  send(message: JSONRPCMessage): Promise<void> {
    const id = "method" in message ? undefined : message.id;
    const batch = id === undefined ? undefined : this.#batches.get(id);
    if (id === undefined || batch === undefined) return this.#write(message);
    batch.answers.push(message);
    return this.#settle(id, batch);
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    this.#input.off("data", this.#onData).off("end", this.#onEnd).off("close", this.#onEnd);
    this.#input.off("error", this.#onInputError);
    this.#output.off("drain", this.readOn);
    // The listener of the output stays: a late write may fail, and nobody else would notice.
    this.#input.pause();
    this.#chunks = [];
    this.#unread = NOTHING;
    this.onclose?.();
    return Promise.resolve();
  }

  #write(value: unknown): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("The client has disconnected."));
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(value)}\n`, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#unread = this.hasUnread ? Buffer.concat([this.#unread, chunk]) : chunk;
    this.readOn();
  };

  /**
   * Takes the messages that were read, one line at a time. A client that does not read its answers gets no further ones: they
   * would be kept in memory until it does. Then the input is paused, so that the client has to wait as well.
   */
  readonly readOn = (): void => {
    // A message can be answered while it is received.
    if (this.#reads || this.#closed) return;
    this.#reads = true;
    while (!this.#closed && !this.#hasToWait()) {
      const end = this.#unread.indexOf(NEW_LINE);
      if (end < 0) break;
      const line = Buffer.concat([...this.#chunks, this.#unread.subarray(0, end)]).toString("utf8");
      this.#chunks = [];
      this.#length = 0;
      this.#unread = this.#unread.subarray(end + 1);
      this.#read(line);
    }
    this.#reads = false;
    if (this.#closed) return;
    if (this.#hasToWait()) this.#input.pause();
    else this.#keepRest();
  };

  #hasToWait(): boolean {
    return this.#output.writableNeedDrain || this.#isBusy();
  }

  #keepRest(): void {
    this.#chunks.push(this.#unread);
    this.#length += this.#unread.length;
    this.#unread = NOTHING;
    if (this.#length <= LONGEST_LINE) {
      if (this.#input.isPaused()) this.#input.resume();
      return;
    }
    this.onerror?.(new Error(`a line is longer than ${LONGEST_LINE / 1024 / 1024} MiB`));
    void this.close();
  }

  readonly #onEnd = (): void => void this.close();

  readonly #onInputError = (error: Error): void => this.onerror?.(error);

  readonly #onOutputError = (error: Error): void => {
    if (this.#closed) return;
    this.onerror?.(error);
    void this.close();
  };

  #read(line: string): void {
    if (line.trim() === "") return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#refuse(refusal(null, RPC_ERRORS.parseError, "Parse error: the line is not valid JSON."));
      return;
    }
    if (Array.isArray(value)) {
      this.#readBatch(value);
      return;
    }
    const read = readMessage(value);
    if (read.kind === "message") this.#receive(read.message);
    else if (read.kind === "refused") this.#refuse(read.refusal);
    else this.#report("ignored a response that is not one of JSON-RPC");
  }

  #readBatch(items: readonly unknown[]): void {
    if (items.length === 0 || items.length > MAX_BATCH) {
      this.#refuse(invalidRequest(undefined, `a batch has 1 to ${MAX_BATCH} messages`));
      return;
    }
    const batch: Batch = { answers: [], open: 0 };
    const messages: JSONRPCMessage[] = [];
    for (const item of items) {
      const read = readMessage(item);
      const problem = read.kind === "message" ? this.#batchProblem(read.message) : undefined;
      if (read.kind === "refused") batch.answers.push(read.refusal);
      else if (problem !== undefined) batch.answers.push(invalidRequest(item, problem));
      else if (read.kind === "message") {
        messages.push(read.message);
        if (!isJSONRPCRequest(read.message)) continue;
        this.#batches.set(read.message.id, batch);
        batch.open++;
      }
    }
    for (const message of messages) this.#receive(message);
    if (messages.length < items.length) this.#report("refused some messages of a batch");
    if (batch.open === 0) this.#finish(batch).catch(() => {});
  }

  /** Why a message cannot be part of a batch. */
  #batchProblem(message: JSONRPCMessage): string | undefined {
    if (!isJSONRPCRequest(message)) return undefined;
    if (message.method === "initialize") return "initialize cannot be part of a batch";
    const { _meta: metadata } = message.params ?? {};
    if (metadata?.[PROTOCOL_VERSION_META_KEY] !== undefined) return "this protocol version has no batches";
    return this.#batches.has(message.id) ? "a request with this id is in progress" : undefined;
  }

  #receive(message: JSONRPCMessage): void {
    this.onmessage?.(message);
    // A cancelled request gets no answer, and the others of its batch must not wait for it.
    if (!("method" in message) || message.method !== "notifications/cancelled") return;
    const id = message.params?.["requestId"] as Id;
    const batch = this.#batches.get(id);
    if (batch !== undefined) this.#settle(id, batch).catch(() => {});
  }

  #settle(id: Id, batch: Batch): Promise<void> {
    this.#batches.delete(id);
    batch.open--;
    return batch.open === 0 ? this.#finish(batch) : Promise.resolve();
  }

  /** Notifications alone have no answer. */
  #finish({ answers }: Batch): Promise<void> {
    return answers.length === 0 ? Promise.resolve() : this.#write(answers);
  }

  #refuse(answer: RpcRefusal): void {
    this.#report(`refused a message: ${answer.error.message.replace(/\.$/, "")}`);
    this.#write(answer).catch(() => {});
  }

  #report(what: string): void {
    this.onerror?.(new Error(what));
  }
}
