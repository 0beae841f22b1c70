import { describe, expect, test } from "vitest";
import { createClientLog } from "../../../src/http/transports/client-log.ts";

function logAt(start: number) {
  const clock = { now: start };
  return { clock, log: createClientLog(() => clock.now) };
}

describe("who talks to the server", () => {
  test("a session counts once it has introduced itself, and is remembered when it has ended", () => {
    const { clock, log } = logAt(1_000);
    let name: string | undefined;
    const leave = log.enter({
      client: () => (name === undefined ? undefined : { name, version: "2.1" }),
      ...{ subject: "ann", profile: "web" },
    });
    expect(log.list()).toEqual([]);
    name = "claude-code";
    const other = log.enter({
      client: () => ({ name: "claude-code", version: "2.1" }),
      ...{ subject: "ann", profile: "web" },
    });
    clock.now = 2_000;
    expect(log.list()).toEqual([
      {
        ...{ client: { name: "claude-code", version: "2.1" }, subject: "ann", profile: "web", era: "legacy" },
        ...{ sessions: 2, firstSeen: 1_000, lastSeen: 2_000 },
      },
    ]);
    leave();
    leave();
    other();
    clock.now = 9_000;
    expect(log.list()).toMatchObject([{ sessions: 0, firstSeen: 1_000, lastSeen: 2_000 }]);
  });

  test("single requests of one client are one entry, and callers are told apart", () => {
    const { clock, log } = logAt(1);
    log.note({ name: "codex" }, { subject: "ann" });
    log.note({ name: "codex" }, { subject: "bob" });
    clock.now = 5;
    log.note({ name: "codex" }, { subject: "ann" });
    expect(
      log.list().map(({ subject, era, firstSeen, lastSeen }) => [subject, era, firstSeen, lastSeen]),
    ).toEqual([
      ["ann", "modern", 1, 5],
      ["bob", "modern", 1, 1],
    ]);
  });

  test("names that a client makes up neither pile up nor grow", () => {
    const { log } = logAt(1);
    for (let number = 0; number < 1_000; number++)
      log.note({ name: `x${number}`.padEnd(5_000, "y") }, { subject: undefined });
    expect(log.list()).toHaveLength(200);
    expect(Math.max(...log.list().map(({ client }) => client.name.length))).toBe(100);
  });
});
