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
  const decision = { skills: [{ name: "pdf", digest: item?.digest }] };
  for (const address of ["review", "review/skill?name=pdf"])
    expect([address, (await get(address, request)).status]).toEqual([address, 403]);
  for (const address of ["review/approve", "review/revert", "review/reject", "review/reopen"])
    expect([address, (await post(address, decision, request)).status]).toEqual([address, 403]);
  expect(await (await services.review()).list()).toMatchObject([{ name: "pdf", state: "new" }]);
});

test("only what was seen is approved", async () => {
  const sandbox = fill();
  const { post, services } = openApi(sandbox);
  const [item] = await (await services.review()).list();
  sandbox.write("project/.claude/skills/pdf/SKILL.md", skillText("pdf", "Two.", "Other\n"));
  const answer = await post("review/approve", { skills: [{ name: "pdf", digest: item?.digest }] });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(await (await services.review()).list()).toMatchObject([{ name: "pdf", state: "new" }]);
});

test("many are decided at once: all or none, and what was rejected waits again when it changes", async () => {
  const sandbox = fill();
  sandbox.write("project/.claude/skills/xlsx/SKILL.md", skillText("xlsx", "Tables."));
  const { get, post } = openApi(sandbox);
  const states = async () => {
    const { json } = await get("review");
    const { skills } = json as { skills: { name: string; state: string; digest: string }[] };
    return { skills, said: skills.map(({ name, state }) => `${name} ${state}`).sort() };
  };
  const seen = (await states()).skills.map(({ name, digest }) => ({ name, digest }));
  const wrong = seen.map(({ name }, index) => ({ name, digest: index === 0 ? seen[0]?.digest : "sha256:0" }));
  expect((await post("review/approve", { skills: wrong })).status).toBeGreaterThanOrEqual(400);
  expect((await states()).said).toEqual(["pdf new", "xlsx new"]);
  expect((await post("review/approve", { skills: seen })).status).toBe(200);
  expect((await states()).said).toEqual(["pdf approved", "xlsx approved"]);

  sandbox.write("project/.claude/skills/xlsx/SKILL.md", skillText("xlsx", "Other tables."));
  await post("refresh");
  const changed = (await states()).skills.filter(({ name }) => name === "xlsx");
  const decision = { skills: changed.map(({ name, digest }) => ({ name, digest })) };
  expect((await post("review/reject", decision)).status).toBe(200);
  expect((await states()).said).toEqual(["pdf approved", "xlsx rejected"]);
  expect((await post("review/reopen", decision)).status).toBe(200);
  expect((await states()).said).toEqual(["pdf approved", "xlsx changed"]);
  await post("review/reject", decision);
  sandbox.write("project/.claude/skills/xlsx/SKILL.md", skillText("xlsx", "Third tables."));
  await post("refresh");
  expect((await states()).said).toEqual(["pdf approved", "xlsx changed"]);
});
