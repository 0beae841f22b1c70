import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { startGitServer } from "../../../test/support/git-server.ts";
import { createOrigin } from "../../../test/support/origin.ts";
import { createSandbox } from "../../../test/support/sandbox.ts";
import { createFailingSince } from "../src/source-state.ts";
import { cacheOf, openSource } from "./open-source.ts";

const [NINE, TEN] = ["2030-01-01T09:00:00.000Z", "2030-01-01T10:00:00.000Z"];
const at = (text: string) => Date.parse(text);

describe("the record of when failures began", () => {
  test("stays with the first of them until it is over, for everyone who shares the file", async () => {
    const file = createSandbox().path("failing-since");
    const [one, other] = [createFailingSince(file, () => at(TEN)), createFailingSince(file, () => at(TEN))];
    expect(await one.read()).toBeUndefined();
    expect(await one.begin(at(NINE))).toBe(NINE);
    expect(await other.begin(at(TEN))).toBe(NINE);
    expect(await other.read()).toBe(NINE);
    await other.end();
    await other.end();
    expect(await one.read()).toBeUndefined();
    expect(await one.begin(at(TEN))).toBe(TEN);
    expect(readdirSync(path.dirname(file)).filter((name) => name.startsWith("failing"))).toEqual([
      "failing-since",
    ]);
  });

  test.each<[string, (file: string) => void]>([
    ["nothing in it", (file) => writeFileSync(file, "")],
    ["no time in it", (file) => writeFileSync(file, "yesterday")],
    ["half a time in it", (file) => writeFileSync(file, "2030-01-01T0")],
    ["no such day in it", (file) => writeFileSync(file, "2030-13-01T09:00:00.000Z")],
    ["a time to come in it", (file) => writeFileSync(file, "2030-01-01T10:00:00.001Z")],
    ["lines after the time", (file) => writeFileSync(file, `${NINE}\n\u001b[31mred`)],
    ["far more than a time in it", (file) => writeFileSync(file, NINE.repeat(100_000))],
    ["bytes in it", (file) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0x00, 0x30]))],
    ["a folder in its place", (file) => mkdirSync(path.join(file, "below"), { recursive: true })],
    ["a link to another file in its place", linkToTime],
  ])("with %s is as if it were not there", async (_, harm) => {
    const file = createSandbox().path("failing-since");
    harm(file);
    const since = createFailingSince(file, () => at(TEN));
    expect(await since.read()).toBeUndefined();
    expect(await since.begin(at(TEN))).toBe(TEN);
    expect(readFileSync(file, "utf8")).toBe(TEN);
    await since.end();
    expect(await since.read()).toBeUndefined();
  });

  test("that cannot be written is lost without an error", async () => {
    const since = createFailingSince(createSandbox().path("none", "failing-since"), () => at(TEN));
    expect(await since.begin(at(TEN))).toBe(TEN);
    expect(await since.read()).toBeUndefined();
    await since.end();
  });
});

function linkToTime(file: string): void {
  writeFileSync(`${file}-other`, NINE);
  symlinkSync(`${file}-other`, file);
}

describe("a git source", () => {
  /** A server that fails, and sources over one cache. */
  async function openFailing() {
    const sandbox = createSandbox();
    createOrigin(sandbox.path()).commit({ "a.md": "good" });
    const server = await startGitServer(sandbox.path());
    server.mode = { kind: "status", status: 500 };
    const clock = { now: at(NINE) };
    const open = () => openSource(sandbox, server.url("team-skills.git"), { now: () => clock.now });
    return { server, clock, open };
  }

  test("that is started anew still knows since when it fails, and forgets it when it heals", async () => {
    const { server, clock, open } = await openFailing();
    const first = open();
    expect(await first.refresh()).toMatchObject({ success: false, failingSince: NINE });
    await first.close();
    clock.now = at(TEN);
    const second = open();
    expect(await second.refresh()).toMatchObject({ success: false, failingSince: NINE });
    expect(second.state().failure).toMatchObject({ since: NINE });
    expect(second.logged.filter((line) => line.includes("recovered"))).toEqual([]);

    server.mode = { kind: "ok" };
    const third = open();
    expect(await third.refresh()).toMatchObject({ success: true });
    expect(third.logged).toContain(`git team-skills: recovered; it had failed since ${NINE}`);
    expect(readdirSync(cacheOf(third))).not.toContain("failing-since");
    server.mode = { kind: "status", status: 500 };
    expect(await open().refresh()).toMatchObject({ success: false, failingSince: TEN });
  });

  test("says of itself since when it fails, even if another one had better luck meanwhile", async () => {
    const { server, clock, open } = await openFailing();
    const [unlucky, lucky] = [open(), open()];
    await unlucky.refresh();
    server.mode = { kind: "ok" };
    expect(await lucky.refresh()).toMatchObject({ success: true });
    server.mode = { kind: "status", status: 500 };
    clock.now = at(TEN);
    expect(await unlucky.refresh()).toMatchObject({ failingSince: NINE });
    expect(await lucky.refresh()).toMatchObject({ failingSince: TEN });
  });

  test("does not call it a failure that it was closed", async () => {
    const { server, open } = await openFailing();
    server.mode = { kind: "hang" };
    const source = open();
    const running = source.refresh();
    await expect.poll(() => server.requests.length, { timeout: 20_000 }).toBeGreaterThan(0);
    await source.close();
    expect(await running).toMatchObject({ success: false, failingSince: undefined });
    expect(readdirSync(cacheOf(source))).not.toContain("failing-since");
  });
});
