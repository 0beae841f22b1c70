import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { commandLines, HAS_PROC } from "../../../test/support/git-processes.ts";
import { startGitServer } from "../../../test/support/git-server.ts";
import { createOrigin } from "../../../test/support/origin.ts";
import { createSandbox } from "../../../test/support/sandbox.ts";
import { basicCredential } from "../src/git/redact.ts";
import { contentOf, openSource } from "./open-source.ts";

const TOKEN = "canary-5f1d2c9b7e";
const FORMS = [TOKEN, basicCredential(TOKEN), Buffer.from(TOKEN).toString("base64").replace(/=+$/, "")];
const holdsToken = (text: string) => FORMS.some((form) => text.includes(form));

/** Every file below a folder that holds the token. */
function filesWithToken(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => holdsToken(file) || holdsToken(readFileSync(file, "latin1")));
}

test("http does not leave this machine: a redirect is not followed, without a token neither", async () => {
  const sandbox = createSandbox();
  createOrigin(sandbox.path()).commit({ "a.md": "one" });
  const [from, to] = [await startGitServer(sandbox.path()), await startGitServer(sandbox.path())];
  from.mode = { kind: "redirect", to: to.origin };
  // The operator's own settings may not open what we closed.
  sandbox.write("home/.gitconfig", `[http]\n\tfollowRedirects = true\n`);
  const source = openSource(sandbox, from.url("team-skills.git"));
  expect(await source.refresh()).toMatchObject({
    success: false,
    message: expect.stringContaining("which is not followed; put the new address in SKILLS_REPO") as unknown,
  });
  expect(to.requests).toEqual([]);
});

describe("the token", () => {
  test.skipIf(!HAS_PROC)("opens a private repository and is seen nowhere", async () => {
    const sandbox = createSandbox();
    const temporary = sandbox.path("tmp");
    sandbox.write("tmp/empty", "");
    const origin = createOrigin(sandbox.path());
    const server = await startGitServer(sandbox.path());
    server.mode = { kind: "auth", token: TOKEN };
    const commit = origin.commit({ "a.md": "private" });
    const seen: string[] = [];
    server.onRequest = () => seen.push(...commandLines().filter((line) => line.includes(server.origin)));
    const trace = sandbox.path("home", "trace");
    const environment = {
      PATH: process.env["PATH"],
      HOME: sandbox.home,
      TMPDIR: temporary,
      GITHUB_TOKEN: TOKEN,
      GIT_TRACE: trace,
      GIT_TRACE_CURL: trace,
      GIT_TRACE_REDACT: "0",
      GIT_CURL_VERBOSE: "1",
    };
    sandbox.write("home/.gitconfig", `[trace2]\n\tnormalTarget = ${trace}\n\tconfigParams = *\n`);
    const source = openSource(sandbox, server.url("team-skills.git"), { token: TOKEN, environment });
    const said: unknown[] = [await source.refresh(), source.state()];
    expect(source.state()).toMatchObject({ commit, failure: undefined });
    expect(await contentOf(source)).toEqual({ "a.md": "private" });

    for (const status of [401, 403, 404, 500]) {
      server.mode = { kind: "status", status };
      said.push(await source.refresh(), source.state());
      expect(source.state().failure).toBeDefined();
    }
    server.mode = { kind: "auth", token: "another" };
    said.push(await source.refresh(), source.state());
    expect(source.state().failure).toMatchObject({ code: "denied" });

    expect(server.requests.every(({ authorization }) => authorization?.endsWith(FORMS[1] ?? "-"))).toBe(true);
    expect(seen.some((line) => line.includes("fetch"))).toBe(true);
    expect(seen.filter(holdsToken)).toEqual([]);
    expect(filesWithToken(sandbox.path())).toEqual([]);
    expect(holdsToken(JSON.stringify([said, source.logged]))).toBe(false);
  });

  test("token: it is not sent to another host after a redirect", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    origin.commit({ "a.md": "one" });
    const [from, to] = [await startGitServer(sandbox.path()), await startGitServer(sandbox.path())];
    from.mode = { kind: "redirect", to: to.origin };
    const source = openSource(sandbox, from.url("team-skills.git"), { token: TOKEN });
    expect(await source.refresh()).toMatchObject({
      success: false,
      message: expect.stringContaining("redirects to another address"),
    });
    expect(source.state().failure).toMatchObject({ code: "moved" });
    expect(to.requests).toEqual([]);
  });

  test("that is refused is named, and one that is missing is asked for", async () => {
    const sandbox = createSandbox();
    createOrigin(sandbox.path()).commit({ "a.md": "one" });
    const server = await startGitServer(sandbox.path());
    server.mode = { kind: "auth", token: "another" };
    const url = server.url("team-skills.git");
    expect(await openSource(sandbox, url, { token: TOKEN }).refresh()).toMatchObject({
      message: expect.stringMatching(/ rejected the token in GITHUB_TOKEN \(401\); /) as unknown,
    });
    expect(await openSource(sandbox, url).refresh()).toMatchObject({
      message: expect.stringContaining("requires a login; set GITHUB_TOKEN") as unknown,
    });
  });

  test("is not needed where the machine's own credential helper knows a login", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    origin.commit({ "a.md": "one" });
    const server = await startGitServer(sandbox.path());
    server.mode = { kind: "auth", token: TOKEN };
    const helper = `!f() { echo username=x-access-token; echo password=${TOKEN}; }; f`;
    sandbox.write("home/.gitconfig", `[credential]\n\thelper = "${helper}"\n`);
    const source = openSource(sandbox, server.url("team-skills.git"));
    expect(await source.refresh()).toMatchObject({ success: true });
    const withWrongToken = openSource(sandbox, server.url("team-skills.git"), { token: "wrong" });
    expect(await withWrongToken.refresh()).toMatchObject({ success: false });
    expect(withWrongToken.state().failure).toMatchObject({ code: "denied" });
  });
});
