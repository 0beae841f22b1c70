import { describe, expect, test } from "vitest";
import { connectInProcess } from "../../../../../test/support/in-process.ts";
import { createSandbox } from "../../../../../test/support/sandbox.ts";
import type { ModelAnswer } from "../../../src/wire/model.ts";
import { openApi } from "./open-api.ts";

function shop() {
  const sandbox = createSandbox();
  for (let number = 10; number < 90; number++)
    sandbox.skill(`project/.agents/skills/task-${number}`, {
      description: `Does task ${number} for whoever asks for it, with all the steps that it takes, one after the other.`,
    });
  sandbox.skill("project/.claude/skills/own", { description: "Is read by Claude Code itself." });
  return sandbox;
}

describe("what a model sees", () => {
  test("is what a client of this name and version gets from a server that it starts", async () => {
    const sandbox = shop();
    const { get } = openApi(sandbox);
    const { json } = await get("model?client=claude-code&version=2.1.325");
    const answer = json as ModelAnswer;
    const { client } = await connectInProcess(sandbox, {
      era: "2025-11-25",
      clientName: "claude-code",
      clientVersion: "2.1.325",
    });
    const { tools } = await client.listTools();
    expect(answer.tools.map(({ name, description }) => ({ name, description }))).toEqual(
      tools.map(({ name, description }) => ({ name, description })),
    );
    expect(answer.native).toEqual(["own"]);
    expect(answer.amounts.whole + answer.amounts.cut + answer.amounts.name).toBe(80);
    expect(answer.reasons.map(({ code }) => code)).toEqual([
      "budget",
      "native",
      "finder",
      "files",
      "answers",
    ]);
  });

  test("depends on the version and on what is asked for", async () => {
    const { get } = openApi(shop());
    const ask = async (query: string) => (await get(`model?${query}`)).json as ModelAnswer;
    const old = await ask("client=claude-code&version=2.0.0");
    const now = await ask("client=claude-code&version=2.1.325");
    expect([old.budgets.description, now.budgets.description]).toEqual([1950, 3900]);
    expect(now.clients.find(({ name }) => name === "claude-code")?.versions).toEqual(["2.1.296"]);
    const wide = await ask("client=claude-code&budget=90000&native=1");
    expect(wide).toMatchObject({ complete: true, skills: 81, amounts: { whole: 81 }, native: [] });
    // Without a version: the newest.
    expect(wide.usualBudgets.description).toBe(3900);
    const strange = await ask("client=my-agent&format=list");
    expect(strange.reasons[0]?.code).toBe("unknown");
  });

  test("names the client's own setting where its model reads one line until it looks for a tool", async () => {
    const { get } = openApi(shop());
    const ask = async (version: string) =>
      ((await get(`model?client=codex&version=${version}`)).json as ModelAnswer).reasons;
    expect((await ask("0.169.0")).find(({ code }) => code === "deferred")?.lever?.command).toBe(
      'omit_tools_from = ["deferred"]',
    );
    expect((await ask("0.166.0")).map(({ code }) => code)).not.toContain("deferred");
  });
});
