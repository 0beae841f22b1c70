import { expect, test } from "vitest";
import { connectHttp, WAYS } from "../support/connect-http.ts";
import { INITIALIZE, openSession, post } from "../support/http-requests.ts";
import { runCommand, serveInProcess as serve } from "../support/in-process.ts";
import { startIssuer } from "../support/issuer.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const CONFIG = "home/.skills-mcp/config.yaml";
const PROFILES = "profiles:\n  web: {include: ['web-*']}\n  data: {include: ['data-*'], tools: [loader]}\n";
const TOKENS = {
  web: "0123456789abcdef-web",
  data: "0123456789abcdef-data",
  all: "0123456789abcdef-all",
};

function withTeams(): Sandbox {
  const sandbox = createSandbox();
  for (const name of ["web-forms", "web-colours", "data-lake", "payroll"])
    sandbox.skill(`home/.kiro/skills/${name}`, { description: `About ${name}.` });
  sandbox.write(CONFIG, PROFILES);
  sandbox.write(
    "tokens",
    `wendy:${TOKENS.web}:read:web\ndan:${TOKENS.data}::data\nroot:${TOKENS.all}:skills:read,skills:admin\n`,
  );
  return sandbox;
}

const get = (url: string, token: string) =>
  fetch(url, { headers: { authorization: `Bearer ${token}` } }).then((answer) => answer.text());

test.each(WAYS)("a path, and a token, decide what a client is served, %s", async (way) => {
  const sandbox = withTeams();
  const open = await serve(sandbox);
  const { client } = await connectHttp(open, way, { path: way === "sse" ? "/sse/web" : "/mcp/web" });
  const listed = JSON.stringify([
    await client.listTools(),
    await client.listPrompts(),
    await client.listResources(),
  ]);
  expect(listed).toContain("web-forms");
  expect(listed).not.toMatch(/data-lake|payroll/);
  const loaded = await client.callTool({ name: "skill", arguments: { name: "payroll" } });
  expect(loaded.isError).toBe(true);

  const guarded = await serve(sandbox, ["--token-file", sandbox.path("tokens")]);
  const dan = await connectHttp(guarded, way, { token: TOKENS.data, path: way === "sse" ? "/sse" : "/mcp" });
  const told = JSON.stringify([await dan.client.listTools(), await dan.client.listPrompts()]);
  expect(told).toContain("data-lake");
  expect(told).not.toMatch(/web-forms|payroll|find_skills/);
});

test("a token's profile holds for every path, and what nobody has is refused", async () => {
  const sandbox = withTeams();
  const url = await serve(sandbox, ["--token-file", sandbox.path("tokens")]);
  const asked = async (path: string, token: string) => {
    const answer = await post(`${url}${path}`, INITIALIZE, { authorization: `Bearer ${token}` });
    return `${answer.status} ${await answer.text()}`;
  };
  expect(await asked("/mcp/web", TOKENS.web)).toMatch(/^200 /);
  for (const path of ["/mcp/data", "/mcp/nothing"])
    expect(await asked(path, TOKENS.web)).toContain(
      "Your token is for the profile 'web', so only that one is served to you.",
    );
  expect(await asked("/mcp/wbe", TOKENS.all)).toContain("There is no profile 'wbe'. Did you mean 'web'?");
  expect(await asked("/mcp/web", TOKENS.all)).toMatch(/^200 .*web-forms/s);
});

test("the dashboard's API, the indexes for installers and counts are those of the caller's profile", async () => {
  const sandbox = withTeams();
  const url = await serve(sandbox, ["--token-file", sandbox.path("tokens")]);
  const paths = [
    ...["skills", "health", "search?q=payroll", "try?task=payroll", "description", "findings", "usage"].map(
      (name) => `/api/v1/${name}`,
    ),
    "/.well-known/agent-skills/index.json",
    "/.well-known/skills/index.json",
  ];
  for (const path of paths) {
    const seen = await get(`${url}${path}`, TOKENS.web);
    expect(seen.replaceAll(/"(?:task|query)":"[^"]*"/g, ""), path).not.toMatch(/data-lake|payroll/);
  }
  expect(await get(`${url}/api/v1/skill?name=payroll`, TOKENS.web)).toContain("not found");
  expect(await get(`${url}/api/v1/skills`, TOKENS.web)).toContain("web-forms");
  expect(await get(`${url}/api/v1/skills`, TOKENS.all)).toContain("payroll");
  expect(await get(`${url}/api/v1/session`, TOKENS.web)).not.toContain("leftOut");
  // Nor do they learn which profiles there are.
  expect(await get(`${url}/api/v1/audiences`, TOKENS.web)).toContain('"profiles":[]');
  expect(await get(`${url}/api/v1/audiences`, TOKENS.all)).toContain('"name":"data"');
  for (const name of ["model?profile=dta", "try?task=x&profile=dta"])
    expect(await get(`${url}/api/v1/${name}`, TOKENS.web)).toMatch(/There is no profile(?!.*'data')/);
  expect(JSON.parse(await (await fetch(`${url}/readyz`)).text())).toEqual({ ready: true });
  expect(await get(`${url}/readyz`, TOKENS.all)).toContain('"skills":4');
});

test("an administrator's profile is shown to them with what it leaves out, and --profile holds for everyone", async () => {
  const sandbox = withTeams();
  sandbox.write("tokens", `ann:${TOKENS.all}:admin:web\n`);
  const url = await serve(sandbox, ["--token-file", sandbox.path("tokens")]);
  expect(JSON.parse(await get(`${url}/api/v1/session`, TOKENS.all))).toMatchObject({
    inForce: { profiles: ["web"], leftOut: 2 },
  });
  const bound = await serve(sandbox, ["--profile", "data"]);
  const { client } = await connectHttp(bound, "2026-07-28", { path: "/mcp/web" });
  expect((await client.listPrompts()).prompts).toEqual([]);
  const all = await connectHttp(bound, "2026-07-28");
  expect((await all.client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["data-lake"]);
});

test("a claim of an OAuth token names the profile, and --default-profile is for tokens without one", async () => {
  const sandbox = withTeams();
  const issuer = await startIssuer();
  const flags = ["--auth-issuer", issuer.url, "--auth-audience", "skills", "--default-profile", "data"];
  const url = await serve(sandbox, [...flags, "--auth-profile-claim", "team"]);
  const scope = "skills:read";
  const names = async (more: Readonly<Record<string, unknown>>) => {
    const token = await issuer.sign({ scope, more });
    const { client } = await connectHttp(url, "2025-11-25", { token });
    return (await client.listPrompts()).prompts.map(({ name }) => name);
  };
  expect(await names({ team: "web" })).toEqual(["web-colours", "web-forms"]);
  expect(await names({ team: ["web"] })).toEqual(["web-colours", "web-forms"]);
  expect(await names({})).toEqual(["data-lake"]);
  const refused = async (more: Readonly<Record<string, unknown>>) => {
    const answer = await post(`${url}/mcp`, INITIALIZE, {
      authorization: `Bearer ${await issuer.sign({ scope, more })}`,
    });
    return `${answer.status} ${await answer.text()}`;
  };
  expect(await refused({ team: ["web", "data"] })).toMatch(/^401 .*'team' is not the name of one profile/s);
  expect(await refused({ team: "gone" })).toMatch(/^403 .*which this server does not have/s);
});

test("a session stays in its profile, and changed profiles hold for it at once", async () => {
  const sandbox = withTeams();
  const url = await serve(sandbox);
  const session = await openSession(url, {}, "/mcp/web");
  const list = { jsonrpc: "2.0", id: 2, method: "prompts/list" };
  const listed = async (path: string) =>
    (await post(`${url}${path}`, list, { "mcp-session-id": session })).text();
  expect(await listed("/mcp/web")).toContain("web-forms");
  for (const path of ["/mcp", "/mcp/data"]) expect(await listed(path)).toContain("Session not found");
  const { client, announced } = await connectHttp(url, "2025-11-25", { path: "/mcp/web" });
  const other = await connectHttp(url, "2025-11-25", { path: "/mcp/data" });
  sandbox.write(CONFIG, PROFILES.replace("web-*", "web-f*"));
  await waitUntil("the session is told", () => announced() > 0);
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["web-forms"]);
  expect(await listed("/mcp/web")).not.toContain("web-colours");
  expect(other.announced()).toBe(0);
});

test("wrong names are refused at the start, with what was meant", async () => {
  const sandbox = withTeams();
  const start = async (...flags: string[]) =>
    (await runCommand(sandbox, ["serve", "--port", "1", ...flags])).stderr;
  sandbox.write("tokens", `wendy:${TOKENS.web}:read:wbe\n`);
  expect(await start("--token-file", sandbox.path("tokens"))).toContain(
    "'wendy': There is no profile 'wbe'. Did you mean 'web'?",
  );
  sandbox.write("tokens", `wendy:${TOKENS.web}:reed:web\n`);
  expect(await start("--token-file", sandbox.path("tokens"))).toContain("unknown scope 'skills:reed'");
  expect(await start("--default-profile", "web")).toContain("--default-profile is for callers with tokens");
  expect(await start("--profile", "wbe")).toContain("There is no profile 'wbe'");
});

test("--public-index: installers without a token get the skills of that profile, and nothing else of the server", async () => {
  const sandbox = withTeams();
  const flags = ["--token-file", sandbox.path("tokens"), "--public-index", "web"];
  const url = await serve(sandbox, flags);
  const asked = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(`${url}${path}`, { headers });
    return { status: answer.status, text: await answer.text() };
  };
  const [index, old] = ["/.well-known/agent-skills/index.json", "/.well-known/skills/index.json"];
  for (const path of [index, old]) {
    const { status, text } = await asked(path);
    expect([status, text.match(/"name":"[\w-]+"/g)]).toEqual([
      200,
      ['"name":"web-colours"', '"name":"web-forms"'],
    ]);
    // Somebody with a token sees what it is for, and a wrong one is an error, not nobody.
    expect((await asked(path, { authorization: `Bearer ${TOKENS.data}` })).text).toContain("data-lake");
    expect((await asked(path, { authorization: `Bearer ${TOKENS.all}` })).text).toContain("payroll");
    expect((await asked(path, { authorization: "Bearer wrong" })).status).toBe(401);
  }
  expect((await asked("/.well-known/agent-skills/web-forms/SKILL.md")).status).toBe(200);
  expect((await asked("/.well-known/skills/web-forms/SKILL.md")).status).toBe(200);
  for (const name of ["payroll", "data-lake", "claude:payroll", "..%2fpayroll", "nothing"]) {
    expect((await asked(`/.well-known/agent-skills/${name}/SKILL.md`)).status).toBe(404);
    expect((await asked(`/.well-known/agent-skills/${name}.tar.gz`)).status).toBe(404);
    expect((await asked(`/.well-known/skills/${name}/SKILL.md`)).status).toBe(404);
  }
  for (const path of ["/mcp", "/mcp/web", "/sse/web", "/metrics", "/api/v1/skills", "/api/v1/session"])
    expect([path, (await asked(path)).status]).toEqual([path, 401]);
  expect((await post(`${url}/mcp/web`, INITIALIZE)).status).toBe(401);

  // A profile that is taken away leaves nothing public.
  sandbox.write(CONFIG, "profiles:\n  data: {include: ['data-*']}\n");
  await waitUntil("the index asks for a token", async () => (await asked(index)).status === 401);
});

test("--public-index: a profile that does not exist is refused at the start, and without tokens it holds for everyone", async () => {
  const sandbox = withTeams();
  const refused = await runCommand(sandbox, ["serve", "--port", "0", "--public-index", "wbe"]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("'wbe'") as string });
  const url = await serve(sandbox, ["--public-index", "web"]);
  const index = await (await fetch(`${url}/.well-known/agent-skills/index.json`)).text();
  expect(index).toContain("web-forms");
  expect(index).not.toMatch(/payroll|data-lake/);
});
