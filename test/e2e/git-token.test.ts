import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { commandLines, HAS_PROC } from "../support/git-processes.ts";
import { DISK_FOLDER } from "../support/sandbox.ts";
import {
  ask,
  connectInProcessTo,
  connectTo,
  createTeam,
  runBeside,
  textFor,
  topic,
} from "../support/team-library.ts";

const TOKEN = "canary-91c4e07d5b";
/** As it is, as git sends it, and as any other text that holds it in base64 may begin. */
const FORMS = [TOKEN, basic(`x-access-token:${TOKEN}`), basic(TOKEN)];
const holdsToken = (text: string): boolean => FORMS.some((form) => text.includes(form));

function basic(text: string): string {
  return Buffer.from(text).toString("base64").replace(/=+$/, "");
}

function filesWithToken(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => holdsToken(file) || holdsToken(readFileSync(file, "latin1")));
}

describe("GITHUB_TOKEN", () => {
  test.skipIf(!HAS_PROC)("opens a private repository and is found nowhere", async () => {
    const { sandbox, origin, server, url } = await createTeam(DISK_FOLDER);
    sandbox.write("tmp/empty", "");
    const seen: string[] = [];
    server.onRequest = () => seen.push(...commandLines());
    const env = {
      GITHUB_TOKEN: TOKEN,
      TMPDIR: sandbox.path("tmp"),
      GIT_TRACE: sandbox.path("home", "trace"),
      GIT_TRACE_CURL: sandbox.path("home", "trace"),
      GIT_TRACE_REDACT: "0",
    };
    const script = "scripts:\n  - {file: env.sh, description: Shows its environment, execution: server}\n";
    const commit = origin.commit({
      "a.md": topic("login", "Private.", script),
      "a/env.sh": "env\n",
    });
    server.mode = { kind: "auth", token: TOKEN };
    const connection = await connectTo(sandbox, url, env);
    expect(await textFor(connection, "login")).toBe("Private.");
    const said: unknown[] = [await ask(connection, "refresh_skills")];
    expect(said).toMatchObject([{ success: true, commit_hash: commit }]);

    said.push(await ask(connection, "run_script", { skill_path: "a", file: "env.sh", args: {} }));
    for (const mode of [
      { kind: "auth", token: "another" },
      { kind: "status", status: 403 },
      { kind: "status", status: 500 },
    ] as const) {
      server.mode = mode;
      const answer = await ask(connection, "refresh_skills");
      expect(answer).toMatchObject({ success: false, commit_hash: commit });
      said.push(answer);
    }
    expect(await textFor(connection, "login")).toBe("Private.");
    for (const command of ["doctor", "config", "stats"]) {
      said.push(await runBeside(sandbox, [command, "--json"], { ...env, SKILLS_REPO: url }));
    }
    await connection.close();

    const sent = server.requests.map(({ authorization }) => authorization ?? "");
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.every((header) => header.includes(FORMS[1] ?? "-"))).toBe(true);
    expect(seen.some((line) => line.includes("fetch") && line.includes(server.origin))).toBe(true);
    expect(seen.filter(holdsToken)).toEqual([]);
    expect(JSON.stringify(said).split("\n").filter(holdsToken)).toEqual([]);
    expect(connection.log().split("\n").filter(holdsToken)).toEqual([]);
    expect(filesWithToken(sandbox.path())).toEqual([]);
  });

  test("may have white space around it, as a file that was read into it has", async () => {
    const { sandbox, origin, server, url } = await createTeam();
    origin.commit({ "a.md": topic("login", "Private.") });
    server.mode = { kind: "auth", token: TOKEN };
    const connection = await connectInProcessTo(sandbox, url, { GITHUB_TOKEN: ` ${TOKEN}\n` });
    expect(await textFor(connection, "login")).toBe("Private.");
    server.mode = { kind: "auth", token: "another" };
    expect(await ask(connection, "refresh_skills")).toMatchObject({
      message: expect.stringContaining("rejected the token in GITHUB_TOKEN") as unknown,
    });
  });

  test("that is missing is asked for by name", async () => {
    const { sandbox, origin, server, url } = await createTeam();
    origin.commit({ "a.md": topic("login", "Private.") });
    server.mode = { kind: "auth", token: TOKEN };
    const connection = await connectInProcessTo(sandbox, url);
    expect(await textFor(connection, "login")).toMatch(
      / requires a login; set GITHUB_TOKEN .* There is no content yet\.$/,
    );
  });
});
