import { Agent, request } from "node:http";
import { onTestFinished } from "vitest";

interface Asked {
  readonly method?: "POST" | "DELETE";
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer counts as whole with these words; for streams, which do not end. */
  readonly until?: string;
}

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly header: (name: string) => string | undefined;
}

/** Many callers at `/mcp` over connections that stay open. Thousands of requests through `fetch` take several times as long. */
export interface Crowd {
  ask(asked: Asked): Promise<Answered>;
  /** Does all the work, as much of it at once as there are connections. */
  each<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void>;
}

export function createCrowd(url: string, connections: number): Crowd {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  onTestFinished(() => agent.destroy());
  const target = { ...addressOf(url), path: "/mcp", agent, timeout: 50_000 };
  return {
    ask({ method = "POST", body = "", headers, until }) {
      const all = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      };
      return new Promise((resolve, reject) => {
        const asked = request({ ...target, method, headers: all }, (response) => {
          let text = "";
          const done = (): void =>
            resolve({
              status: response.statusCode ?? 0,
              text,
              header: (name) => response.headers[name]?.toString(),
            });
          response.setEncoding("utf8").on("data", (piece: string) => {
            text += piece;
            if (until === undefined || !text.includes(until)) return;
            done();
            response.destroy();
          });
          response.on("end", done);
        });
        asked.on("timeout", () => reject(new Error(`No answer: ${body}`)));
        asked.on("error", reject).end(body);
      });
    },
    async each(items, work) {
      const queue = items[Symbol.iterator]();
      const worker = async (): Promise<void> => {
        for (let next = queue.next(); next.done !== true; next = queue.next()) await work(next.value);
      };
      await Promise.all(Array.from({ length: connections }, worker));
    },
  };
}

function addressOf(url: string): { readonly host: string; readonly port: string } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port };
}
