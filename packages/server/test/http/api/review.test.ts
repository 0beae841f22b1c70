import { expect, test } from "vitest";
import { createSandbox, skillText } from "../../../../../test/support/sandbox.ts";
import { openApi } from "./open-api.ts";

const READER: ReadonlySet<string> = new Set(["skills:read"]);
const TAGS = String.fromCodePoint(0xe0041, 0xfe01);

function fill() {
  const sandbox = createSandbox();
  sandbox.write("home/.skills-mcp/trust.yaml", "review: [project]\n");
  sandbox.write("project/.claude/skills/pdf/SKILL.md", skillText("pdf", "One.", `Do ${TAGS}this.\n`));
  return sandbox;
}

test("whoever decides sees in the diff what nobody would see in the text", async () => {
  const { get } = openApi(fill());
  const { json } = await get("review/skill?name=pdf");
  const { diff } = json as { readonly diff: string };
  expect(diff).toContain("+Do \\u{E0041}\\u{FE01}this.");
});

test.each([
  ["without skills:admin", { scopes: READER, subject: "ann" }],
  ["without the key", { scopes: READER, needsKey: true }],
])("%s nobody sees, approves or withdraws what waits", async (_what, request) => {
  const { get, post, services } = openApi(fill());
  const [item] = await (await services.review()).list();
  const decision = { name: "pdf", digest: item?.digest };
  for (const address of ["review", "review/skill?name=pdf"])
    expect([address, (await get(address, request)).status]).toEqual([address, 403]);
  for (const address of ["review/approve", "review/revert"])
    expect([address, (await post(address, decision, request)).status]).toEqual([address, 403]);
  expect(await (await services.review()).list()).toMatchObject([{ name: "pdf", state: "new" }]);
});

test("only what was seen is approved", async () => {
  const sandbox = fill();
  const { post, services } = openApi(sandbox);
  const [item] = await (await services.review()).list();
  sandbox.write("project/.claude/skills/pdf/SKILL.md", skillText("pdf", "Two.", "Other\n"));
  const answer = await post("review/approve", { name: "pdf", digest: item?.digest });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(await (await services.review()).list()).toMatchObject([{ name: "pdf", state: "new" }]);
});
