import { rmSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../../../../test/support/sandbox.ts";
import { createDashboardFiles } from "../../../src/http/api/dashboard-files.ts";

async function someFiles() {
  const sandbox = createSandbox();
  sandbox.write("web/index.html", "<p>page");
  sandbox.write("web/main-AB.js", "script");
  sandbox.write("web/main-AB.js.gz", gzipSync("script"));
  sandbox.write("web/notes.txt", "not ours");
  sandbox.write("secret.js", "secret");
  return createDashboardFiles(sandbox.path("web"));
}

describe("the files of the dashboard", () => {
  test("are the page at / and what belongs to it", async () => {
    const files = await someFiles();
    const page = files.answer("/", {});
    expect(String(page.body)).toBe("<p>page");
    expect(page.headers).toMatchObject({
      "cache-control": "no-cache",
      "content-type": "text/html; charset=utf-8",
    });
    const policy = page.headers["content-security-policy"] ?? "";
    for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  test("with a name of their own may be kept for ever, and come as small as the client understands", async () => {
    const files = await someFiles();
    const small = files.answer("/main-AB.js", { "accept-encoding": "deflate, gzip, br" });
    expect(small.headers).toMatchObject({
      "content-encoding": "gzip",
      "cache-control": "public, max-age=31536000, immutable",
    });
    expect(gunzipSync(Buffer.from(small.body as Uint8Array)).toString()).toBe("script");
    const plain = files.answer("/main-AB.js", { "accept-encoding": "identity" });
    expect([plain.headers["content-encoding"], String(plain.body)]).toEqual([undefined, "script"]);
  });

  test("are those of the start after an upgrade, so that the page and what it names belong together", async () => {
    const sandbox = createSandbox();
    sandbox.write("web/index.html", '<script src="main-AB.js">');
    sandbox.write("web/main-AB.js", "old");
    sandbox.write("web/main-AB.js.gz", gzipSync("old"));
    const files = await createDashboardFiles(sandbox.path("web"));
    rmSync(sandbox.path("web"), { recursive: true });
    sandbox.write("web/index.html", '<script src="main-CD.js">');
    sandbox.write("web/main-CD.js", "new");
    expect(String(files.answer("/", {}).body)).toBe('<script src="main-AB.js">');
    expect(String(files.answer("/main-AB.js", {}).body)).toBe("old");
    const small = files.answer("/main-AB.js", { "accept-encoding": "gzip" });
    expect(gunzipSync(Buffer.from(small.body as Uint8Array)).toString()).toBe("old");
    expect(files.has("/main-CD.js")).toBe(false);
  });

  test.each([
    "/../secret.js",
    "/main-AB.js.gz",
    "/notes.txt",
    "/%2e%2e/secret.js",
    "//secret.js",
    "/web",
    "",
  ])("are no others: %j", async (path) => {
    const files = await someFiles();
    expect(files.has(path)).toBe(false);
    expect(files.answer(path, {}).status).toBe(404);
  });
});
