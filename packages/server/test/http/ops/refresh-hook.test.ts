import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { post } from "../../../../../test/support/http-requests.ts";
import { createSandbox, type Sandbox } from "../../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../../test/support/wait-until.ts";
import type { RefreshHook } from "../../../src/http/ops/refresh-hook.ts";
import { openHttp } from "../../open-http.ts";

const SECRET = "a secret of the shop";
const BODY = JSON.stringify({ ref: "refs/heads/main" });
const signature = (body: string, secret = SECRET): string =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

function openHook(sandbox: Sandbox, hook: Partial<RefreshHook> = {}, isGuarded = false) {
  const refreshHook = {
    secret: SECRET,
    repositories: () => ["team-skills"],
    refresh: async () => {},
    ...hook,
  };
  const tokenFile = sandbox.write("tokens", "ann:0123456789abcdef0123456789abcdef\n");
  return openHttp(sandbox, {
    http: { refreshHook },
    ...(isGuarded ? { auth: { tokenFile, oauth: undefined } } : {}),
  });
}

describe("POST /hooks/refresh", () => {
  test.each([
    ["GitHub, Gitea and Forgejo", { "x-hub-signature-256": signature(BODY) }, 202],
    ["Bitbucket", { "x-hub-signature": signature(BODY) }, 202],
    ["GitLab", { "x-gitlab-token": SECRET }, 202],
    ["another secret", { "x-hub-signature-256": signature(BODY, "another") }, 401],
    ["another body", { "x-hub-signature-256": signature(`${BODY} `) }, 401],
    ["a signature that is none", { "x-hub-signature-256": "sha256=zz" }, 401],
    ["SHA-1 alone", { "x-hub-signature": `sha1=${"0".repeat(40)}` }, 401],
    ["a wrong signature beside a right token", { "x-hub-signature-256": "x", "x-gitlab-token": SECRET }, 401],
    ["another token", { "x-gitlab-token": `${SECRET}x` }, 401],
    ["nothing", {}, 401],
  ])("of %s", async (_sender, headers, status) => {
    let refreshes = 0;
    const { url } = await openHook(createSandbox(), { refresh: async () => void refreshes++ });
    const answer = await post(`${url}/hooks/refresh`, BODY, headers);
    expect(answer.status).toBe(status);
    expect(refreshes).toBe(status === 202 ? 1 : 0);
    expect(await answer.json()).toEqual(
      status === 202 ? { refreshing: ["team-skills"] } : { error: expect.stringContaining("signature") },
    );
  });

  test("needs no token where all other requests do", async () => {
    const { url } = await openHook(createSandbox(), {}, true);
    const headers = { "x-hub-signature-256": signature(BODY) };
    expect((await post(`${url}/hooks/refresh`, BODY, headers)).status).toBe(202);
    expect((await post(`${url}/hooks/refresh`, BODY)).status).toBe(401);
    expect((await post(`${url}/mcp`, BODY, headers)).status).toBe(401);
  });

  test("is not there without a secret, and takes nothing but POST", async () => {
    const { url } = await openHttp(createSandbox());
    expect((await post(`${url}/hooks/refresh`, BODY)).status).toBe(404);
    const hooked = await openHook(createSandbox());
    expect((await fetch(`${hooked.url}/hooks/refresh`)).status).toBe(405);
  });

  test("makes of many pushes one fetch at a time and one more", async () => {
    let running = 0;
    let most = 0;
    let refreshes = 0;
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const refresh = async (): Promise<void> => {
      refreshes++;
      most = Math.max(most, ++running);
      await gate;
      running--;
    };
    const { url } = await openHook(createSandbox(), { refresh });
    const headers = { "x-gitlab-token": SECRET };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(`${url}/hooks/refresh`, BODY, headers)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 202));
    go();
    await waitUntil("the second fetch", () => refreshes === 2 && running === 0);
    expect(most).toBe(1);
  });

  test("refuses a body over 25 MiB, and logs wrong signatures once", async () => {
    const { url, log } = await openHook(createSandbox());
    const headers = { "content-length": String(26 * 1024 * 1024) };
    const big = await fetch(`${url}/hooks/refresh`, {
      method: "POST",
      body: "x".repeat(26 * 1024 * 1024),
      headers,
    }).catch(() => undefined);
    // A client that is still sending may see the end of the connection instead of the answer.
    expect(big === undefined || big.status === 413).toBe(true);
    for (let count = 0; count < 3; count++) await post(`${url}/hooks/refresh`, BODY);
    expect(log().match(/rejected a request/g)).toHaveLength(1);
  });
});
