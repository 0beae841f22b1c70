import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { BIN, NODE } from "../support/bin.ts";

test.each(["12.22.12", "18.20.8", "20.19.9"])("start: Node %s is told that it is too old", (version) => {
  const pretend = `Object.defineProperty(process.versions, "node", { value: "${version}" });`;
  const script = `${pretend}require(${JSON.stringify(BIN)})`;
  const ran = spawnSync(NODE, ["-e", script, "list"], { encoding: "utf8" });
  expect(ran).toMatchObject({ status: 1, stdout: "" });
  expect(ran.stderr).toMatch(
    new RegExp(
      `^skills-mcp: Node\\.js ${version} is too old: skills-mcp needs 20\\.20\\.0 or newer\\. [^\\n]*\\n$`,
    ),
  );
});

test("start: Node 12 can parse what it runs first, and refuses before anything is required", async () => {
  const text = readFileSync(BIN, "utf8");
  const [forOld, forNew] = await Promise.all(
    ["node12", "esnext"].map(async (target) => (await transform(text, { target })).code),
  );
  expect(forOld).toBe(forNew);
  expect(text.indexOf("process.exit(1)")).toBeLessThan(text.indexOf("require("));
});
