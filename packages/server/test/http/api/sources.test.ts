import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fixedProfiles } from "#skills";
import { createSandbox, type Sandbox, skillText } from "../../../../../test/support/sandbox.ts";
import type { PlanAnswer, SourcesAnswer, UpdatesAnswer } from "../../../src/wire/sources.ts";
import { openApi } from "./open-api.ts";

const READER: ReadonlySet<string> = new Set(["skills:read"]);

/** A repository with two skills, in `vendor/`. */
function fill(): { readonly sandbox: Sandbox; readonly source: string; commit(description: string): void } {
  const sandbox = createSandbox();
  const folder = sandbox.path("vendor");
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.test", ...args], { cwd: folder });
  const commit = (description: string): void => {
    sandbox.write("vendor/pdf/SKILL.md", skillText("pdf", description));
    sandbox.write("vendor/xlsx/SKILL.md", skillText("xlsx", "Tables."));
    git("add", ".");
    git("commit", "-qm", description);
  };
  sandbox.write("vendor/README.md", "Skills\n");
  git("init", "-q", "-b", "main");
  commit("The first.");
  return { sandbox, source: `file://${folder}`, commit };
}

const pdfOf = (sandbox: Sandbox): string =>
  readFileSync(sandbox.path("project/.agents/skills/pdf/SKILL.md"), "utf8");

test("a source is looked at, installed, updated as it was shown, and taken back", async () => {
  const { sandbox, source, commit } = fill();
  const { get, post, services } = openApi(sandbox);
  const add = { source, scope: "project" };
  expect((await post("sources/add", { ...add, names: [], dryRun: true })).json).toEqual({
    choices: [
      { name: "pdf", description: "The first." },
      { name: "xlsx", description: "Tables." },
    ],
  });
  const planned = (await post("sources/add", { ...add, names: ["pdf"], dryRun: true })).json as PlanAnswer;
  expect(planned).toMatchObject({ dryRun: true, plan: [{ action: "add", name: "pdf" }] });
  expect((await services.skills.snapshot()).catalog.entries).toEqual([]);
  const added = (await post("sources/add", { ...add, names: ["pdf"], dryRun: false })).json as PlanAnswer;
  expect(added).toMatchObject({ failed: [], command: `skills-mcp add ${source} pdf` });
  // Agents have it without a restart.
  expect((await services.skills.snapshot()).catalog.entries.map(({ listedAs }) => listedAs)).toEqual(["pdf"]);

  const before = (await get("sources")).json as SourcesAnswer;
  expect(before).toMatchObject({
    installed: [{ name: "pdf", scope: "project", state: "as-locked" }],
    undo: { names: ["pdf"] },
  });
  commit("The second.");
  const checked = (await post("sources/check")).json as UpdatesAnswer;
  expect(checked.skills).toMatchObject([{ name: "pdf", isOutdated: true }]);

  const update = { scope: "project", names: ["pdf"] };
  const shown = (await post("sources/update", { ...update, dryRun: true })).json as PlanAnswer;
  expect(shown.plan[0]?.diff).toContain("+description: The second.");
  expect(pdfOf(sandbox)).toContain("The first.");
  // What came later was not shown to anyone.
  commit("The third.");
  const seen = { pdf: shown.plan[0]?.commit ?? "" };
  const refused = await post("sources/update", { ...update, seen, dryRun: false });
  expect([refused.status, JSON.stringify(refused.json)]).toEqual([
    409,
    expect.stringContaining("has changed since"),
  ]);
  expect(pdfOf(sandbox)).toContain("The first.");
  const again = (await post("sources/update", { ...update, dryRun: true })).json as PlanAnswer;
  await post("sources/update", { ...update, seen: { pdf: again.plan[0]?.commit ?? "" }, dryRun: false });
  expect(pdfOf(sandbox)).toContain("The third.");

  expect((await post("sources/undo", { names: ["xlsx"] })).status).toBe(409);
  expect((await post("sources/undo", { names: ["pdf"] })).json).toMatchObject({ failed: [] });
  expect(pdfOf(sandbox)).toContain("The first.");
});

test.each([
  ["without skills:admin", { scopes: READER, subject: "ann" }],
  ["without the key", { scopes: READER, needsKey: true }],
])("%s nothing is asked, installed or taken back", async (_what, request) => {
  const { sandbox, source } = fill();
  const { get, post } = openApi(sandbox);
  for (const [address, body] of [
    ["sources/check", {}],
    ["sources/add", { source, names: ["pdf"], scope: "project", dryRun: false }],
    ["sources/update", { scope: "project", names: ["pdf"], dryRun: false }],
    ["sources/undo", { names: ["pdf"] }],
  ] as const)
    expect([address, (await post(address, body, request)).status]).toEqual([address, 403]);
  expect((await get("sources", request)).json).toMatchObject({ installed: [] });
});

test("on a server with tokens, only its operator adds skills", async () => {
  const { sandbox, source } = fill();
  const { get, post } = openApi(sandbox);
  const body = { source, names: ["pdf"], scope: "project", dryRun: false };
  expect((await get("sources")).json).toMatchObject({ mayInstall: true });
  expect((await get("sources", { subject: "ops" })).json).toMatchObject({ mayInstall: false });
  const { status, json } = await post("sources/add", body, { subject: "ops" });
  expect([status, JSON.stringify(json)]).toEqual([409, expect.stringContaining("skills-mcp add")]);
});

test.each([
  ["sources/add", { source: " ", names: [], scope: "project", dryRun: true }],
  ["sources/add", { source: "a/b", names: [], scope: "everyone", dryRun: true }],
  ["sources/update", { scope: "project", names: [], dryRun: true }],
  ["sources/undo", undefined],
])("a body that is no such request is refused with an example: %s %j", async (address, body) => {
  const { post } = openApi(createSandbox());
  const { status, json } = await post(address, body);
  expect([status, JSON.stringify(json)]).toEqual([
    400,
    expect.stringContaining("The body must be JSON such as"),
  ]);
});

test("a plan names the skills of the same name that are left out", async () => {
  const sandbox = createSandbox();
  sandbox.skill("source/a/review");
  sandbox.skill("source/b/review");
  const body = { source: sandbox.path("source"), scope: "project", names: ["review"], dryRun: true };
  const { plan } = (await openApi(sandbox).post("sources/add", body)).json as PlanAnswer;
  expect(plan).toMatchObject([{ action: "add", reason: "left out, of the same name: b/review" }]);
});

test("sources: show a caller with skills:read the installed skills of its profile, and an administrator all", async () => {
  const { sandbox, source } = fill();
  const { get, post, services } = openApi(sandbox);
  await post("sources/add", { source, scope: "project", names: ["pdf", "xlsx"], dryRun: false });
  const view = services.narrowed(fixedProfiles([{ name: "web", include: ["xlsx"] }]));
  const namesOf = (answer: { readonly json: unknown }): readonly string[] =>
    (answer.json as SourcesAnswer).installed.map(({ name }) => name);
  const seen = await get("sources", { scopes: READER, view });
  expect(namesOf(seen)).toEqual(["xlsx"]);
  expect(String(seen.body)).not.toContain("pdf");
  expect(seen.json).not.toHaveProperty("lastScan");
  expect(namesOf(await get("sources", { view }))).toEqual(["pdf", "xlsx"]);

  const nothing = services.narrowed(fixedProfiles([{ name: "none", include: ["other"] }]));
  const empty = (await get("sources", { scopes: READER, view: nothing })).json;
  expect(empty).toMatchObject({ installed: [], locks: [] });
});

test("sources: show a caller with skills:read nothing that nobody approved", async () => {
  const { sandbox, source } = fill();
  sandbox.write("home/.skills-mcp/trust.yaml", 'review: ["*"]\n');
  const { get, post, services } = openApi(sandbox);
  await post("sources/add", { source, scope: "project", names: ["pdf", "xlsx"], dryRun: false });
  const seen = async () => String((await get("sources", { scopes: READER })).body);
  expect(await seen()).not.toMatch(/pdf|xlsx/);
  const review = await services.review();
  await review.approve(await review.plan(["xlsx"]), "somebody");
  sandbox.write("project/.agents/skills/xlsx/unseen.txt", "new");
  await services.skills.refresh();
  expect(await seen()).not.toMatch(/pdf|unseen/);
});
