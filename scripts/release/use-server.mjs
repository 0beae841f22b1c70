// Uses a server on stdio as an agent would: a handshake, its tools, and one skill of the project that it is started in.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** An empty home, and a project with a skill that only the server's own working folder leads to. */
export function createWorld(base) {
  const home = path.join(base, "home");
  const project = path.join(base, "project");
  const skill = path.join(project, ".kiro/skills/greet");
  for (const folder of [home, skill]) mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(skill, "SKILL.md"),
    "---\nname: greet\ndescription: Greets people.\n---\n\nSay moin.\n",
  );
  return { home, project };
}

/** Nothing of this machine's own, and no way to the network. */
export function environmentOf({ home }) {
  const nowhere = "http://127.0.0.1:9";
  return {
    PATH: process.env.PATH,
    HOME: home,
    USERPROFILE: home,
    TERM: "dumb",
    NO_COLOR: "1",
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    NO_PROXY: "127.0.0.1,localhost",
  };
}

/** Throws unless the server loads the project's skill. */
export async function useServer({ command, args, env = {} }, world) {
  const transport = new StdioClientTransport({
    command: command === "node" ? process.execPath : command,
    args,
    cwd: world.project,
    env: { ...environmentOf(world), ...env },
    stderr: "ignore",
  });
  const client = new Client({ name: "check-release", version: "1.0.0" });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    const answer = await client.callTool({ name: "skill", arguments: { name: "greet" } });
    if (!JSON.stringify(answer).includes("Say moin."))
      throw new Error(`The skill was not loaded: ${JSON.stringify(answer)}`);
    const names = tools.map(({ name }) => name).join(", ");
    return `${client.getServerVersion().version} with ${names}, and the skill of the project`;
  } finally {
    await client.close();
  }
}
