import { readdirSync, readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createApp } from "#server";
import { fixedProfiles } from "#skills";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";

function open(sandbox: Sandbox) {
  sandbox.skill("project/.claude/skills/pdf");
  const { app, close } = createApp({
    cwd: sandbox.project,
    userDir: sandbox.home,
    usage: { endpoint: undefined, context: "full", history: true },
  });
  onTestFinished(close);
  return app;
}

const FEEDBACK = { skillPath: "pdf", useful: true, comment: undefined };

test("feedback is on the disk before it is acknowledged, in a profile too", async () => {
  const sandbox = createSandbox();
  const app = open(sandbox);
  const narrowed = app.narrowed(fixedProfiles([{ name: "own", include: ["pdf"] }]));
  for (const [index, seen] of [app, narrowed].entries()) {
    expect(await seen.library.reportUsage(FEEDBACK)).toEqual({
      recorded: true,
      message: "Feedback recorded for pdf",
    });
    const folder = sandbox.path("home/.skills-mcp/usage");
    const text = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, "utf8"));
    expect(text.join("").match(/skill_feedback/g)).toHaveLength(index + 1);
  }
});

test("feedback that the disk does not take is not called recorded", async () => {
  const sandbox = createSandbox();
  // Where the folder of the history should be.
  sandbox.write("home/.skills-mcp/usage", "");
  expect(await open(sandbox).library.reportUsage(FEEDBACK)).toEqual({
    recorded: false,
    message: "Feedback for pdf could not be written to the disk; the log of the server says why.",
  });
});
