import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createDashboardFiles } from "../../../src/http/api/dashboard-files.ts";
import { createSandbox } from "../../support/sandbox.ts";

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
    const page = await files.answer("/", {});
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
    const small = await files.answer("/main-AB.js", { "accept-encoding": "deflate, gzip, br" });
    expect(small.headers).toMatchObject({
      "content-encoding": "gzip",
      "cache-control": "public, max-age=31536000, immutable",
    });
    expect(gunzipSync(Buffer.from(small.body as Uint8Array)).toString()).toBe("script");
    const plain = await files.answer("/main-AB.js", { "accept-encoding": "identity" });
    expect([plain.headers["content-encoding"], String(plain.body)]).toEqual([undefined, "script"]);
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
    expect((await files.answer(path, {})).status).toBe(404);
  });
});
