import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compose } from "#server";
import { connectHttp } from "../../../test/support/connect-http.ts";
import { page } from "../../../test/support/library.ts";
import { createSandbox, type Sandbox } from "../../../test/support/sandbox.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { openHttp } from "./open-http.ts";

const PROMPT = "what-somebody-wrote";

function recordsOf(sandbox: Sandbox): readonly Record<string, unknown>[] {
  const file = sandbox.path("home/.skills-mcp/audit.jsonl");
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("over HTTP it is recorded who was served what, and nothing that anybody wrote", async () => {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf");
  sandbox.write("project/.claude/skills/pdf/notes.txt", "notes");
  const script =
    "scripts:\n  - file: run.sh\n    description: Runs\n    execution: server\n    args:\n      - name: what\n        description: W";
  sandbox.write("lib/team.md", page("team", "The team", script));
  sandbox.write("lib/team/run.sh", "exit 3\n");
  const { services, url } = await openHttp(sandbox, {
    app: { library: sandbox.path("lib"), remoteCallers: true, sandboxDefault: "off", watch: false },
  });
  const { client } = await connectHttp(url, "2025-11-25", { clientName: "some-agent" });
  const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
  await call("skill", { name: "PDF" });
  await call("skill", { name: PROMPT });
  await call("read_skill_file", { skill: "pdf", path: "notes.txt" });
  await call("find_skills", { task: PROMPT });
  await call("get_skill", { context: `team ${PROMPT}` });
  await call("run_script", { skill_path: "team", file: "run.sh", args: { what: PROMPT } });
  await client.readResource({ uri: `skill://claude/pdf/${PROMPT}/../SKILL.md#${PROMPT}` });
  await expect(call(PROMPT, {})).rejects.toThrow();
  await fetch(`${url}/.well-known/skills/pdf/SKILL.md`);
  await services.auditLog.close();
  await waitUntil("everything is recorded", () => recordsOf(sandbox).length >= 9);
  const records = recordsOf(sandbox);
  expect(JSON.stringify(records)).not.toContain(PROMPT);
  const digest = expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string;
  const by = {
    client: "some-agent/1.0.0",
    time: expect.any(String) as string,
    duration_ms: expect.any(Number) as number,
  };
  expect(records).toEqual(
    expect.arrayContaining([
      { ...by, action: "skill", skill: "pdf", digest, result: "ok" },
      { ...by, action: "skill", result: "refused" },
      { ...by, action: "read_skill_file", skill: "pdf", file: "notes.txt", digest, result: "ok" },
      { ...by, action: "find_skills", result: "ok" },
      { ...by, action: "tools/call", result: "error" },
      { ...by, action: "get_skill", skill: "team", result: "ok" },
      {
        ...by,
        action: "run_script",
        skill: "team",
        script: "run.sh",
        digest,
        sandbox: "none",
        exit_code: 3,
        result: "failed",
      },
      expect.objectContaining({
        action: "resources/read",
        skill: "skill://claude/pdf/SKILL.md",
        result: "ok",
      }) as object,
      expect.objectContaining({ action: "download", skill: "pdf", file: "SKILL.md", result: "ok" }) as object,
    ]),
  );
});

test.each([
  ["nothing is recorded on stdio", {}, "", false],
  ["approvals are recorded where there are rules", {}, "review: [project]\n", true],
  [
    "nothing is recorded where the operator says so",
    { auditLog: "off" as const },
    "review: [project]\n",
    false,
  ],
])("%s", async (_what, options, rules, isRecorded) => {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf");
  if (rules !== "") sandbox.write("home/.skills-mcp/trust.yaml", rules);
  const { services, close } = compose({ cwd: sandbox.project, userDir: sandbox.home, ...options });
  const review = await services.review();
  if (rules !== "") await review.approve(await review.plan(["pdf"]), "anna");
  await close();
  const expected = { action: "approve", caller: "anna", skill: "pdf", result: "ok" };
  expect(recordsOf(sandbox)).toEqual(isRecorded ? [expect.objectContaining(expected)] : []);
});
