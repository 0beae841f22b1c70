import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { describedSkills, loadSkill, namesIn } from "../support/client.ts";
import { serveInProcess as serve } from "../support/in-process.ts";
import { page } from "../support/library.ts";
import { skillText } from "../support/sandbox.ts";
import { connectInProcessTo, createLocalTeam, createTeam, runBeside } from "../support/team-library.ts";
import { waitUntil } from "../support/wait-until.ts";

const MARKETPLACE = JSON.stringify({
  name: "shop",
  plugins: [{ name: "documents", source: "./", skills: ["./skills/pdf"] }],
});
const filesOf = (text: string): Readonly<Record<string, string>> => ({
  "README.md": "# Ours\n",
  ".claude-plugin/marketplace.json": MARKETPLACE,
  "skills/pdf/SKILL.md": skillText("pdf", "Reads PDF files", `${text}\n`),
  "skills/pdf/reference.md": `Reference of ${text}\n`,
  "skills/review/SKILL.md": skillText("review", "Reviews a change", `${text}\n`),
  "skills/incident.md": page("incident", "What to do first"),
});

describe("a repository of skills, plugins and a library", () => {
  test("is served from the first call on, follows a push at once, and needs no network to start", async () => {
    const { sandbox, origin, server, url } = await createTeam();
    const first = origin.commit(filesOf("One"));
    const connection = await connectInProcessTo(sandbox, url);
    // The clone is under way, and the call waits for it.
    const loaded = await loadSkill(connection, "pdf");
    expect(loaded.text).toMatch(
      /^Loading: documents:pdf\nBase directory: .*\nLocation: repo\nProvider: git\nPlugin: documents@shop\nFiles:\n- reference\.md/,
    );
    expect(loaded.text).toContain("One");
    expect(namesIn(await describedSkills(connection))).toEqual(["documents:pdf", "review"]);
    const { tools } = await connection.client.listTools();
    expect(tools.map(({ name }) => name)).toContain("get_skill");
    const found = await connection.client.callTool({
      name: "skill",
      arguments: { name: "git:review" },
    });
    expect(found.isError).not.toBe(true);

    const second = origin.commit(filesOf("Two"), { orphan: true });
    const refreshed = await runBeside(sandbox, ["refresh"], { SKILLS_REPO: url });
    expect(refreshed).toMatchObject({ code: 0 });
    expect(refreshed.stdout).toBe(`updated    team-skills: commit ${second.slice(0, 12)}, 3 files changed\n`);
    await waitUntil("the server noticed", async () =>
      (await loadSkill(connection, "pdf")).text.includes("Two"),
    );
    await connection.close();

    server.mode = { kind: "reset" };
    const offline = await connectInProcessTo(sandbox, url);
    expect((await loadSkill(offline, "review")).text).toContain("Two");
    expect(offline.log()).not.toContain("skipped");
    const pinned = await runBeside(sandbox, ["refresh", "--json"], { SKILLS_REPO: `${url}#${first}` });
    expect(pinned.code).toBe(1);
    server.mode = { kind: "ok" };
    const info = await runBeside(sandbox, ["info", "pdf", "--json"], { SKILLS_REPO: `${url}#${first}` });
    expect(JSON.parse(info.stdout)).toMatchObject({
      name: "documents:pdf",
      repository: { url, path: "skills/pdf", commit: first },
    });
    const listed = await runBeside(sandbox, ["list", "--json", "--include", "git"], { SKILLS_REPO: url });
    expect(JSON.parse(listed.stdout)).toMatchObject({
      skills: [
        { name: "documents:pdf", location: "repo", provider: "git", repository: { commit: second } },
        { name: "review", location: "repo", provider: "git", repository: { path: "skills/review" } },
      ],
      diagnostics: [],
    });
  });

  test("is named in the operator's file or in the project's, which brings skills alone", async () => {
    const { sandbox, origin, url } = await createTeam();
    origin.commit(filesOf("One"));
    const list = async () => {
      const { stdout } = await runBeside(sandbox, ["list", "--json"]);
      return (JSON.parse(stdout) as { skills: readonly { name: string }[] }).skills.map(({ name }) => name);
    };
    sandbox.write("home/.skills-mcp/config.yaml", `repos:\n  - ${url}\n`);
    expect((await runBeside(sandbox, ["refresh"])).stdout).toContain("updated    team-skills: commit ");
    expect(await list()).toEqual(["documents:pdf", "review", "incident"]);
    sandbox.write("home/.skills-mcp/config.yaml", "");
    sandbox.write("project/.skills-mcp.yaml", `repos:\n  - ${url}\n`);
    expect(await list()).toEqual(["documents:pdf", "review"]);
  });

  test("on a team's server is fetched by a webhook and by refresh --url", async () => {
    const { sandbox, origin, url: repo } = createLocalTeam();
    origin.commit(filesOf("One"));
    const [secret, token] = ["a secret of the shop", "0123456789abcdef0123456789abcdef"];
    const tokenFile = sandbox.write("tokens", `ann:${token}:skills:read,skills:admin\n`);
    const url = await serve(sandbox, ["--token-file", tokenFile], {
      SKILLS_REPO: repo,
      SKILLS_WEBHOOK_SECRET: secret,
    });
    const commitServed = async (): Promise<unknown> => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${url}/api/v1/skill?name=review`, { headers });
      const { repository } = (await answer.json()) as { repository?: { commit: string } };
      return repository?.commit;
    };
    await waitUntil("the first content", async () => (await commitServed()) !== undefined);

    const second = origin.commit(filesOf("Two"));
    const body = JSON.stringify({ ref: "refs/heads/main" });
    const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    const hook = { method: "POST", body, headers: { "x-hub-signature-256": signature } };
    expect((await fetch(`${url}/hooks/refresh`, hook)).status).toBe(202);
    await waitUntil("the push is served", async () => (await commitServed()) === second);

    const third = origin.commit(filesOf("Three"));
    const refused = await runBeside(sandbox, ["refresh", "--url", url], {});
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toBe(
      `skills-mcp: ${url} wants a token (401). Pass one with the scope skills:admin as --token.\n`,
    );
    const asked = await runBeside(sandbox, ["refresh", "--url", url, "--json"], { SKILLS_MCP_TOKEN: token });
    expect(JSON.parse(asked.stdout)).toMatchObject({ success: true, repositories: [{ commit_hash: third }] });
    expect(await commitServed()).toBe(third);
  });
});
