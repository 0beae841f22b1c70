import { describe, expect, test } from "vitest";
import { page } from "../../../../test/support/library.ts";
import { skillText } from "../../../../test/support/sandbox.ts";
import { openRepo, servedBy } from "./open-repo.ts";

const skill = (name: string): string => skillText(name, `Does ${name} things.`);
const json = (value: unknown): string => JSON.stringify(value);
const DOCUMENT = "# A document\n\nText.\n";
const WITH_TITLE = "---\ntitle: A rule\nimpact: HIGH\ntags: a, b\n---\n\nText.\n";
const AGENT_PLUGIN = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";

/** The shape of anthropics/skills: a marketplace that lists the skills of several plugins, and one skill beside them. */
const MARKETPLACE = {
  "README.md": DOCUMENT,
  ".claude-plugin/marketplace.json": json({
    name: "shop-skills",
    owner: { name: "Shop" },
    metadata: { version: "1.0.0" },
    plugins: [
      { name: "document-skills", source: "./", strict: false, skills: ["./skills/pdf", "./skills/xlsx"] },
      { name: "example-skills", source: "./", strict: false, skills: ["./skills/art"] },
      { name: "elsewhere", source: { source: "github", repo: "shop/other" } },
    ],
  }),
  "skills/pdf/SKILL.md": skill("pdf"),
  "skills/pdf/forms.md": DOCUMENT,
  "skills/pdf/reference/a.md": WITH_TITLE,
  "skills/xlsx/SKILL.md": skill("xlsx"),
  "skills/art/SKILL.md": skill("art"),
  "skills/art/templates/page.md": DOCUMENT,
  "spec/agent-skills-spec.md": DOCUMENT,
  "template/SKILL.md": skill("template-skill"),
};

/** The shape of obra/superpowers: the repository is one plugin, in its own marketplace, with commands and agents. */
const PLUGIN = {
  ".claude-plugin/plugin.json": json({ name: "powers", version: "1.0.0" }),
  ".claude-plugin/marketplace.json": json({
    name: "powers-dev",
    plugins: [{ name: "powers", source: "./", version: "1.0.0" }],
  }),
  ".cursor-plugin/plugin.json": json({ name: "powers" }),
  "AGENTS.md": DOCUMENT,
  "agents/reviewer.md": "---\nname: reviewer\ndescription: Reviews\nmodel: inherit\n---\n\nText.\n",
  "commands/plan.md": "---\ndescription: Plans\n---\n\nText.\n",
  "docs/plans/2026-01-01-plan.md": DOCUMENT,
  "hooks/hooks.json": "{}",
  "skills/brainstorming/SKILL.md": skill("brainstorming"),
  "skills/brainstorming/visual.md": DOCUMENT,
  "skills/debugging/SKILL.md": skill("debugging"),
};

/** The shape of vercel-labs/agent-skills: plain skills with rules and an AGENTS.md, and archives beside them. */
const PLAIN = {
  "README.md": DOCUMENT,
  "AGENTS.md": DOCUMENT,
  "skills.sh.json": "{}",
  "config.yaml": "title: The web site of somebody\n",
  "packages/build/package.json": "{}",
  "packages/build/node_modules/x/SKILL.md": skill("not-ours"),
  "skills/react/SKILL.md": skill("react"),
  "skills/react/AGENTS.md": DOCUMENT,
  "skills/react/rules/_sections.md": DOCUMENT,
  "skills/react/rules/async-parallel.md": WITH_TITLE,
  "skills/react.zip": "PK",
  "skills/deploy/SKILL.md": skill("deploy"),
  ".cursor/skills/registry/SKILL.md": skill("registry"),
};

const LIBRARY = {
  "README.md": DOCUMENT,
  "skills/_root.md": page("everything", "Rules for all"),
  "skills/database/_index.md": page("database, sql", "The database"),
  "skills/incident.md": page("incident", "What to do first"),
};

const ALL_AT_ONCE = {
  "README.md": DOCUMENT,
  "docs/notes.md": WITH_TITLE,
  "skills/review/SKILL.md": skill("review"),
  "skills/review/checklist.md": page("checklist", "Belongs to the skill"),
  "skills/incident.md": page("incident", "What to do first"),
  "skills/plain.md": DOCUMENT,
  ".agents/plugins/notes/plugin.json": json({ $schema: AGENT_PLUGIN, name: "notes" }),
  ".agents/plugins/notes/skills/take/SKILL.md": skill("take"),
  "plugins/tools/.claude-plugin/plugin.json": json({ name: "tools" }),
  "plugins/tools/skills/lint/SKILL.md": skill("lint"),
  "plugins/tools/commands/fix.md": "---\ndescription: Fixes\n---\n\nText.\n",
  "plugins/other/plugin.json": json({ name: "not-a-plugin-of-ours" }),
  "plugins/other/SKILL.md": skill("other"),
};

const isUnusual = (line: string): boolean => !/cloning|at commit|ready:|refreshed/.test(line);

describe("a repository is served by what it holds", () => {
  test.each([
    [
      "a marketplace with lists of skills",
      MARKETPLACE,
      ["document-skills:pdf", "document-skills:xlsx", "example-skills:art", "template-skill"],
    ],
    ["a plugin", PLUGIN, ["powers:brainstorming", "powers:debugging"]],
    ["folders with skills", PLAIN, ["deploy", "react", "registry"]],
    ["a library", LIBRARY, ["_root", "database/_index", "incident"]],
    ["everything at once", ALL_AT_ONCE, ["notes:take", "other", "review", "tools:lint", "incident"]],
    [
      "folders with skills, where only a hidden document has keywords",
      { ...PLAIN, ".github/bug.md": "---\nkeywords: [bug]\ndescription: A template\n---\n" },
      ["deploy", "react", "registry"],
    ],
    ["a single skill", { "SKILL.md": skill("alone"), "reference.md": DOCUMENT }, ["alone"]],
  ])("%s", async (_shape, files, names) => {
    const { snapshot, logged } = await openRepo(files);
    expect([...servedBy(snapshot)].sort()).toEqual([...names].sort());
    expect(snapshot.diagnostics).toEqual([]);
    expect(logged.filter(isUnusual)).toEqual([]);
  });

  test("with location, provider, plugin and the place in the repository", async () => {
    const { snapshot, origin } = await openRepo(MARKETPLACE);
    const commit = origin.git("rev-parse", "main");
    const pdf = snapshot.catalog.entries.find(({ listedAs }) => listedAs === "document-skills:pdf");
    expect(pdf?.skill).toMatchObject({
      provider: "git",
      location: "repo",
      plugin: { name: "document-skills", marketplace: "shop-skills" },
      repo: { url: origin.fileUrl, path: "skills/pdf", commit },
    });
  });

  test("of two skills with one name in it, the one in skills/ is served", async () => {
    const { snapshot } = await openRepo({
      "a/SKILL.md": skillText("twice", "The other one"),
      "skills/twice/SKILL.md": skillText("twice", "The one in skills/"),
    });
    expect(snapshot.catalog.entries.map(({ skill }) => skill.description)).toEqual(["The one in skills/"]);
    expect(snapshot.catalog.entries[0]?.shadowed).toHaveLength(1);
  });

  test("and a broken skill in it is one diagnostic", async () => {
    const { snapshot } = await openRepo({
      ...MARKETPLACE,
      "skills/art/SKILL.md": "no front matter",
    });
    expect(snapshot.diagnostics.map(({ code }) => code)).toEqual(["no-front-matter"]);
  });
});

describe("what follows an address", () => {
  test.each([
    [":skills/pdf", ["pdf"]],
    [":skills", ["art", "pdf", "xlsx"]],
    [":template", ["template-skill"]],
    ["#main@pdf", ["document-skills:pdf"]],
    ["#main@document-skills:pdf", ["document-skills:pdf"]],
    ["#main:template@template-skill", ["template-skill"]],
  ])("'%s' narrows what is served", async (suffix, names) => {
    const { snapshot } = await openRepo(MARKETPLACE, suffix);
    expect([...servedBy(snapshot)].sort()).toEqual(names);
  });

  test.each([
    [":nowhere", /has no folder 'nowhere' \(commit [0-9a-f]{12}\)$/],
    ["#main@nothing", /has no skill 'nothing'/],
    [":spec", /has no skills in its folder 'spec': no SKILL\.md, and no Markdown file with keywords/],
  ])("'%s' that leads to nothing is one line", async (suffix, words) => {
    const { snapshot, logged } = await openRepo(MARKETPLACE, suffix);
    expect(servedBy(snapshot)).toEqual([]);
    const told = logged.filter(isUnusual);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(words);
  });

  test("a tag stays where it is", async () => {
    const { snapshot, refresh, origin } = await openRepo(PLAIN, "#v1", ({ git, commit }) => {
      git("tag", "v1", "main");
      commit({ "skills/two/SKILL.md": skill("two") });
    });
    expect(servedBy(snapshot)).toContain("react");
    origin.commit({ "skills/three/SKILL.md": skill("three") });
    expect(servedBy(await refresh())).toContain("react");
  });
});

describe("a push", () => {
  test("switches everything at once, and a list that looks the same is no change", async () => {
    const { services, origin, refresh } = await openRepo(ALL_AT_ONCE);
    let changes = 0;
    services.skills.onChange(() => void changes++);
    origin.commit({ ...ALL_AT_ONCE, "docs/more.md": DOCUMENT });
    const same = await refresh();
    expect(servedBy(same)).toHaveLength(5);
    expect(changes).toBe(0);
    const commit = origin.commit(PLAIN, { orphan: true });
    const forced = await refresh();
    expect([...servedBy(forced)].sort()).toEqual(["deploy", "react", "registry"]);
    expect(new Set(forced.catalog.entries.map((entry) => entry.skill.repo?.commit))).toEqual(
      new Set([commit]),
    );
    expect(changes).toBe(1);
  });
});

test("a skill of a repository is not renamed, but excluded", async () => {
  const { services } = await openRepo(PLAIN);
  await expect(services.toggles.toggle("react", "disabled")).rejects.toThrow(
    /'react' comes from file:.*Exclude it with --exclude 'react'/,
  );
});
