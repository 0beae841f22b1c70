import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { connect } from "../support/client.ts";
import { createEventSink, type EventSink } from "../support/event-sink.ts";
import { connectInProcess } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { ask, topic } from "../support/team-library.ts";
import { waitUntil } from "../support/wait-until.ts";

function machine(): Sandbox {
  const sandbox = createSandbox();
  sandbox.write("library/login.md", topic("login", "Login."));
  return sandbox;
}

const optionsFor = (sandbox: Sandbox, { url }: Pick<EventSink, "url">) =>
  ({
    era: "2025-11-25",
    env: { SKILLS_DIR: sandbox.path("library"), ANALYTICS_ENDPOINT: url },
  }) as const;

const serve = (sandbox: Sandbox, sink: Pick<EventSink, "url">) =>
  connectInProcess(sandbox, optionsFor(sandbox, sink));

/** As a process of its own. */
const serveBeside = (sandbox: Sandbox, sink: Pick<EventSink, "url">) =>
  connect(sandbox, optionsFor(sandbox, sink));

const bufferOf = ({ home }: Sandbox): string => path.join(home, ".skills-mcp", "analytics-buffer.jsonl");

function linesOf(file: string): readonly { readonly data: { readonly context: string } }[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { data: { context: string } });
}

const contexts = (sink: EventSink): readonly unknown[] => sink.taken().map(({ data }) => data["context"]);

/** A running server renames its files: one that is gone has another name, under which it is seen the next time. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** Events that are on the disk and on their way, wherever they lie. */
function waiting({ home }: Sandbox): string {
  const folder = path.join(home, ".skills-mcp");
  if (!existsSync(folder)) return "";
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\b(?:usage|cache)\b/.test(path.relative(folder, entry.parentPath)))
    .map((entry) => textOf(path.join(entry.parentPath, entry.name)))
    .join("\n");
}

describe("events that the endpoint does not take", () => {
  test.each(["status", "reset"] as const)(
    "(%s) wait in the buffer file, and the next server delivers them",
    async (kind) => {
      const sandbox = machine();
      const sink = await createEventSink(kind === "status" ? { kind, status: 503 } : { kind });
      const first = await serve(sandbox, sink);
      await ask(first, "get_skill", { context: "one" });
      await ask(first, "get_skill", { context: "two" });
      await first.close();
      expect(sink.taken()).toEqual([]);
      expect(linesOf(bufferOf(sandbox)).map(({ data }) => data.context)).toEqual(["one", "two"]);
      expect(first.log()).toMatch(/usage: .*127\.0\.0\.1/);

      sink.behave(() => ({ kind: "accept" }));
      // Nothing is used this time.
      const second = await serve(sandbox, sink);
      await second.client.listTools();
      await second.close();
      expect(contexts(sink)).toEqual(["one", "two"]);
      expect(waiting(sandbox)).not.toContain("event_id");
    },
  );

  test("wait while nobody listens at all, from two servers at once, and each is delivered once", async () => {
    const sandbox = machine();
    const sink = await createEventSink();
    const nobody = { url: "http://127.0.0.1:1/events" };
    const servers = await Promise.all([serveBeside(sandbox, nobody), serve(sandbox, nobody)]);
    await Promise.all(servers.map((server, at) => ask(server, "get_skill", { context: `from ${at}` })));
    await Promise.all(servers.map((server) => server.close()));
    expect(linesOf(bufferOf(sandbox))).toHaveLength(2);

    const both = await Promise.all([serveBeside(sandbox, sink), serve(sandbox, sink)]);
    await Promise.all(both.map((server, at) => ask(server, "get_skill", { context: `later ${at}` })));
    await Promise.all(both.map((server) => server.close()));
    expect(new Set(contexts(sink))).toEqual(new Set(["from 0", "from 1", "later 0", "later 1"]));
    expect(sink.taken()).toHaveLength(4);
    expect(new Set(sink.taken().map(({ event_id }) => event_id)).size).toBe(4);
    expect(waiting(sandbox)).not.toContain("event_id");
  });

  test("survive kill -9 of the server that recorded them", async () => {
    const sandbox = machine();
    const sink = await createEventSink();
    const killed = await serveBeside(sandbox, sink);
    await ask(killed, "get_skill", { context: "last words" });
    await waitUntil("the event is on the disk", () => waiting(sandbox).includes("last words"));
    process.kill(killed.pid, "SIGKILL");
    await killed.close();
    expect(sink.taken()).toEqual([]);

    const next = await serve(sandbox, sink);
    await next.client.listTools();
    await next.close();
    expect(contexts(sink)).toEqual(["last words"]);
    expect(waiting(sandbox)).not.toContain("event_id");
  });
});
