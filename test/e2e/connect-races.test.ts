import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { NODE, spawnBin } from "../support/bin.ts";
import { createSandbox } from "../support/sandbox.ts";

/** Set by `npm run check:security`: how often `connect` and `disconnect` run while an agent writes its own file. */
const RUNS = Number(process.env["SKILLS_MCP_CONNECT_RUNS"] ?? 0);

/** An agent that adds one key after the other to its file, as agents do: read, change, write beside it, rename. */
const AGENT = `
const fs = require("node:fs");
const file = process.argv[1];
let writes = 0;
const step = () => {
  const content = JSON.parse(fs.readFileSync(file, "utf8"));
  content["key" + writes++] = 1;
  fs.writeFileSync(file + ".agent", JSON.stringify(content));
  fs.renameSync(file + ".agent", file);
  setTimeout(step, 2 + (writes % 7));
};
process.on("SIGTERM", () => { console.log(writes); process.exit(0); });
step();
`;

test.skipIf(RUNS === 0)(
  "connect and disconnect lose nothing that an agent writes at the same time",
  async () => {
    const sandbox = createSandbox();
    const file = sandbox.write("home/.cursor/mcp.json", "{}");
    const agent = spawn(NODE, ["-e", AGENT, file], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void agent.kill("SIGKILL"));
    for (let run = 0; run < RUNS; run++) {
      const command = run % 2 === 0 ? "connect" : "disconnect";
      // Exit code 1: the agent wrote five times meanwhile, and the file was left alone.
      const { code } = await spawnBin(sandbox, [command, "cursor", "--yes"]).exit;
      expect([0, 1]).toContain(code);
    }
    const printed = once(agent.stdout, "data");
    agent.kill("SIGTERM");
    const writes = Number(String((await printed)[0]));
    const content = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    const lost = Array.from({ length: writes }, (_, index) => `key${index}`).filter(
      (key) => !(key in content),
    );
    expect(writes).toBeGreaterThan(RUNS);
    expect(lost).toEqual([]);
  },
);
