import { expect, test } from "vitest";
import { createSandbox } from "../../../../../test/support/sandbox.ts";
import { openApi } from "./open-api.ts";

test("the dashboard gets what validate says about the served skills, without what the scan has reported", async () => {
  const sandbox = createSandbox();
  sandbox.skill("project/.agents/skills/folder", {
    name: "other",
    description: "Does this: that, and so much more of the same.",
  });
  sandbox.skill("project/.agents/skills/good", {
    description: "Reads and fills PDF forms. Use it for PDF files.",
  });
  const { get, services } = openApi(sandbox);
  const { status, json } = await get("findings");
  expect(status).toBe(200);
  const file = sandbox.path("project/.agents/skills/folder/SKILL.md");
  expect(json).toEqual({
    files: [
      {
        file,
        name: "other",
        findings: [expect.objectContaining({ severity: "error", rule: "name-is-folder", line: 2 })],
      },
    ],
  });
  const { diagnostics } = await services.checks.health();
  expect(diagnostics).toMatchObject([{ file, code: "front-matter-recovered" }]);
});
