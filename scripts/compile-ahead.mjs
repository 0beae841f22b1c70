import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const SKILL = "---\nname: sample\ndescription: A sample.\n---\n\nThe body.\n";
/** So many that they are looked at as a great many are. */
const MANY = 1_200;

/**
 * Uses the command line as people do, in a home folder of its own, and takes the compiled code that it leaves there. So
 * the first start from this folder, by the same version of Node, is as quick as any later one.
 */
export async function compileAhead(cli, folder) {
  const scratch = mkdtempSync(path.join(tmpdir(), "skills-mcp-build-"));
  const { PATH = "" } = process.env;
  const options = { cwd: scratch, env: { PATH, HOME: scratch, USERPROFILE: scratch } };
  const command = path.resolve(cli);
  try {
    for (let index = 0; index < MANY; index++) {
      const name = index === 0 ? "sample" : `sample-${index}`;
      const skill = path.join(scratch, ".claude", "skills", name);
      mkdirSync(path.join(skill, ...(index % 3 === 0 ? ["references"] : [])), { recursive: true });
      writeFileSync(path.join(skill, "SKILL.md"), SKILL.replace("sample", name));
    }
    await session([command, "mcp"], options);
    for (const args of [["list"], ["info", "sample"], ["search", "sample"]])
      spawnSync(process.execPath, [command, ...args], options);
    cpSync(path.join(scratch, ".skills-mcp", "cache", "code"), folder, { recursive: true });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** One client's session: it connects, lists, loads a skill, searches and leaves. */
async function session(args, options) {
  const server = spawn(process.execPath, args, { ...options, stdio: ["pipe", "pipe", "inherit"] });
  const exit = new Promise((resolve) => server.once("exit", resolve));
  const messages = [
    {
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "build", version: "1.0.0" },
      },
    },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" },
    { id: 3, method: "tools/call", params: { name: "skill", arguments: { name: "sample" } } },
    { id: 4, method: "tools/call", params: { name: "find_skills", arguments: { task: "take a sample" } } },
  ];
  server.stdin.end(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
  server.stdout.resume();
  await exit;
}
