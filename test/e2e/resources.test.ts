import { readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ERAS } from "../support/client.ts";
import { connectInProcess as connect } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

function fill(sandbox: Sandbox): void {
  sandbox.skill("project/.claude/skills/pdf", { body: "# PDF\n" });
  sandbox.write("project/.claude/skills/pdf/scripts/run me.py", "print(1)\n");
  sandbox.write("project/.claude/skills/pdf/logo.png", Uint8Array.from([0x89, 0xff]));
  sandbox.write("project/.claude/skills/pdf/.env", "SECRET=1");
  sandbox.skill("home/.codex/skills/Loose One", { name: "Loose One", description: "Not strictly valid." });
  sandbox.write("secret.txt", "secret");
  symlinkSync(sandbox.path("secret.txt"), sandbox.path("project/.claude/skills/pdf/leak.txt"));
  sandbox.write("elsewhere/secret.txt", "secret");
  symlinkSync(sandbox.path("elsewhere"), sandbox.path("project/.claude/skills/pdf/away"));
  symlinkSync("SKILL.md", sandbox.path("project/.claude/skills/pdf/README.md"));

  const meta = "keywords: [login]\ndescription: About";
  sandbox.write("library/_root.md", `---\n${meta} all.\n---\nBe kind.\n`);
  sandbox.write("library/ui/_index.md", `---\n${meta} screens.\n---\nUse grids.\n`);
  const assets = "assets:\n  - file: form.html\n    description: A form.\n    type: template\n";
  sandbox.write("library/ui/auth.md", `---\n${meta} login.\n${assets}---\nAsk twice.\n`);
  sandbox.write("library/ui/auth/form.html", "<form>");
}

const LIBRARY = (sandbox: Sandbox) => ({ SKILLS_DIR: sandbox.path("library") });

describe.each(ERAS)("resources, protocol %s", (era) => {
  test("every file of every skill is listed and can be read; nothing else can", async () => {
    const sandbox = createSandbox();
    fill(sandbox);
    const { client, close } = await connect(sandbox, { era, env: LIBRARY(sandbox) });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri, name, mimeType }) => [uri, name, mimeType])).toEqual([
      ["library://_root", "_root", "text/markdown"],
      ["library://ui/_index", "ui/_index", "text/markdown"],
      ["library://ui/auth", "ui/auth", "text/markdown"],
      ["library://ui/auth/form.html", "ui/auth/form.html", "text/html"],
      ["skill://claude/pdf/README.md", "pdf/README.md", "text/markdown"],
      ["skill://claude/pdf/SKILL.md", "pdf", "text/markdown"],
      ["skill://claude/pdf/logo.png", "pdf/logo.png", "image/png"],
      ["skill://claude/pdf/scripts/run%20me.py", "pdf/scripts/run me.py", "text/x-python"],
      ["skill://codex/Loose%20One/SKILL.md", "Loose One", "text/markdown"],
    ]);
    const read = async (uri: string): Promise<unknown> => {
      const { contents } = await client.readResource({ uri });
      return contents.map((content) => ("text" in content ? content.text : content.blob))[0];
    };
    for (const { uri } of resources) expect(await read(uri)).not.toBe("");
    const skill = readFileSync(sandbox.path("project/.claude/skills/pdf/SKILL.md"), "utf8");
    expect(await read("skill://claude/pdf/SKILL.md")).toBe(skill);
    expect(await read("skill://claude/pdf/scripts/run%20me.py")).toBe("print(1)\n");
    expect(await read("skill://claude/pdf/logo.png")).toBe(Buffer.from([0x89, 0xff]).toString("base64"));
    expect(await read("library://ui/auth")).toMatch(/Be kind\.[\s\S]*Use grids\.[\s\S]*Ask twice\./);
    expect(await read("library://ui/auth/form.html")).toBe("<form>");

    const below = "skill://claude/pdf";
    for (const uri of [
      `${below}/.env`,
      `${below}/leak.txt`,
      `${below}/away`,
      `${below}/away/secret.txt`,
      `${below}/scripts`,
      `${below}/../../../../secret.txt`,
      `${below}/..%2f..%2f..%2f..%2fsecret.txt`,
      `${below}/%2e%2e/%2e%2e/%2e%2e/%2e%2e/secret.txt`,
      `${below}/SKILL.md%00.png`,
      `${below}/SKILL.md/x`,
      below,
      "skill://claude/nothing/SKILL.md",
      `file://${sandbox.path("secret.txt")}`,
      "library://ui/auth/../../secret.txt",
      "library://ui/auth/nothing.html",
      "library://nothing",
      "not a URI",
    ]) {
      await expect(client.readResource({ uri }), uri).rejects.toMatchObject({ code: -32602 });
    }

    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "skill://{provider}/{name}/{+file}",
      "skill://claude-plugin/{plugin}/{name}/{+file}",
      "library://{+skill_path}",
    ]);

    await client.getPrompt({ name: "pdf" });
    await close();
    const served = await recorded(sandbox, "skill_served");
    const count = (path: string, via: string): number =>
      served.filter((event) => event.skill_path === path && event.via === via).length;
    expect([count("pdf", "resource") > 0, count("ui/auth", "resource") > 0, count("pdf", "prompt")]).toEqual([
      true,
      true,
      1,
    ]);
  });

  test("a client that asked for it learns that a file changed", async () => {
    const sandbox = createSandbox();
    const file = sandbox.skill("project/.claude/skills/pdf", { body: "one" });
    const { client } = await connect(sandbox, { era });
    const uri = "skill://claude/pdf/SKILL.md";
    const updated: string[] = [];
    let listChanges = 0;
    client.setNotificationHandler(
      "notifications/resources/updated",
      ({ params }) => void updated.push(params.uri),
    );
    client.setNotificationHandler("notifications/resources/list_changed", () => void listChanges++);
    if (era === "2026-07-28") {
      await client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true });
    } else {
      await client.subscribeResource({ uri });
      await client.subscribeResource({ uri: "skill://claude/pdf/later.txt" });
    }
    // By rename, as editors save: between the two steps of a plain write the file is empty, and the list another one.
    writeFileSync(`${file}.new`, readFileSync(file, "utf8").replace("one", "two"));
    renameSync(`${file}.new`, file);
    await waitUntil("the notice of the change", () => updated.includes(uri));
    expect(listChanges).toBe(0);
    if (era !== "2026-07-28") {
      sandbox.write("project/.claude/skills/pdf/later.txt", "here");
      await waitUntil("the notice of a file that came", () =>
        updated.includes("skill://claude/pdf/later.txt"),
      );
      await client.unsubscribeResource({ uri });
    }
    sandbox.skill("project/.claude/skills/docx");
    await waitUntil("the notice of another list", () => listChanges > 0);
  });
});

/** What was recorded on this machine, once the server has ended. */
async function recorded(
  sandbox: Sandbox,
  type: string,
): Promise<readonly { readonly skill_path?: string; readonly via?: string }[]> {
  const events = (): readonly { type: string; data: { skill_path?: string; via?: string } }[] =>
    readdirSync(sandbox.home, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".jsonl"))
      .flatMap((file) => readFileSync(sandbox.path("home", file), "utf8").trim().split("\n"))
      .map((line) => JSON.parse(line) as { type: string; data: { skill_path?: string; via?: string } });
  await waitUntil("the last of the history", () => events().some(({ data }) => data.via === "prompt"));
  return events().flatMap((event) => (event.type === type ? [event.data] : []));
}
