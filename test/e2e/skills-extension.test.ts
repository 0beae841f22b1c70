import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { describe, expect, test } from "vitest";
import { type Connection, ERAS, loadSkill } from "../support/client.ts";
import { connectInProcess as connect } from "../support/in-process.ts";
import { createSandbox, type Sandbox, skillText } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const PDF = "skill://claude/pdf";
const BYTES = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]);

/** One skill with files of all kinds, a plugin's, and those that cannot be published. */
function fill(sandbox: Sandbox): void {
  const skills = "project/.claude/skills";
  sandbox.skill(`${skills}/pdf`, { body: "# PDF\n" });
  sandbox.write(`${skills}/pdf/references/FORMS.md`, "# Forms\n");
  sandbox.write(`${skills}/pdf/references/deep/ünï ☃.txt`, "snow");
  sandbox.write(`${skills}/pdf/logo.png`, BYTES);
  sandbox.write(`${skills}/pdf/.env`, "SECRET=1");
  sandbox.write(`${skills}/pdf/node_modules/x/index.js`, "");
  sandbox.skill("home/.claude/plugins/cache/office/skills/docx");
  const plugins = { "office@market": [{ installPath: "cache/office" }] };
  sandbox.write("home/.claude/plugins/installed_plugins.json", JSON.stringify({ version: 2, plugins }));

  sandbox.skill(`${skills}/Other Folder`, { name: "not-its-folder" });
  sandbox.write(`${skills}/lower/skill.md`, skillText("lower", "Spelled in lower case."));
  sandbox.write(
    `${skills}/lists/SKILL.md`,
    "---\nname: lists\ndescription: L.\nallowed-tools: [Read, Grep]\n---\n",
  );
  sandbox.write("outside/linked.md", skillText("linked", "Lives elsewhere."));
  sandbox.write(`${skills}/linked/notes.txt`, "notes");
  symlinkSync(sandbox.path("outside/linked.md"), sandbox.path(`${skills}/linked/SKILL.md`));

  sandbox.skill(`${skills}/Shouting`, { name: "Shouting" });
  sandbox.skill(`${skills}/wordy`, { description: "x".repeat(1_025) });
  sandbox.write(
    `${skills}/numbers/SKILL.md`,
    "---\nname: numbers\ndescription: N.\nmetadata:\n  version: 1.0\n---\n",
  );
  sandbox.write(`${skills}/loose/SKILL.md`, skillText("loose", "Use when: anything"));
  sandbox.skill(`${skills}/linking`);
  sandbox.write("outside/secret.txt", "secret");
  symlinkSync(sandbox.path("outside/secret.txt"), sandbox.path(`${skills}/linking/secret.txt`));
  sandbox.skill(`${skills}/crowded`);
  for (let index = 0; index < 512; index++) sandbox.write(`${skills}/crowded/f/${index}.txt`, "");
}

const PUBLISHED = ["linked", "lists", "lower", "not-its-folder", "pdf"];
const UNPUBLISHED = ["Shouting", "wordy", "numbers", "loose", "linking", "crowded"];

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => "it was answered",
    (error: unknown) => error,
  );
}

const skillsOf = ({ client }: Connection): SkillsClient => new SkillsClient(client);

describe.each(ERAS)("the Skills extension, protocol %s", (era) => {
  test("publishes every skill that hosts accept, and a host can verify each byte", async () => {
    const sandbox = createSandbox();
    fill(sandbox);
    const connection = await connect(sandbox, { era });
    const skills = skillsOf(connection);
    expect(skills.supported && skills.directoryRead).toBe(true);
    const listing = await skills.list();
    expect(listing.skills.map((skill) => skill.uri)).toEqual([
      "skill://claude-plugin/office/docx/SKILL.md",
      ...PUBLISHED.map((name) => `skill://claude/${name}/SKILL.md`),
    ]);
    for (const skill of listing.skills) expect(await skills.read(skill)).toMatchObject({ verified: true });
    const frontmatterOf = (name: string) =>
      listing.skills.find(({ frontmatter }) => frontmatter.name === name)?.frontmatter;
    expect(frontmatterOf("lists")).toMatchObject({ "allowed-tools": ["Read", "Grep"] });
    expect(frontmatterOf("linked")).toEqual({ name: "linked", description: "Lives elsewhere." });
    expect([listing.ttlMs, listing.cacheScope]).toEqual(
      era === "2026-07-28" ? [30_000, "public"] : [undefined, undefined],
    );
    const pdf = listing.skills.at(-1);
    if (pdf === undefined || pdf.resources === "dynamic") throw new Error("no resources");
    expect(pdf.frontmatter).toEqual({ name: "pdf", description: "Does pdf things." });
    expect(pdf.resources.map(({ uri }) => decodeURIComponent(uri.slice(PDF.length + 1)))).toEqual([
      "SKILL.md",
      "logo.png",
      "references/FORMS.md",
      "references/deep/ünï ☃.txt",
    ]);
    for (const { uri } of pdf.resources)
      expect(await skills.read(pdf, uri)).toMatchObject({ verified: true });
    expect((await skills.read(pdf, `${PDF}/logo.png`)).bytes).toEqual(BYTES);
    expect((await skills.get(`${PDF}/SKILL.md`)).skill).toEqual(pdf);

    const log = (): number =>
      connection.log().match(/not published through the Skills extension/g)?.length ?? 0;
    await waitUntil("the one line about skills that are left out", () => log() === 1);
    expect(connection.log()).toContain(`${UNPUBLISHED.length} skills are not published`);
    expect(connection.log()).toContain("'Shouting': The name 'Shouting' may contain only a-z");
    await skills.list();
    expect(log()).toBe(1);
    for (const name of UNPUBLISHED) expect((await loadSkill(connection, name)).isError).toBe(false);
    expect(await errorOf(skills.get("skill://claude/loose/SKILL.md"))).toMatchObject({ code: -32602 });

    const { resources } = await skills.readDirectory(PDF);
    expect(resources.map(({ name, mimeType, size }) => [name, mimeType, size])).toEqual([
      ["SKILL.md", "text/markdown", expect.any(Number)],
      ["logo.png", "image/png", BYTES.length],
      ["references", "inode/directory", undefined],
    ]);
    const below = await skills.readDirectory(`${PDF}/references`);
    expect(below.resources.map(({ name }) => name)).toEqual(["FORMS.md", "deep"]);
    const lower = await skills.readDirectory("skill://claude/lower");
    expect(lower.resources.map(({ name, uri }) => [name, uri])).toEqual([
      ["SKILL.md", "skill://claude/lower/SKILL.md"],
    ]);
    for (const uri of [`${PDF}/SKILL.md`, `${PDF}/nowhere`, "skill://claude", `${PDF}/../../..`]) {
      expect(await errorOf(skills.readDirectory(uri))).toMatchObject({ code: -32602 });
    }
  });

  test("a file that changed is hashed again, at once and however it changed", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const file = sandbox.write("project/.claude/skills/pdf/a.txt", "one");
    const connection = await connect(sandbox, { era, args: ["mcp", "--no-watch", "--no-refresh"] });
    const skills = skillsOf(connection);
    for (const text of ["two", "six", "three", "3"]) {
      writeFileSync(file, text);
      const { skills: entries } = await skills.list();
      const [pdf] = entries;
      if (pdf === undefined) throw new Error("nothing was listed");
      const read = await skills.read(pdf, "a.txt", { cacheMode: "refresh" });
      expect([read.text, read.verified]).toEqual([text, true]);
    }
    if (process.getuid?.() !== 0) {
      chmodSync(file, 0);
      expect((await skills.list()).skills).toEqual([]);
    }
  });
});

test("more than 1,000 skills come in pages whose cursors are checked", async () => {
  const sandbox = createSandbox();
  for (let index = 0; index < 1_003; index++) sandbox.skill(`project/.claude/skills/skill-${index}`);
  const { client } = await connect(sandbox, { era: "2026-07-28", args: ["mcp", "--no-watch"] });
  const skills = new SkillsClient(client);
  const all = await skills.list();
  expect(new Set(all.skills.map(({ uri }) => uri)).size).toBe(1_003);

  const [resources, prompts] = [await client.listResources(), await client.listPrompts()];
  expect([resources.resources.length, prompts.prompts.length]).toEqual([1_003, 1_003]);
  const uris = resources.resources.map(({ uri }) => uri);
  expect(uris).toEqual([...uris].sort());

  for (const cursor of ["", "x", path.basename(sandbox.project)]) {
    expect(await errorOf(skills.list({ cursor }))).toMatchObject({ code: -32602 });
    expect(await errorOf(client.listResources({ cursor }))).toMatchObject({ code: -32602 });
    expect(await errorOf(client.listPrompts({ cursor }))).toMatchObject({ code: -32602 });
  }
});
