import { spawn } from "node:child_process";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createProcessKey } from "#util";
import { createMachine, refusalOf, SKILL } from "./fetching.ts";

test("what a killed process has left is removed by the next fetch; what is in use or of others stays", async () => {
  const machine = createMachine();
  const child = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => {
    child.on("exit", resolve);
  });
  const alive = createProcessKey();
  const dead = alive.replace(/^\d+-\d+/, `${child.pid}-1`);
  const elsewhere = alive.replace(/^(\d+-\d+-[0-9a-f]+)-[0-9a-f]+/, "$1-00000000");
  const old = `${elsewhere}0`;
  const { stagingFolder } = machine.options;
  for (const name of [
    `fetch-${dead}`,
    `fetch-${alive}`,
    `fetch-${elsewhere}`,
    `fetch-${old}`,
    "fetch-mine",
    "other",
  ])
    mkdirSync(path.join(stagingFolder, name, "tree"), { recursive: true });
  utimesSync(path.join(stagingFolder, `fetch-${old}`), 1, 1);
  await refusalOf(machine.fetch("./none"));
  expect(machine.leftovers().toSorted()).toEqual(
    [`fetch-${alive}`, `fetch-${elsewhere}`, "fetch-mine", "other"].toSorted(),
  );
});

test("a staging folder that cannot be made is a refusal that names it", async () => {
  const machine = createMachine();
  mkdirSync(path.join(machine.cwd, "mine"), { recursive: true });
  writeFileSync(path.join(machine.cwd, "mine", "SKILL.md"), SKILL);
  const stagingFolder = path.join(machine.cwd, "mine", "SKILL.md", "staging");
  const refusal = await refusalOf(machine.fetch("./mine", { stagingFolder }));
  expect(refusal.reason).toBe("unwritable");
  expect(refusal.message).toContain(stagingFolder);
});
