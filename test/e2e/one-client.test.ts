import { describe, expect, test } from "vitest";
import { connectHttp } from "../support/connect-http.ts";
import { commandJson, runCommand, serveInProcess } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

interface View {
  readonly title?: string;
  readonly client: string;
  readonly version?: string;
  readonly connection: string;
  readonly skills: number;
  readonly tokens: { readonly total: number };
  readonly reasons: readonly { readonly text: string }[];
}

interface Overview {
  readonly agents: readonly { readonly client: string; readonly title?: string }[];
  readonly turnOne: readonly (Omit<View, "tokens" | "reasons"> & { readonly tokens: number })[];
}

function shop(): Sandbox {
  const sandbox = createSandbox();
  for (let number = 10; number < 60; number++)
    sandbox.skill(`project/.agents/skills/task-${number}`, {
      description: `Does task ${number} for whoever asks for it, with all the steps that it takes, one after the other.`,
    });
  sandbox.skill("project/.claude/skills/own", { description: "Is read by Claude Code itself." });
  return sandbox;
}

async function open(sandbox: Sandbox, ...clientNames: string[]) {
  const url = await serveInProcess(sandbox);
  for (const clientName of clientNames) await connectHttp(url, "2025-11-25", { clientName });
  const get = async (path: string): Promise<unknown> => (await fetch(`${url}/api/v1/${path}`)).json();
  return {
    overview: (await get("overview")) as Overview,
    model: async (query: string) => (await get(`model?${query}`)) as View,
  };
}

describe("one client", () => {
  test("Cursor is Cursor, although it calls itself cursor-vscode", async () => {
    const { overview, model } = await open(shop(), "cursor-vscode");
    expect(overview.agents).toMatchObject([{ client: "cursor-vscode", title: "Cursor" }]);
    expect(overview.turnOne.filter(({ title }) => title === "Cursor")).toMatchObject([{ client: "cursor" }]);
    const { title, reasons } = await model("client=cursor-vscode");
    expect(title).toBe("Cursor");
    expect(reasons[0]?.text).toMatch(/^Nobody has measured what Cursor shows a model/);
  });

  test("the overview, 'What the model sees' and doctor say the same of a client, with its version and connection", async () => {
    const sandbox = shop();
    const { overview, model } = await open(sandbox, "claude-code");
    const [first] = overview.turnOne;
    expect(first).toMatchObject({ title: "Claude Code", version: "1.0.0", connection: "http" });
    const seen = await model("client=claude-code");
    expect(seen).toMatchObject({ version: "1.0.0", connection: "http", skills: first?.skills });
    expect(seen.tokens.total).toBe(first?.tokens);
    // Where nobody says which: the newest, which starts a server of its own.
    const doctor = (await commandJson(sandbox, "doctor", "--client", "claude-code", "--json")) as View;
    const started = await model("client=claude-code&version=newest&connection=stdio");
    expect(doctor.tokens).toEqual(started.tokens);
    expect((await runCommand(sandbox, ["doctor", "--client", "claude-code"])).stdout).toContain(
      `in Claude Code, as claude-code ${started.version}, which starts skills-mcp:\n`,
    );
  });

  test("a client that nobody has seen is its newest version everywhere", async () => {
    const sandbox = shop();
    const { overview, model } = await open(sandbox);
    const doctor = (await commandJson(sandbox, "doctor", "--client", "claude-code", "--json")) as View;
    const view = await model("client=claude-code");
    expect(view.connection).toBe("stdio");
    const turn = overview.turnOne.find(({ client }) => client === "claude-code");
    expect([turn?.tokens, view.tokens.total]).toEqual([doctor.tokens.total, doctor.tokens.total]);
    expect([turn?.version, `claude-code ${view.version}`]).toEqual([view.version, doctor.client]);
  });
});
