import { utimesSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { writeCorpus } from "../../bench/corpus.ts";
import { statFloor, statFloorInTurn } from "../../bench/floor/walks.ts";
import { headsServer } from "../../bench/servers.ts";
import { startServer } from "../../bench/stdio-client.ts";
import { createSandbox } from "../support/sandbox.ts";

/** More than are read at once, so that reads overlap. */
const SKILLS = 60;
const HEAD_BYTES = 4_096;

test("all ways to read every head read the same, which is all of it", async () => {
  const sandbox = createSandbox();
  const dir = sandbox.path("skills");
  const skills = writeCorpus(dir, SKILLS);
  const expected = skills.reduce((sum, { bytes }) => sum + Math.min(bytes, HEAD_BYTES), 0);
  for (const way of ["found", "promises", "callbacks", "sync"] as const) {
    const server = startServer(headsServer(dir, way), { project: dir, environment: {} });
    const { tools } = (await server.request("tools/list", {})) as {
      tools: readonly { description: string }[];
    };
    await server.close();
    expect([way, tools[0]?.description]).toEqual([way, `${expected} bytes`]);
  }
});

test("both walks find the newest skill, wherever it lies", async () => {
  const sandbox = createSandbox();
  const dir = sandbox.path("skills");
  const skills = writeCorpus(dir, SKILLS);
  for (const place of [0, SKILLS / 2, SKILLS - 1]) {
    const seconds = 4_000_000_000 + place;
    utimesSync(path.join(dir, skills[place]?.name ?? "", "SKILL.md"), seconds, seconds);
    expect([await statFloor(dir), statFloorInTurn(dir)]).toEqual([seconds * 1_000, seconds * 1_000]);
    utimesSync(path.join(dir, skills[place]?.name ?? "", "SKILL.md"), 1, 1);
  }
});
