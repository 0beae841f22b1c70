import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { NODE } from "../support/bin.ts";
import { freePort } from "../support/free-port.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { startServer } from "../support/serve.ts";
import { waitUntil } from "../support/wait-until.ts";

const ISSUER = path.resolve(import.meta.dirname, "../../deploy/oauth/issuer.mjs");
const PASSWORD = "correct horse battery";
/** Where claude.ai is sent back to. Nobody goes there: the test is the browser. */
const CALLBACK = "https://claude.ai/api/mcp/auth_callback";

/** The issuer of docs/how-to/hosted-agents.md with a user, and a server that takes its tokens. */
async function startBoth(sandbox: Sandbox) {
  const [port, own] = [await freePort(), await freePort()];
  const issuer = `http://127.0.0.1:${port}`;
  const resource = `http://127.0.0.1:${own}/mcp`;
  const state = sandbox.path("issuer.json");
  await addUser(state, "ann", ["skills:read", "skills:run"]);
  await addUser(state, "wendy", ["skills:read", "--profile", "web"]);
  const child = spawn(NODE, [ISSUER], {
    env: { PATH: process.env["PATH"], ISSUER: issuer, RESOURCE: resource, STATE: state, PORT: String(port) },
  });
  const ended = new Promise((resolve) => {
    child.once("exit", resolve);
  });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  await waitUntil("the issuer listens", () => said.includes(resource));
  const flags = ["--auth-issuer", issuer, "--auth-audience", resource];
  const { url } = await startServer(sandbox, own, flags);
  return { issuer, resource, state, url };
}

async function addUser(state: string, name: string, more: readonly string[]): Promise<void> {
  const child = spawn(NODE, [ISSUER, "add", name, ...more], { env: { ...process.env, STATE: state } });
  child.stdin.end(`${PASSWORD}\n`);
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
}

/** An agent that knows nothing but the address of the server. */
function createAgent() {
  let client: Parameters<NonNullable<OAuthClientProvider["saveClientInformation"]>>[0] | undefined;
  let tokens: OAuthTokens | undefined;
  let verifier = "";
  let discovered: OAuthDiscoveryState | undefined;
  let asked: URL | undefined;
  const provider = {
    redirectUrl: CALLBACK,
    clientMetadata: {
      client_name: "Claude",
      redirect_uris: [CALLBACK],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => client,
    saveClientInformation(given: NonNullable<typeof client>) {
      client = given;
    },
    tokens: () => tokens,
    saveTokens(given: OAuthTokens) {
      tokens = given;
    },
    redirectToAuthorization(url: URL) {
      asked = url;
    },
    saveCodeVerifier(given: string) {
      verifier = given;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState(given: OAuthDiscoveryState) {
      discovered = given;
    },
    discoveryState: () => discovered,
    asked: () => asked,
  } satisfies OAuthClientProvider & { readonly asked: () => URL | undefined };
  return provider;
}

/** A browser without a screen: cookies, redirects and one form. Returns where the agent is sent back to. */
function createBrowser() {
  const cookies = new Map<string, string>();
  const go = async (url: URL, form?: Readonly<Record<string, string>>): Promise<Response> => {
    const answer = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  return async (start: URL, form: Readonly<Record<string, string>>) => {
    let [url, given]: [URL, Readonly<Record<string, string>> | undefined] = [start, undefined];
    const pages: string[] = [];
    for (let step = 0; step < 10; step++) {
      if (url.origin !== start.origin) return { url, pages };
      const answer = await go(url, given);
      given = undefined;
      const location = answer.headers.get("location");
      if (location !== null) url = new URL(location, url);
      else {
        pages.push(await answer.text());
        if (pages.length > 1 || !url.pathname.startsWith("/login/")) return { url, pages };
        given = form;
      }
    }
    throw new Error("The browser is sent around in circles.");
  };
}

async function connect(url: string, agent: OAuthClientProvider): Promise<Client> {
  const client = new Client({ name: "claude-ai", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { authProvider: agent }));
  onTestFinished(() => client.close());
  return client;
}

/** From nothing to a code, as a person allows it. */
async function authorize(url: string, form: Readonly<Record<string, string>>, agent = createAgent()) {
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), { authProvider: agent });
  const client = new Client({ name: "claude-ai", version: "1.0.0" });
  await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError);
  const asked = agent.asked();
  if (asked === undefined) throw new Error("The agent did not ask anybody.");
  return { agent, asked, transport, ...(await createBrowser()(asked, form)) };
}

describe("an agent that has only the address", () => {
  test("finds the issuer, registers itself, is allowed by a person, and loads skills; a refresh needs nobody", async () => {
    const sandbox = createSandbox();
    sandbox.skill("home/.kiro/skills/pdf", { body: "# Read PDF files\n" });
    const { issuer, resource, state, url } = await startBoth(sandbox);
    expect(statSync(state).mode & 0o777).toBe(0o600);
    const found = await authorize(url, { name: "ann", password: PASSWORD });
    expect(found.asked.origin).toBe(issuer);
    expect(found.asked.searchParams.get("resource")).toBe(resource);
    expect(found.asked.searchParams.get("code_challenge_method")).toBe("S256");
    expect(found.pages[0]).toContain("<b>Claude (claude.ai)</b>");
    expect(`${found.url.origin}${found.url.pathname}`).toBe(CALLBACK);
    await found.transport.finishAuth(found.url.searchParams);
    const first = found.agent.tokens();
    expect(first).toMatchObject({
      token_type: "Bearer",
      scope: expect.not.stringContaining("admin") as string,
    });
    expect(first?.refresh_token).toBeDefined();

    const client = await connect(url, found.agent);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("skill");
    const loaded = await client.callTool({ name: "skill", arguments: { name: "pdf" } });
    expect(JSON.stringify(loaded)).toContain("Read PDF files");

    // The server knows nothing of the token any more; the agent gets another one by itself.
    found.agent.saveTokens({ ...(first as OAuthTokens), access_token: "gone" });
    const again = await connect(url, found.agent);
    expect((await again.listTools()).tools.length).toBe(names.length);
    expect(found.agent.tokens()?.access_token).not.toBe("gone");
  });

  test("sees the profile of the person who allowed it", async () => {
    const sandbox = createSandbox();
    for (const name of ["web-forms", "payroll"]) sandbox.skill(`home/.kiro/skills/${name}`);
    sandbox.write("home/.skills-mcp/config.yaml", "profiles:\n  web: {include: ['web-*']}\n");
    const { url } = await startBoth(sandbox);
    const found = await authorize(url, { name: "wendy", password: PASSWORD });
    await found.transport.finishAuth(found.url.searchParams);
    const client = await connect(url, found.agent);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["web-forms"]);
  });

  test("gets nothing without the right person, and no other address gets a code", async () => {
    const sandbox = createSandbox();
    const { issuer, resource, url } = await startBoth(sandbox);
    for (const form of [
      { name: "ann", password: "wrong" },
      { name: "nobody", password: PASSWORD },
      { name: "__proto__", password: PASSWORD },
      { name: "", password: "" },
    ]) {
      const { pages, url: end } = await authorize(url, form);
      expect(end.origin).toBe(issuer);
      expect(pages[1]).toContain("Name or password is wrong");
    }
    const refused = await authorize(url, { answer: "no" });
    expect(refused.url.searchParams.get("error")).toBe("access_denied");
    for (let tries = 0; tries < 5; tries++) await authorize(url, { name: "ann", password: "wrong" });
    const late = await authorize(url, { name: "ann", password: PASSWORD });
    expect(late.pages[1]).toContain("too many attempts");

    const register = async (address: string) => {
      const body = { redirect_uris: [address], token_endpoint_auth_method: "none", response_types: ["code"] };
      const headers = { "content-type": "application/json" };
      return (await fetch(`${issuer}/reg`, { method: "POST", headers, body: JSON.stringify(body) })).json();
    };
    for (const address of [
      "https://evil.example/x",
      "https://claude.ai.evil.example/x",
      "https://claude.ai@evil.example/x",
    ])
      expect(await register(address)).toMatchObject({ error: expect.stringMatching(/^invalid_/) as string });
    const { client_id } = (await register(CALLBACK)) as { client_id: string };
    const ask = new URL(`${issuer}/auth`);
    const common = { client_id, redirect_uri: CALLBACK, response_type: "code", scope: "skills:read" };
    for (const more of [
      { resource },
      {
        resource: "https://other.example/mcp",
        code_challenge: "x".repeat(43),
        code_challenge_method: "S256",
      },
      { resource, code_challenge: "x".repeat(43), code_challenge_method: "plain" },
    ]) {
      ask.search = new URLSearchParams({ ...common, ...more } as Record<string, string>).toString();
      const answer = await fetch(ask, { redirect: "manual" });
      const back = new URL(answer.headers.get("location") ?? "", issuer);
      expect(back.searchParams.get("error") ?? (await answer.text())).toMatch(/invalid_(?:request|target)/);
    }
  });
});
