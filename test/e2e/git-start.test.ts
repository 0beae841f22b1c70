import { describe, expect, test } from "vitest";
import { runBin } from "../support/bin.ts";
import { connectInProcess as connect } from "../support/in-process.ts";
import { createOrigin } from "../support/origin.ts";
import { createSandbox } from "../support/sandbox.ts";
import {
  ask,
  connectInProcessTo,
  createServedTeam,
  createTeam,
  textFor,
  topic,
} from "../support/team-library.ts";
import { waitUntil } from "../support/wait-until.ts";

describe("a library from git", () => {
  test("without a cache: the client is greeted while the clone hangs, and the first call waits for it", async () => {
    const { sandbox, origin, server, url } = await createTeam();
    const commit = origin.commit({ "skills/login.md": topic("login", "Ask for a passkey.") });
    let go = (): void => {};
    server.hold = new Promise((resolve) => {
      go = resolve;
    });
    const connection = await connectInProcessTo(sandbox, url);
    const { tools } = await connection.client.listTools();
    expect(tools.map(({ name }) => name)).toContain("get_skill");
    let answered = false;
    const first = textFor(connection, "login").finally(() => {
      answered = true;
    });
    await waitUntil("git asks", () => server.requests.length > 0);
    await expect.poll(connection.log).toContain(` info  git team-skills: cloning ${url} (branch main) …\n`);
    expect(answered).toBe(false);
    go();
    expect(await first).toBe("Ask for a passkey.");
    await expect.poll(connection.log).toContain(`git team-skills: at commit ${commit.slice(0, 12)}, `);
  });

  test("with a cache: everything is answered while the server hangs, and what is new comes behind it", async () => {
    const { sandbox, origin, server, url } = await createServedTeam({
      "skills/login.md": topic("login", "Old."),
    });
    origin.commit({ "skills/login.md": topic("login", "New."), "skills/cart.md": topic("cart", "Cart.") });
    let go = (): void => {};
    server.hold = new Promise((resolve) => {
      go = resolve;
    });
    const asked = server.requests.length;
    const connection = await connectInProcessTo(sandbox, url);
    expect(await textFor(connection, "login")).toBe("Old.");
    await waitUntil("git asks", () => server.requests.length > asked);
    expect(await textFor(connection, "cart")).toBe("No skill matches the given context.");
    expect(connection.announced()).toBe(0);
    go();
    await waitUntil("the new content", async () => (await textFor(connection, "login")) === "New.");
    expect(await textFor(connection, "cart")).toBe("Cart.");
    await waitUntil("the client is told", () => connection.announced() > 0);
  });

  test("without a cache and without the network: the first call says why, and it heals by itself", async () => {
    const { sandbox, origin, server, url } = await createTeam();
    origin.commit({ "login.md": topic("login", "Text.") });
    server.mode = { kind: "status", status: 500 };
    const connection = await connectInProcessTo(sandbox, url);
    const answer = await ask(connection, "get_skill", { context: "login" });
    expect(answer).toEqual({
      error: true,
      message: expect.stringMatching(
        /^The library could not be fetched since \d{4}-\S+Z\. The server of http:\S+ failed \(500\)\. There is no content yet\.$/,
      ),
    });
    server.mode = { kind: "ok" };
    await waitUntil("it is tried again", async () => (await textFor(connection, "login")) === "Text.");
    await expect.poll(connection.log).toMatch(/git team-skills: recovered; it had failed since \d{4}-/);
  });

  test("is the folder skills/ where there is one, and the whole repository where there is none", async () => {
    const sandbox = createSandbox();
    const [whole, folder] = [createOrigin(sandbox.path(), "whole"), createOrigin(sandbox.path(), "folder")];
    whole.commit({ "ui/login.md": topic("login", "Whole.") });
    folder.commit({
      "skills/login.md": topic("login", "Folder."),
      "docs/login.md": topic("login", "Not this."),
    });
    const paths = { [whole.fileUrl]: "ui/login", [folder.fileUrl]: "login" };
    for (const [url, path] of Object.entries(paths)) {
      const connection = await connect(sandbox, { era: "2026-07-28", env: { SKILLS_REPO: url } });
      expect(await ask(connection, "get_skill", { context: "login" })).toMatchObject({ skill_path: path });
      await connection.close();
    }
  });

  test("of another repository or branch has a cache of its own", async () => {
    const sandbox = createSandbox();
    const [a, b] = [createOrigin(sandbox.path("a"), "skills"), createOrigin(sandbox.path("b"), "skills")];
    a.commit({ "login.md": topic("login", "A.") });
    a.commit({ "login.md": topic("login", "A's draft.") }, { branch: "draft/v2" });
    b.commit({ "login.md": topic("login", "B.") });
    const seen: string[] = [];
    for (const [url, branch] of [
      [a.fileUrl, ""],
      [b.fileUrl, ""],
      [a.fileUrl, "draft/v2"],
      [a.fileUrl, "main"],
    ] as const) {
      const connection = await connectInProcessTo(sandbox, url, { SKILLS_BRANCH: branch });
      seen.push(await textFor(connection, "login"));
      await connection.close();
    }
    expect(seen).toEqual(["A.", "B.", "A's draft.", "A."]);
  });

  test("that is several has a corner for each in every answer", async () => {
    const sandbox = createSandbox();
    const [shop, bank] = [createOrigin(sandbox.path(), "shop.git"), createOrigin(sandbox.path(), "bank.git")];
    const commits = [
      shop.commit({
        "skills/_root.md": topic("shop", "Shop."),
        "skills/ui/login.md": topic("login", "Passkey."),
      }),
      bank.commit({ "login.md": topic("login, bank", "Two factors.") }),
    ];
    const connection = await connectInProcessTo(sandbox, ` ${shop.fileUrl}, ${bank.fileUrl} `);
    expect(await ask(connection, "get_skill", { context: "login" })).toMatchObject({
      skill_path: "shop/ui/login",
      content: expect.stringMatching(/Shop\.[^]*Passkey\./),
    });
    expect(await ask(connection, "get_skill", { context: "login bank" })).toMatchObject({
      ambiguous: true,
      candidates: [{ skill_path: "bank/login" }, { skill_path: "shop/ui/login" }],
    });
    expect(await ask(connection, "get_skill", { context: "", skill_path: "bank/login" })).toMatchObject({
      content: expect.stringContaining("Two factors."),
    });
    const { tree } = (await ask(connection, "list_skills")) as { tree: { children: { path: string }[] } };
    expect(tree.children.map(({ path }) => path)).toEqual(["bank/login", "shop/_root"]);

    const next = bank.commit({ "login.md": topic("login, bank", "Three factors.") });
    const repo = { success: true, last_sync: expect.stringMatching(/^\d{4}-.*Z$/) };
    expect(await ask(connection, "refresh_skills")).toEqual({
      success: true,
      files_changed: 1,
      skills_reindexed: 3,
      repositories: [
        { repository: "shop", ...repo, commit_hash: commits[0], files_changed: 0 },
        { repository: "bank", ...repo, commit_hash: next, files_changed: 1 },
      ],
    });
    bank.git("update-ref", "-d", "refs/heads/main");
    expect(await ask(connection, "refresh_skills")).toMatchObject({
      success: false,
      message: "Not up to date: bank.",
      repositories: [
        { success: true },
        { success: false, commit_hash: next, message: expect.stringContaining("'main'") },
      ],
    });
  });
});

describe("a wrong address or branch", () => {
  test.each([
    [{ SKILLS_REPO: "--upload-pack=touch /shop/x" }, "SKILLS_REPO"],
    [{ SKILLS_REPO: "https://ann:secret@example.com/skills.git" }, "SKILLS_REPO"],
    [{ SKILLS_REPO: "," }, "SKILLS_REPO"],
    [{ SKILLS_REPO: "file:///shop/skills", SKILLS_BRANCH: "--force" }, "SKILLS_BRANCH"],
  ])("%j is one line and exit 2 over HTTP, and one line on stdio", (env, variable) => {
    const overHttp = runBin(createSandbox(), ["mcp", "--transport", "http"], { env });
    expect(overHttp).toMatchObject({ code: 2, stdout: "" });
    expect(overHttp.stderr).toMatch(new RegExp(`^skills-mcp: ${variable} (?:contains|is|has) .*\\.\\n$`));
    const onStdio = runBin(createSandbox(), ["mcp"], { env });
    expect(onStdio).toMatchObject({ code: 0, stdout: "" });
    expect(onStdio.stderr).toMatch(
      new RegExp(` error SKILLS_REPO: ${variable} (?:contains|is|has) .*\\.\\n`),
    );
    expect(overHttp.stderr + onStdio.stderr).not.toContain("secret");
  });
});
