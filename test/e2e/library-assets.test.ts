import { closeSync, ftruncateSync, mkdirSync, openSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  PNG,
  page,
  SAMPLE,
  serveLibraryInProcess as serveLibrary,
  shareLibrary,
} from "../support/library.ts";
import { createSandbox } from "../support/sandbox.ts";

const BINARY = [
  ["a.png", "image/png"],
  ["a.jpg", "image/jpeg"],
  ["a.jpeg", "image/jpeg"],
  ["a.gif", "image/gif"],
  ["a.svg", "image/svg+xml"],
  ["a.pdf", "application/pdf"],
  ["a.zip", "application/zip"],
  ["a.woff", "font/woff"],
  ["a.woff2", "font/woff2"],
  ["a.ico", "application/octet-stream"],
  ["a.webp", "application/octet-stream"],
  ["A.PNG", "image/png"],
] as const;
const TEXT = "ts tsx js sh yaml json template example md txt bin"
  .split(" ")
  .map((extension) => `b.${extension}`);

const declared = (files: readonly string[]) =>
  `assets:\n${files.map((file) => `  - file: ${file}`).join("\n")}`;

describe("seed 004 §7.2: binary vs text detection", () => {
  const files = [...BINARY.map(([file]) => file), ...TEXT];
  const server = shareLibrary({
    "kinds.md": page("kinds", "One of each", declared(files)),
    ...Object.fromEntries(files.map((file) => [`kinds/${file}`, file.startsWith("b") ? "text: é\n" : PNG])),
    "config.yaml": "assets:\n  inline_text_max_bytes: 0\n",
  });

  test("inline_text_max_bytes: 0 leaves every text for get_asset", async () => {
    const { assets } = (await server().call("get_skill", { context: "kinds" })) as {
      assets?: readonly object[];
    };
    expect(assets).toHaveLength(files.length);
    for (const asset of assets ?? []) expect(asset).not.toHaveProperty("content");
  });

  test.each(BINARY)("%s is %s", async (file, mime) => {
    expect(await server().call("get_asset", { skill_path: "kinds", file })).toEqual({
      skill_path: "kinds",
      file,
      content_base64: Buffer.from(PNG).toString("base64"),
      size_bytes: PNG.length,
      type: "other",
      mime_type: mime,
    });
  });
  test.each(TEXT)("%s is text", async (file) => {
    expect(await server().call("get_asset", { skill_path: "kinds", file })).toEqual({
      skill_path: "kinds",
      file,
      content: "text: é\n",
      size_bytes: 9,
      type: "other",
    });
  });
});

describe("seed 004 §8.3: get_asset", () => {
  const server = shareLibrary({
    ...SAMPLE,
    "gone.md": page("gone", "Declares a file that is not there", declared(["assets/missing.txt"])),
    "gone/keep": "",
  });
  const get = (skill_path: string, file: string) => server().call("get_asset", { skill_path, file });

  test("response (text asset)", async () => {
    expect(await get("ui/react/auth", "assets/AuthProvider.tsx.template")).toEqual({
      skill_path: "ui/react/auth",
      file: "assets/AuthProvider.tsx.template",
      content: "import React from 'react';\n",
      size_bytes: 27,
      type: "template",
    });
  });
  test("response (binary asset)", async () => {
    expect(await get("ui/react/auth", "assets/auth-flow.svg")).toEqual({
      skill_path: "ui/react/auth",
      file: "assets/auth-flow.svg",
      content_base64: Buffer.from("<svg/>").toString("base64"),
      size_bytes: 6,
      type: "image",
      mime_type: "image/svg+xml",
    });
  });
  test("response (inherited asset)", async () => {
    expect(await get("ui/react/auth", "assets/hook.ts")).toEqual({
      skill_path: "ui/react/auth",
      file: "assets/hook.ts",
      content: "export {};\n",
      size_bytes: 11,
      type: "other",
      resolved_from: "ui/react/_index",
    });
  });
  test("a script is an asset of type script", async () => {
    expect(await get("ui/react/auth", "scripts/scaffold-auth.sh")).toMatchObject({
      content: "echo scaffold\n",
      type: "script",
    });
    expect(await get("ui/react/auth", "scripts/audit.sh")).toMatchObject({ resolved_from: "_root" });
  });

  const ERRORS = [
    ["skill exists?", "nope", "../x", /^Skill not found: "nope"/],
    ["path traversal?", "gone", "../x", /^Path traversal is not allowed: "\.\.\/x"/],
    ["found?", "gone", "assets/other.txt", /^Asset not found: "assets\/other\.txt"/],
    [
      "file exists on disk?",
      "gone",
      "assets/missing.txt",
      /"assets\/missing\.txt" of "gone" is declared .* but the file does not exist/,
    ],
  ] as const;
  test.each(ERRORS)("the flow: %s", async (_step, skill_path, file, message) => {
    expect(await get(skill_path, file)).toEqual({ error: true, message: expect.stringMatching(message) });
  });

  test("a misspelt file is suggested, an undeclared one that exists is not served", async () => {
    expect((await get("ui/react/auth", "assets/hok.ts")).message).toContain("Did you mean: assets/hook.ts");
    expect((await get("gone", "keep")).message).toContain("Asset not found");
  });
});

describe("seed 004 §7.4, §12.3: asset size limits", () => {
  const files = {
    "big.md": page("big", "Assets of all sizes", declared(["at.txt", "over.txt", "over.png", "sparse.bin"])),
    "big/at.txt": "x".repeat(1024),
    "big/over.txt": "x".repeat(1025),
    "big/over.png": "x".repeat(1025),
    "config.yaml": "assets:\n  max_size_bytes: 1024\n  inline_text_max_bytes: 1000\n",
  };

  test("text and binary over max_size_bytes are errors with the sizes; one at the limit is served", async () => {
    const sandbox = createSandbox();
    const { call } = await serveLibrary(sandbox, files);
    const get = (file: string) => call("get_asset", { skill_path: "big", file });
    expect(await get("at.txt")).toMatchObject({ size_bytes: 1024 });
    // Over inline_text_max_bytes, text is left for get_asset.
    const { assets } = (await call("get_skill", { context: "big" })) as { assets?: readonly object[] };
    expect(assets?.[0]).not.toHaveProperty("content");
    for (const file of ["over.txt", "over.png"]) {
      expect((await get(file)).message).toContain(
        "has 1025 bytes, over the limit of 1024 bytes (assets.max_size_bytes)",
      );
    }
  });

  test("what get_asset refuses for its size does not come with the skill either, own or inherited", async () => {
    const { call } = await serveLibrary(createSandbox(), {
      "_root.md": page("global", "Root", declared(["above.txt"])),
      "_root/above.txt": "0123456789",
      "small.md": page("small", "Two assets", declared(["own.txt", "fits.txt"])),
      "small/own.txt": "0123456789",
      "small/fits.txt": "01234",
      "config.yaml": "assets:\n  max_size_bytes: 5\n",
    });
    expect(await call("get_skill", { context: "small" })).toMatchObject({
      assets: [
        { file: "own.txt", description: "", type: "other" },
        { file: "fits.txt", content: "01234" },
      ],
      inherited_assets: [{ file: "above.txt", description: "", type: "other", from: "_root" }],
    });
    const served = JSON.stringify(await call("get_skill", { context: "small" }));
    expect(served).not.toContain("0123456789");
    expect((await call("get_asset", { skill_path: "small", file: "own.txt" })).message).toContain(
      "over the limit of 5 bytes",
    );
  });

  test("the default limit is 1 MB, and a file of 1.5 GB is refused without being read", async () => {
    const sandbox = createSandbox();
    const { call } = await serveLibrary(sandbox, { ...files, "config.yaml": "" });
    const sparse = openSync(sandbox.path("project/library/big/sparse.bin"), "w");
    ftruncateSync(sparse, 1.5 * 1024 ** 3);
    closeSync(sparse);
    const { message } = await call("get_asset", { skill_path: "big", file: "sparse.bin" });
    expect(message).toContain("has 1610612736 bytes, over the limit of 1048576 bytes");
    // The skill itself is served, without the text of what is too large.
    const { assets } = (await call("get_skill", { context: "big" })) as {
      assets?: readonly { file: string; content?: string }[];
    };
    expect(assets?.find(({ file }) => file === "sparse.bin")).not.toHaveProperty("content");
    expect(assets?.find(({ file }) => file === "at.txt")).toHaveProperty("content");
  });
});

describe("bad input: links that lead out of the library", () => {
  test("L15: an asset, a script and a resource directory that lead out are refused; one that stays inside is served", async () => {
    const sandbox = createSandbox();
    const secret = sandbox.write("secret/id_rsa", "PRIVATE KEY");
    sandbox.write("secret/run.sh", "echo PRIVATE KEY");
    const dir = sandbox.path("project/library");
    const fields = `${declared(["key.txt", "inside.txt"])}\nscripts:\n  - file: run.sh\n    execution: server`;
    mkdirSync(path.join(dir, "links"), { recursive: true });
    symlinkSync(secret, path.join(dir, "links/key.txt"));
    symlinkSync(sandbox.path("secret/run.sh"), path.join(dir, "links/run.sh"));
    symlinkSync("../real.txt", path.join(dir, "links/inside.txt"));
    symlinkSync(sandbox.path("secret"), path.join(dir, "folder"));
    const { call, log } = await serveLibrary(sandbox, {
      "links.md": page("links", "Links", fields),
      "real.txt": "inside",
      "folder.md": page("folder", "Its folder is a link", declared(["id_rsa"])),
    });
    const get = (skill_path: string, file: string) => call("get_asset", { skill_path, file });
    expect((await get("links", "key.txt")).message).toContain("leads out of the library through a link");
    expect(await get("links", "inside.txt")).toMatchObject({ content: "inside" });
    const ran = await call("run_script", { skill_path: "links", file: "run.sh", args: {} });
    expect(ran.message).toContain("leads out of the library through a link");
    expect((await get("folder", "id_rsa")).message).toContain("Asset not found");
    expect(log()).toContain(`${dir}/folder: It lies outside the library`);
    const everything = JSON.stringify([
      await call("get_skill", { context: "links" }),
      await call("get_skill", { context: "folder" }),
    ]);
    expect(everything).not.toContain("PRIVATE KEY");
  });
});
