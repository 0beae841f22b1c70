import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runCommand } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const TOML = '# Mine\r\nmodel = "x"\r\n';
const JSONC = '{\n\t// Mine\n\t"theme": "dark",\n}\n';

/** A home with three clients and no others: PATH has only what the command needs. */
function home(): Sandbox {
  const sandbox = createSandbox();
  sandbox.write("project/x", "");
  sandbox.write("home/.codex/config.toml", TOML);
  sandbox.write("home/.config/zed/settings.json", JSONC);
  sandbox.write("home/.cursor/mcp.json", '{"mcpServers": {"skills": {"command": "other"}}}');
  return sandbox;
}

/** The same on every platform: `--user-dir` lets no variable count. */
const run = async (sandbox: Sandbox, ...args: string[]) =>
  await runCommand(sandbox, [...args, "--user-dir", sandbox.home], { env: { PATH: "" } });

interface Printed {
  readonly clients: readonly { readonly id: string; readonly action?: string; readonly state?: string }[];
}

const printed = async (sandbox: Sandbox, ...args: string[]) =>
  JSON.parse((await run(sandbox, ...args, "--json")).stdout) as Printed;

describe.skipIf(process.platform === "win32")("connect and disconnect", () => {
  test("plan, then change what they may, then leave every byte as it was", async () => {
    const sandbox = home();
    const read = (file: string) => readFileSync(sandbox.path("home", file), "utf8");

    const planned = await run(sandbox, "connect");
    expect(planned.code).toBe(2);
    expect(planned.stdout).toContain("+[mcp_servers.skills]");
    expect(planned.stdout).toContain("omit_tools_from: the model sees the skills at once.\n");
    expect(planned.stderr).toBe(
      "skills-mcp: Nothing was changed. Name the clients to connect, or add --yes for all of them.\n",
    );
    expect([read(".codex/config.toml"), existsSync(sandbox.path("home/.skills-mcp"))]).toEqual([TOML, false]);

    const done = await run(sandbox, "connect", "--yes");
    expect(done.code).toBe(1);
    expect(done.stdout).toContain("Connected Codex, Zed.");
    expect(done.stdout).toContain("Start a new session of Codex");
    expect(done.stdout).toMatch(/Cursor .*\n {2}It has an entry 'skills' that does not start skills-mcp\./);
    expect(read(".codex/config.toml")).toBe(
      `${TOML}\r\n[mcp_servers.skills]\r\ncommand = "npx"\r\nargs = ["-y", "skills-mcp"]\r\nrequired = true\r\nomit_tools_from = ["deferred"]\r\n`,
    );
    expect(read(".config/zed/settings.json")).toContain('\t// Mine\n\t"theme": "dark",\n\t"context_servers"');

    const again = await printed(sandbox, "connect", "codex", "zed");
    expect(again.clients.map(({ action }) => action)).toEqual(["none", "none"]);
    const listed = (await printed(sandbox, "connect", "--list")).clients.filter(
      ({ state }) => state !== "not connected",
    );
    expect(listed.map(({ id, state }) => [id, state])).toEqual([
      ["codex", "connected"],
      ["cursor", "other entry"],
      ["zed", "connected"],
    ]);

    expect(await run(sandbox, "disconnect", "--yes")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Disconnected Codex, Zed.") as string,
    });
    expect([read(".codex/config.toml"), read(".config/zed/settings.json")]).toEqual([TOML, JSONC]);
    expect(await run(sandbox, "disconnect")).toMatchObject({ code: 0, stdout: "No client is connected.\n" });
  });

  test("work on the project, over HTTP, and as a dry run", async () => {
    const sandbox = home();
    const file = sandbox.path("project/.vscode/mcp.json");
    const flags = ["--scope", "project", "--http", "http://127.0.0.1:4700/mcp"];
    expect((await run(sandbox, "connect", "vscode", ...flags, "--dry-run")).stdout).toContain(
      "Nothing was changed",
    );
    expect(existsSync(file)).toBe(false);
    expect((await run(sandbox, "connect", "vscode", ...flags)).code).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      servers: { skills: { type: "http", url: "http://127.0.0.1:4700/mcp" } },
    });
    expect((await run(sandbox, "disconnect", "vscode", "--scope", "project")).code).toBe(0);
    expect(existsSync(sandbox.path("project/.vscode"))).toBe(false);
  });

  test.each([
    [["connect", "cursr"], "Unknown client 'cursr'. Did you mean: cursor?"],
    [["connect", "codex", "--http", "nowhere"], "--http takes the address of a server"],
    [["connect", "codex", "--scope", "machine"], "--scope takes user or project, not 'machine'."],
  ])("%j is bad usage", async (args, message) => {
    expect(await run(home(), ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message) as string,
    });
  });
});
