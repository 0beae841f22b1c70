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
  readonly #batches = new Map<Id, Batch>();
  #chunks: Buffer[] = [];
  #length = 0;
  #closed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  start(): Promise<void> {
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#onEnd);
    this.#input.on("data", this.#onData).on("end", this.#onEnd).on("close", this.#onEnd);
    this.#input.on("error", this.#onInputError);
    this.#output.on("error", this.#onOutputError);
    return Promise.resolve();
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
    // The listener of the output stays: a late write may fail, and nobody else would notice.
    this.#input.pause();
    this.#chunks = [];
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
    let rest = chunk;
    for (let end = rest.indexOf(NEW_LINE); end >= 0 && !this.#closed; end = rest.indexOf(NEW_LINE)) {
      const line = Buffer.concat([...this.#chunks, rest.subarray(0, end)]).toString("utf8");
      this.#chunks = [];
      this.#length = 0;
      rest = rest.subarray(end + 1);
      this.#read(line);
    }
    this.#chunks.push(rest);
    this.#length += rest.length;
    if (this.#length <= LONGEST_LINE) return;
    this.onerror?.(new Error(`a line is longer than ${LONGEST_LINE / 1024 / 1024} MiB`));
    void this.close();
  };

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
