import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../../test/support/wait-until.ts";
import type { SkillColumns, SkillDetail } from "../../../src/wire/skills.ts";
import { openApi } from "./open-api.ts";

/** A project with a skill of every status. */
function everyStatus(): Sandbox {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf", {
    description: "Reads PDF files.",
    body: "# PDF\n\nMerge them.\n",
  });
  sandbox.skill("home/.claude/skills/pdf", { description: "An older copy." });
  sandbox.skill("project/.claude/skills/review", { description: "Reviews." });
  sandbox.skill("project/.codex/skills/review", { description: "Reviews too." });
  sandbox.write("project/.claude/skills/bad/SKILL.md", "no front matter\n");
  sandbox.write(
    "project/.claude/skills/odd/SKILL.md",
    "---\nname: odd\ndescription: Does: odd things.\n---\n",
  );
  sandbox.write(
    "project/.claude/skills/off/.SKILL.md",
    "---\nname: off\ndescription: Is off.\n---\n\nRest.\n",
  );
  sandbox.write("project/.claude/skills/pdf/notes/tips.md", "Tip.\n");
  return sandbox;
}

describe("the list", () => {
  test("has a row for everything that was found, with what became of it", async () => {
    const { get } = openApi(everyStatus());
    const { json } = await get("skills");
    const { count, name, status } = json as SkillColumns;
    const rows = name.map((each, row) => `${each}: ${status.values[status.at[row] ?? -1]}`);
    expect(rows).toEqual([
      "claude:review: ambiguous",
      "codex:review: ambiguous",
      "odd: warning",
      "pdf: warning",
      "pdf: shadowed",
      "off: disabled",
      "bad: broken",
    ]);
    expect(count).toBe(7);
  });

  test("spells out each file from its folder and its tail", async () => {
    const sandbox = everyStatus();
    const { json } = await openApi(sandbox).get("skills");
    const { name, folder, tail } = json as SkillColumns;
    const row = name.indexOf("pdf");
    expect(`${folder.values[folder.at[row] ?? -1]}${tail[row]}`).toBe(
      sandbox.path("project/.claude/skills/pdf/SKILL.md"),
    );
  });

  test("is sent again only when it changed", async () => {
    const sandbox = everyStatus();
    const { services, get } = openApi(sandbox);
    const { headers } = await get("skills");
    const tag = headers["etag"];
    const again = await get("skills", { headers: { "if-none-match": tag } });
    expect([again.status, again.body]).toEqual([304, ""]);
    sandbox.skill("project/.claude/skills/new");
    await services.skills.refresh();
    expect((await get("skills", { headers: { "if-none-match": tag } })).status).toBe(200);
  });
});

describe("one skill", () => {
  test("comes with what an agent gets, its body, files, related skills and names", async () => {
    const sandbox = everyStatus();
    const { json } = await openApi(sandbox).get("skill?name=pdf");
    const file = sandbox.path("project/.claude/skills/pdf/SKILL.md");
    expect(json).toMatchObject({
      kind: "skill",
      status: "warning",
      file,
      loadedBy: ["pdf", "claude:pdf"],
      body: "\n# PDF\n\nMerge them.\n",
      files: [{ path: "notes/tips.md", bytes: 5 }],
      related: [{ relation: "shadows", file: sandbox.path("home/.claude/skills/pdf/SKILL.md") }],
    });
    const { agentText, source } = json as SkillDetail;
    expect(agentText).toMatch(/^Loading: pdf\nBase directory: /);
    expect(agentText?.endsWith(source?.text ?? "?")).toBe(true);
  });

  test.each([
    [
      "home/.claude/skills/pdf/SKILL.md",
      { status: "shadowed", related: [{ relation: "shadowed-by", name: "pdf" }] },
    ],
    [
      "project/.claude/skills/off/.SKILL.md",
      { status: "disabled", name: "off", body: "\nRest.\n", loadedBy: [] },
    ],
    [
      "project/.claude/skills/bad/SKILL.md",
      { status: "broken", diagnostics: [{ code: "no-front-matter", line: 1 }] },
    ],
    [
      "project/.claude/skills/odd/SKILL.md",
      {
        status: "warning",
        diagnostics: [
          { code: "front-matter-recovered", line: 3 },
          { code: "description-says-when", line: 3 },
          { code: "empty-body" },
        ],
      },
    ],
  ])("that is not served goes by its file: %s", async (file, expected) => {
    const sandbox = everyStatus();
    const { json } = await openApi(sandbox).get(`skill?file=${encodeURIComponent(sandbox.path(file))}`);
    expect(json).toMatchObject({ file: sandbox.path(file), ...expected });
    expect(json).not.toHaveProperty(expected.status === "warning" ? "nothing" : "agentText");
  });

  test("of a library shows each part that it inherits, and where that comes from", async () => {
    const sandbox = createSandbox();
    sandbox.write("lib/_root.md", "---\nkeywords: [all]\ndescription: Everyone\n---\nBe kind.\n");
    sandbox.write("lib/ui/button.md", "---\nkeywords: [button]\ndescription: Buttons\n---\nMake it blue.\n");
    const { json } = await openApi(sandbox, { library: sandbox.path("lib") }).get(
      "skill?name=library:ui/button",
    );
    expect(json).toMatchObject({
      kind: "library",
      keywords: ["button"],
      parts: [
        { name: "_root", text: "Be kind.\n" },
        { name: "ui/button", file: sandbox.path("lib/ui/button.md"), text: "Make it blue.\n" },
      ],
    });
    expect((json as SkillDetail).agentText).toContain("=== GLOBAL RULES (from _root.md) ===");
  });

  test("that is not there is refused with what may be meant", async () => {
    const { status, json } = await openApi(everyStatus()).get("skill?name=pfd");
    expect(status).toBe(404);
    expect(json).toMatchObject({ error: { code: "unknown-skill", suggestions: ["pdf"] } });
  });

  test("is not any file that someone names", async () => {
    const sandbox = everyStatus();
    const secret = sandbox.write("home/secret.md", "---\nname: secret\ndescription: No.\n---\n");
    const { status } = await openApi(sandbox).get(`skill?file=${encodeURIComponent(secret)}`);
    expect(status).toBe(404);
  });
});

describe("a file beside a skill", () => {
  const PNG = Buffer.from("89504e470d0a1a0a0000", "hex");

  test("is shown as text or as a picture, and a picture cannot do anything", async () => {
    const sandbox = everyStatus();
    sandbox.write("project/.claude/skills/pdf/logo.png", PNG);
    const { get } = openApi(sandbox);
    expect((await get("file?name=pdf&path=notes/tips.md")).json).toEqual({ kind: "text", text: "Tip.\n" });
    const { headers, body } = await get("file?name=pdf&path=logo.png");
    expect(headers).toMatchObject({
      "content-type": "image/png",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect(Buffer.from(body as Uint8Array)).toEqual(PNG);
  });

  test.each([
    ["../review/SKILL.md", 404],
    ["/etc/passwd", 404],
    ["SKILL.md", 404],
    ["data.bin", 422],
    ["huge.txt", 413],
  ])("is refused: %s", async (path, status) => {
    const sandbox = everyStatus();
    sandbox.write("project/.claude/skills/pdf/data.bin", Buffer.from([0, 1, 2, 255]));
    sandbox.write("project/.claude/skills/pdf/huge.txt", "x".repeat(513 * 1024));
    expect((await openApi(sandbox).get(`file?name=pdf&path=${path}`)).status).toBe(status);
  });

  test("with a drawing in it is text", async () => {
    const sandbox = everyStatus();
    sandbox.write("project/.claude/skills/pdf/a.svg", "<svg onload='x()'/>");
    expect((await openApi(sandbox).get("file?name=pdf&path=a.svg")).json).toMatchObject({ kind: "text" });
  });
});

describe("a task", () => {
  test("is tried without counting as use", async () => {
    const sandbox = everyStatus();
    sandbox.write("lib/ui.md", "---\nkeywords: [button, colour]\ndescription: Buttons\n---\nBlue.\n");
    const { services, get } = openApi(sandbox, { library: sandbox.path("lib") });
    const { json } = await get("try?task=button+colour");
    expect(json).toMatchObject({
      find: { task: "button colour" },
      allWords: { total: 0 },
      getSkill: { skill_path: "ui", matched_keywords: ["button", "colour"] },
    });
    await get("try?task=nothing+like+it");
    await get("skill?name=pdf");
    // Nothing was recorded before the first event that is meant, so it is the only one.
    services.usage.record("skill_served", { skill_path: "pdf", via: "skill" });
    let events = 0;
    await waitUntil("the event is in the history", async () => {
      events = ((await get("usage?since=1d")).json as { totals: { events: number } }).totals.events;
      return events > 0;
    });
    expect(events).toBe(1);
  });

  test("is searched as find_skills does", async () => {
    const { services, get } = openApi(everyStatus());
    expect((await get("search?q=read+pdf&limit=5")).json).toEqual(
      JSON.parse(JSON.stringify(await services.search.search("read pdf", 5))),
    );
  });
});

describe("usage", () => {
  test.each([
    "since=0d",
    "since=tomorrow",
    "since=2999-01-01",
    "since=7d&until=x",
    "since=1d&until=2020-01-01",
  ])("refuses %s", async (query) => {
    expect((await openApi(createSandbox()).get(`usage?${query}`)).status).toBe(400);
  });

  test("has every day of the span", async () => {
    const { json } = await openApi(createSandbox()).get("usage?since=7d");
    expect((json as { days: unknown[] }).days).toHaveLength(7);
  });
});

describe("what changes something", () => {
  test("turns a skill off and on", async () => {
    const { get, post } = openApi(everyStatus());
    expect((await post("skills/disable", { name: "pdf" })).json).toMatchObject({
      name: "pdf",
      changed: true,
    });
    expect((await post("skills/enable", { name: "off" })).status).toBe(200);
    const { name, status } = (await get("skills")).json as SkillColumns;
    expect(status.values[status.at[name.indexOf("off")] ?? -1]).toBe("ok");
  });

  test("turns the very skill that is listed, whatever else of that name is off or on", async () => {
    const sandbox = createSandbox();
    for (const agent of ["agents", "claude"]) sandbox.skill(`project/.${agent}/skills/twin`);
    const { post } = openApi(sandbox);
    const file = (agent: string, name: string) => sandbox.path(`project/.${agent}/skills/twin/${name}`);
    for (const agent of ["agents", "claude"]) {
      expect((await post("skills/disable", { name: "twin" })).json).toMatchObject({
        changed: true,
        file: file(agent, ".SKILL.md"),
      });
    }
    await post("skills/enable", { name: "agents:twin" });
    expect((await post("skills/enable", { name: "twin" })).json).toMatchObject({
      changed: true,
      file: file("claude", "SKILL.md"),
    });
  });

  test("refreshes, and takes feedback", async () => {
    const { post } = openApi(everyStatus());
    expect((await post("refresh")).json).toMatchObject({ success: true });
    const feedback = { skill: "pdf", useful: false, comment: "Too short." };
    expect((await post("feedback", feedback)).json).toMatchObject({ recorded: true });
    expect((await post("feedback", { ...feedback, skill: "nobody" })).status).toBe(404);
  });

  test.each([
    ["without the scope", { scopes: new Set(["skills:read", "skills:run"]) }, "insufficient-scope"],
    ["without our header", { headers: {} }, "foreign-page"],
    [
      "from a page of another host",
      { headers: { "x-skills-mcp": "1", origin: "http://evil", host: "a:1" } },
      "foreign-page",
    ],
    [
      "from a page of another port",
      { headers: { "x-skills-mcp": "1", origin: "http://a:2", host: "a:1" } },
      "foreign-page",
    ],
    [
      "from no page at all",
      { headers: { "x-skills-mcp": "1", origin: "null", host: "a:1" } },
      "foreign-page",
    ],
    [
      "from another site",
      { headers: { "x-skills-mcp": "1", "sec-fetch-site": "cross-site" } },
      "foreign-page",
    ],
  ])("is refused %s", async (_why, request, code) => {
    const sandbox = everyStatus();
    const { services, post } = openApi(sandbox);
    const { status, json } = await post("skills/disable", { name: "pdf" }, request);
    expect([status, json]).toMatchObject([403, { error: { code } }]);
    expect((await services.skills.refresh()).catalog.entries.map(({ listedAs }) => listedAs)).toContain(
      "pdf",
    );
  });

  test("is taken from our own page", async () => {
    const headers = {
      "x-skills-mcp": "1",
      origin: "http://a:1",
      host: "a:1",
      "sec-fetch-site": "same-origin",
    };
    const { post } = openApi(everyStatus());
    expect((await post("skills/disable", { name: "pdf" }, { headers })).status).toBe(200);
  });

  test.each([undefined, "pdf", { name: 1 }, { name: "pdf", and: "more" }, []])(
    "refuses a body that says something else: %j",
    async (body) => {
      expect((await openApi(everyStatus()).post("skills/disable", body)).status).toBe(400);
    },
  );
});

describe("an address", () => {
  test.each([
    ["GET", "nothing", 404],
    ["GET", "__proto__", 404],
    ["GET", "refresh", 405],
    ["GET", "skill", 400],
    ["GET", "search?q=", 400],
    ["GET", "description?budget=-1", 400],
    ["GET", "description?format=foo", 400],
  ])("that makes no sense is refused: %s %s", async (_method, address, status) => {
    expect((await openApi(createSandbox()).get(address)).status).toBe(status);
  });

  test("to read is not for those who may not", async () => {
    const { get } = openApi(everyStatus());
    expect((await get("skills", { scopes: new Set() })).status).toBe(403);
  });

  test("takes no POST where there is nothing to change", async () => {
    const { status, headers } = await openApi(createSandbox()).post("skills");
    expect([status, headers["allow"]]).toEqual([405, "GET, HEAD"]);
  });
});

test("health says what was found where, and how fresh it is", async () => {
  const sandbox = everyStatus();
  const { services, get } = openApi(sandbox);
  rmSync(sandbox.path("project/.codex"), { recursive: true });
  await services.skills.refresh();
  const { json } = await get("health");
  expect(json).toMatchObject({
    skills: 3,
    freshness: { watcher: "off", lastRefresh: expect.stringMatching(/^\d{4}-/) as string },
  });
});
