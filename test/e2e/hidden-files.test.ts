import { symlinkSync } from "node:fs";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { describe, expect, test } from "vitest";
import { IS_WINDOWS, nativePath } from "../support/bin.ts";
import { type Connection, ERAS } from "../support/client.ts";
import { connectInProcess as connect, runCommand, serveInProcess as serve } from "../support/in-process.ts";
import { page } from "../support/library.ts";
import { createSandbox, DISK_FOLDER, type Sandbox } from "../support/sandbox.ts";

const SECRET = "TOP-SECRET";
/** Hidden files, and visible links that lead to them. */
const HIDDEN = [".env", ".git/config", "sub/.secret"];
const LINKS = ["visible.txt", "linked-folder/config"];
const VISIBLE = ["notes.txt", "sub/notes.txt"];

const SKILL = "project/.claude/skills/pdf";
const LIBRARY_FILES = [...HIDDEN, ...LINKS, ...VISIBLE];
const SCRIPTS = [".hidden.sh", "sub/.hidden.sh", "linked.sh"];

/** A skill and a library skill, each with the same hidden files; the library skill even declares them. */
function fill(sandbox: Sandbox): void {
  sandbox.skill(SKILL, { body: "# PDF\n" });
  const declared = [
    `assets:\n${LIBRARY_FILES.map((file) => `  - file: ${file}`).join("\n")}`,
    `scripts:\n${[...SCRIPTS, "plain.sh"].map((file) => `  - file: ${file}\n    execution: server`).join("\n")}`,
  ];
  sandbox.write("library/team.md", page("team", "Team rules", declared.join("\n")));
  for (const folder of [SKILL, "library/team"]) {
    for (const file of HIDDEN) sandbox.write(`${folder}/${file}`, SECRET);
    for (const file of VISIBLE) sandbox.write(`${folder}/${file}`, "fine");
    link(".env", sandbox.path(folder, "visible.txt"));
    link(".git", sandbox.path(folder, "linked-folder"));
  }
  for (const file of [".hidden.sh", "sub/.hidden.sh"]) {
    sandbox.write(`library/team/${file}`, `echo ${SECRET}\n`);
  }
  sandbox.write("library/team/plain.sh", "echo fine\n");
  link(".hidden.sh", sandbox.path("library/team/linked.sh"));
}

/** Wine shows a link as what it leads to, so a file that is no link takes its place there, hidden as it is. */
function link(target: string, file: string): void {
  if (IS_WINDOWS) return;
  symlinkSync(target, file);
}

function expectNothingHidden(answer: unknown): void {
  const text = JSON.stringify(answer);
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(Buffer.from(SECRET).toString("base64"));
  for (const name of [".env", ".secret", ".git/", ...LINKS]) expect(text).not.toContain(name);
}

async function failure(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    (answer) => `it was answered: ${JSON.stringify(answer)}`,
    (error: unknown) => String(error),
  );
}

async function call({ client }: Connection, name: string, args: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: args });
  const [content] = result.content as readonly { readonly text: string }[];
  return { isError: result.isError === true, text: content?.text ?? "" };
}

describe.each(ERAS)("hidden files are not served over MCP, protocol %s", (era) => {
  const open = async (): Promise<Connection> => {
    const sandbox = createSandbox(DISK_FOLDER);
    fill(sandbox);
    return connect(sandbox, { era, env: { SKILLS_DIR: sandbox.path("library") } });
  };

  test("the skill tool and prompts show none", async () => {
    const connection = await open();
    expectNothingHidden(await call(connection, "skill", { name: "pdf" }));
    expectNothingHidden(await connection.client.getPrompt({ name: "pdf", arguments: {} }));
    expectNothingHidden(await connection.client.getPrompt({ name: "team", arguments: {} }));
    expectNothingHidden(await call(connection, "find_skills", { task: "secret env config" }));
  });

  test("read_skill_file reads none and names none", async () => {
    const connection = await open();
    for (const file of [...HIDDEN, ...LINKS]) {
      for (const path of [file, `./${file}`, `sub/../${file}`, `sub/./../${file}`]) {
        const answer = await call(connection, "read_skill_file", { skill: "pdf", path });
        expect([path, answer.isError]).toEqual([path, true]);
        expect(answer.text).not.toContain(SECRET);
      }
    }
    const { text } = await call(connection, "read_skill_file", { skill: "pdf", path: ".env" });
    expect(text).toBe("'.env' is not served: hidden files are never served.");
    expectNothingHidden(await call(connection, "read_skill_file", { skill: "pdf", path: "sub" }));
    expectNothingHidden(await call(connection, "read_skill_file", { skill: "pdf", path: "nothing" }));
    const fine = await call(connection, "read_skill_file", { skill: "pdf", path: "sub/notes.txt" });
    expect([fine.isError, fine.text.endsWith("\n\nfine")]).toEqual([false, true]);
  });

  test("resources list none, complete none and read none", async () => {
    const { client } = await open();
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    for (const file of VISIBLE) expect(uris).toContain(`skill://claude/pdf/${file}`);
    for (const file of HIDDEN) expect(uris).not.toContain(`library://team/${file}`);
    expectNothingHidden(resources.filter(({ uri }) => uri.startsWith("skill:")));

    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: "skill://{provider}/{name}/{+file}" },
      argument: { name: "file", value: "" },
      context: { arguments: { provider: "claude", name: "pdf" } },
    });
    expect(completion.values).toEqual(["SKILL.md", ...VISIBLE]);

    for (const file of [...HIDDEN, ...LINKS]) {
      for (const root of ["skill://claude/pdf", "library://team"]) {
        for (const spelling of [file, file.replaceAll(".", "%2e"), `sub/../${file}`, `./${file}`]) {
          const uri = `${root}/${spelling}`;
          expect([uri, await failure(client.readResource({ uri }))]).toEqual([
            uri,
            expect.not.stringContaining("it was answered"),
          ]);
        }
      }
    }
    const read = await client.readResource({ uri: "skill://claude/pdf/sub/notes.txt" });
    expect(JSON.stringify(read.contents)).toContain("fine");
  });

  test("the Skills extension publishes and lists none", async () => {
    const { client } = await open();
    const skills = new SkillsClient(client);
    expectNothingHidden(await skills.list());
    for (const folder of ["", "/sub"]) {
      expectNothingHidden(await skills.readDirectory(`skill://claude/pdf${folder}`));
    }
    for (const folder of ["/.git", "/linked-folder"]) {
      const answer = await failure(skills.readDirectory(`skill://claude/pdf${folder}`));
      expect(answer).not.toContain("it was answered");
    }
  });

  test("get_skill inlines none, get_asset and run_script refuse each and say why", async () => {
    const connection = await open();
    const { text } = await call(connection, "get_skill", { context: "team" });
    expect(text).not.toContain(SECRET);
    for (const file of [...HIDDEN, ...SCRIPTS.slice(0, 2)]) {
      expect(text).not.toContain(`"file":"${file}"`);
      expect(connection.log()).toContain(`${JSON.stringify(file)}, which is not served: hidden files`);
    }
    expect(text).toContain('"content":"fine"');

    for (const file of [...HIDDEN, ...LINKS, ...SCRIPTS]) {
      const answer = await call(connection, "get_asset", { skill_path: "team", file });
      expect([file, answer]).toEqual([
        file,
        { isError: true, text: expect.stringContaining("hidden files are never served") as unknown },
      ]);
    }
    for (const file of SCRIPTS) {
      const answer = await call(connection, "run_script", { skill_path: "team", file, args: {} });
      expect([file, answer]).toEqual([
        file,
        { isError: true, text: expect.stringContaining("hidden files are never served") as unknown },
      ]);
    }
    const ran = await call(connection, "run_script", { skill_path: "team", file: "plain.sh", args: {} });
    expect(ran.text).toContain('"stdout":"fine\\n"');
  });
});

describe("hidden files are not shown by the command line", () => {
  test.each([[[]], [["--json"]]])("info %j lists none of a skill", async (flags) => {
    const sandbox = createSandbox(DISK_FOLDER);
    fill(sandbox);
    const { stdout, code } = await runCommand(sandbox, ["info", "pdf", ...flags]);
    expect(code).toBe(0);
    for (const file of VISIBLE) expect(stdout).toContain(file);
    expect(stdout).not.toContain(SECRET);
    for (const name of [".env", ".secret", ".git/"]) expect(stdout).not.toContain(name);
  });

  test("info and validate say which declared files of a library are not served", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    fill(sandbox);
    for (const command of [
      ["info", "team", "--library", sandbox.path("library")],
      ["validate", sandbox.path("library")],
    ]) {
      const { stdout, stderr } = await runCommand(sandbox, command);
      const text = `${stdout}${stderr}`.replace(/\s+/g, " ");
      expect(text).not.toContain(SECRET);
      for (const file of HIDDEN) expect(text).toContain(`The asset "${file}" is not served: hidden files`);
      for (const file of LINKS) expect(text).toMatch(new RegExp(`"${file}" of "team" is a hidden file`));
    }
  });
});

test("hidden files are not served by the dashboard's API", async () => {
  const sandbox = createSandbox(DISK_FOLDER);
  fill(sandbox);
  const url = await serve(sandbox, ["--library", sandbox.path("library")]);
  const get = async (address: string) => {
    const answer = await fetch(`${url}/api/v1/${address}`);
    return { status: answer.status, text: await answer.text() };
  };
  const detail = await get("skill?name=pdf");
  expect(detail.status).toBe(200);
  expect(detail.text).toContain('"sub/notes.txt"');
  // Why the skill is not published names the link that it is about.
  for (const name of [SECRET, ".env", ".secret", ".git/"]) expect(detail.text).not.toContain(name);

  const byFile = `file=${encodeURIComponent(nativePath(sandbox.path(SKILL, "SKILL.md")))}`;
  for (const skill of ["name=pdf", byFile, "name=team"]) {
    for (const file of [...HIDDEN, ...LINKS, `sub/../${HIDDEN[0]}`]) {
      const answer = await get(`file?${skill}&path=${encodeURIComponent(file)}`);
      expect([skill, file, answer.status]).toEqual([skill, file, answer.status === 403 ? 403 : 404]);
      expect(answer.text).not.toContain(SECRET);
    }
    const fine = await get(`file?${skill}&path=sub%2Fnotes.txt`);
    expect(fine.text).toContain("fine");
  }
  for (const address of ["skills", "health", "search?q=secret", "try?task=team", "skill?name=team"]) {
    expect((await get(address)).text).not.toContain(SECRET);
  }
});
