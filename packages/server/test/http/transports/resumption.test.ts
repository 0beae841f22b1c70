import { writeFileSync } from "node:fs";
import { array, assert, constantFrom, integer, property, record, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { metric, openSession } from "../../../../../test/support/http-requests.ts";
import { createSandbox, skillText } from "../../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../../test/support/wait-until.ts";
import { createEventStore } from "../../../src/http/transports/event-store.ts";
import { openHttp } from "../../open-http.ts";
import { listen } from "../listen.ts";

describe("a client whose stream broke", () => {
  test("gets what it missed, once, and then what comes", async () => {
    const sandbox = createSandbox();
    const file = sandbox.skill("project/.claude/skills/pdf");
    const { services, url } = await openHttp(sandbox, { app: { watch: false } });
    await services.skills.snapshot();
    const change = async (description: string): Promise<void> => {
      writeFileSync(file, skillText("pdf", description));
      await services.skills.refresh();
    };
    const session = await openSession(url);
    const first = await listen(url, session);
    await change("First.");
    await waitUntil("the first notice", () => first.notices().length === 1);
    first.stop();
    await waitUntil("nobody listens", async () => (await metric(url, "skills_mcp_streams")) === 0);
    await change("Second.");
    const again = await listen(url, session, first.notices()[0]);
    await waitUntil("the missed notice", () => again.notices().length === 1);
    await change("Third.");
    await waitUntil("the next notice", () => again.notices().length === 2);
    expect(new Set([...first.notices(), ...again.notices()]).size).toBe(3);
  });

  test("takes its stream over before the server notices that the old connection broke", async () => {
    const sandbox = createSandbox();
    const file = sandbox.skill("project/.claude/skills/pdf");
    const { services, url } = await openHttp(sandbox, { app: { watch: false } });
    await services.skills.snapshot();
    const session = await openSession(url);
    const old = await listen(url, session);
    writeFileSync(file, skillText("pdf", "First."));
    await services.skills.refresh();
    await waitUntil("the first notice", () => old.notices().length === 1);
    expect((await listen(url, session)).status).toBe(409);
    const taken = await listen(url, session, old.notices()[0]);
    expect(taken.status).toBe(200);
    writeFileSync(file, skillText("pdf", "Second."));
    await services.skills.refresh();
    await waitUntil("the next notice", () => taken.notices().length === 1);
    expect(old.notices()).toHaveLength(1);
  });

  test("cannot come back to another session", async () => {
    const sandbox = createSandbox();
    const file = sandbox.skill("project/.claude/skills/pdf");
    const { services, url } = await openHttp(sandbox, { app: { watch: false } });
    await services.skills.snapshot();
    const [a, b] = [await openSession(url), await openSession(url)];
    const stream = await listen(url, a);
    writeFileSync(file, skillText("pdf", "Other."));
    await services.skills.refresh();
    await waitUntil("the notice", () => stream.notices().length === 1);
    const foreign = await listen(url, b, stream.notices()[0]);
    expect(foreign.status).toBe(400);
    expect((await listen(url, b, "nonsense")).status).toBe(400);
  });
});

describe("the store of a session", () => {
  test("replays what the obvious list would, as far as its limits go", () => {
    const event = record({ stream: constantFrom("a", "b", "_GET_stream"), text: string({ maxLength: 30 }) });
    assert(
      property(array(event, { maxLength: 40 }), integer({ min: 0, max: 39 }), (events, at) => {
        const limits = { events: 10, characters: 100 };
        const store = createEventStore(limits);
        const all = events.map(({ stream, text }) => ({ id: store.add(stream, text), stream, text }));
        const from = all[at];
        if (from === undefined) return;
        let stored = all.slice(-limits.events);
        while (stored.reduce((sum, { text }) => sum + text.length, 0) > limits.characters)
          stored = stored.slice(1);
        const expected = stored.filter(
          (candidate) => candidate.stream === from.stream && all.indexOf(candidate) > at,
        );
        expect(store.after(from.id)).toEqual({
          streamId: from.stream,
          events: expected.map(({ id, text }) => ({ id, text })),
        });
      }),
      { numRuns: 200 },
    );
  });

  test("gives an id to resume from before there is an event", () => {
    const store = createEventStore();
    const mark = store.mark("1");
    const id = store.add("1", "first");
    expect(store.after(mark)?.events).toEqual([{ id, text: "first" }]);
  });

  test("knows no id of another store", () => {
    const [a, b] = [createEventStore(), createEventStore()];
    const id = a.add("_GET_stream", "secret");
    expect(b.after(id)).toBeUndefined();
    expect(b.after(b.mark("_GET_stream"))?.events).toEqual([]);
  });
});
