import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ALL_AGENTS } from "../src/all-agents.ts";

const FOLDER = path.join(path.dirname(fileURLToPath(import.meta.url)), "../src/agents");
const FILES = readdirSync(FOLDER).filter((name) => name !== "index.ts");

test("agents: index.ts lists every file (node scripts/agents.mjs writes it)", () => {
  const listed = [...readFileSync(path.join(FOLDER, "index.ts"), "utf8").matchAll(/from "\.\/(.+)";/g)];
  expect(listed.map(([, name = ""]) => name).sort()).toEqual(FILES.sort());
});

test("agents: each file is named by the id of its agent", () => {
  expect(ALL_AGENTS.map(({ id }) => `${id}.ts`).sort()).toEqual(FILES.sort());
});

test("agents: no client matches the pattern of another agent", () => {
  for (const { id, client, alsoCalled = [] } of ALL_AGENTS) {
    const names = [...(client === undefined ? [] : [client.name]), ...alsoCalled];
    const others = ALL_AGENTS.filter((other) => other.id !== id);
    for (const name of names) {
      expect(
        others.filter((other) => other.client?.measured?.pattern.test(name)).map((other) => other.id),
      ).toEqual([]);
      expect(others.filter((other) => other.alsoCalled?.includes(name)).map((other) => other.id)).toEqual([]);
    }
  }
});
