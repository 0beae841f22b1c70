import { createHash } from "node:crypto";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { type Connection, ERAS, loadSkill } from "../support/client.ts";
import { connectInProcess as connect } from "../support/in-process.ts";
import { createSandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const SKILL = "project/.agents/skills/pdf";

interface Read {
  readonly text: string;
  readonly isError: boolean;
  readonly content: string;
  readonly meta: {
    readonly mimeType: string;
    readonly size: number;
    readonly digest: string;
    readonly length: number;
    readonly nextOffset?: number;
  };
}

async function read({ client }: Connection, args: Record<string, unknown>): Promise<Read> {
  const result = await client.callTool({ name: "read_skill_file", arguments: { skill: "pdf", ...args } });
  const [part] = result.content as readonly { readonly text: string }[];
  const text = part?.text ?? "";
  expect(result.structuredContent).toBeUndefined();
  return {
    text,
    isError: result.isError === true,
    content: text.slice(text.indexOf("\n\n") + 2).replace(/\n\n\[[^\]]*\]$/, ""),
    meta: result._meta?.["skills-mcp/file"] as Read["meta"],
  };
}

async function toolsOf({ client }: Connection): Promise<readonly string[]> {
  const { tools } = await client.listTools(undefined, { cacheMode: "refresh" });
  return tools.map(({ name }) => name);
}

test.each(ERAS)("a text file is read with its type, size and digest, protocol %s", async (era) => {
  const sandbox = createSandbox();
  sandbox.skill(SKILL);
  const text = "print('größe')\r\n\r\n# end";
  sandbox.write(`${SKILL}/scripts/run.py`, text);
  const connection = await connect(sandbox, { era });
  const answer = await read(connection, { path: "scripts/run.py" });
  const size = Buffer.byteLength(text);
  const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
  expect(answer.text).toBe(
    `Skill: pdf\nFile: scripts/run.py\nType: text/x-python\nSize: ${size} bytes\nDigest: ${digest}\n\n${text}`,
  );
  expect(answer.meta).toEqual({
    skill: "pdf",
    path: "scripts/run.py",
    mimeType: "text/x-python",
    size,
    digest,
    encoding: "utf-8",
    length: text.length,
    offset: 0,
  });
  for (const path of ["./scripts/run.py", sandbox.path(SKILL, "scripts/run.py")]) {
    expect((await read(connection, { path })).content).toBe(text);
  }
});

test.each(ERAS)("a long file is read in parts, text and binary, protocol %s", async (era) => {
  const sandbox = createSandbox();
  sandbox.skill(SKILL);
  const text = Array.from({ length: 500 }, (_, line) => `line ${line} of 👩‍👩‍👧 and 字`).join("\n");
  const bytes = Buffer.from(Array.from({ length: 10_000 }, (_, index) => index % 256));
  sandbox.write(`${SKILL}/data.txt`, text);
  sandbox.write(`${SKILL}/image.png`, bytes);
  for (const [client, limit] of [
    ["test", undefined],
    ["test", 1_000],
    ["cline", undefined],
    ["copilot-cli", 15_000],
  ] as const) {
    const connection = await connect(sandbox, { era, clientName: client });
    for (const [path, whole] of [
      ["data.txt", text],
      ["image.png", bytes.toString("base64")],
    ] as const) {
      const parts: string[] = [];
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const part: Read = await read(connection, {
          path,
          offset,
          ...(limit === undefined ? {} : { limit }),
        });
        parts.push(part.content);
        offset = part.meta.nextOffset;
        if (offset !== undefined) expect(part.text).toContain(` and offset ${offset}.]`);
      }
      expect(parts.join("")).toBe(whole);
    }
  }
});

test("a wrong path or position is refused, and the answer says what there is", async () => {
  const sandbox = createSandbox();
  sandbox.skill(SKILL);
  sandbox.write("secret.txt", "TOP-SECRET");
  sandbox.write(`${SKILL}/references/forms.md`, "Forms.");
  sandbox.write(`${SKILL}/logo.png`, new Uint8Array([0xff, 0xfe]));
  symlinkSync(sandbox.path("secret.txt"), sandbox.path(SKILL, "out.txt"));
  mkdirSync(sandbox.path(SKILL, "empty"));
  sandbox.write(`${SKILL}/empty.txt`, "");
  const connection = await connect(sandbox, { era: "2025-11-25" });
  const refused: readonly (readonly [string, string | RegExp])[] = [
    [
      "references/form.md",
      /^Skill 'pdf' has no file 'references\/form\.md'\. Did you mean: references\/forms\.md/,
    ],
    ["references", "'references' is a folder of skill 'pdf'. Its files: references/forms.md."],
    ["out.txt", /^Skill 'pdf' has no file 'out\.txt'\./],
    ["empty", /^Skill 'pdf' has no file 'empty'\./],
    ["../../../secret.txt", /^Skill 'pdf' has no file/],
    [sandbox.path("secret.txt"), /^Skill 'pdf' has no file/],
    ["/etc/passwd", /^Skill 'pdf' has no file '\/etc\/passwd'/],
    ["references\\forms.md", /^Skill 'pdf' has no file/],
    ["a\nb", /^Skill 'pdf' has no file 'a\\u\{A\}b'\./],
    ["zzz", /Its files: SKILL\.md, empty\.txt, logo\.png, references\/forms\.md\.$/],
  ];
  for (const [path, expected] of refused) {
    const { text, isError } = await read(connection, { path });
    expect([path, isError]).toEqual([path, true]);
    expect(text).toMatch(expected);
    expect(text).not.toContain("TOP-SECRET");
  }
  expect((await read(connection, { path: "empty.txt" })).content).toBe("");
  expect((await read(connection, { skill: "pfd", path: "x" })).text).toContain("Did you mean: pdf?");
  const call = (args: Record<string, unknown>) =>
    connection.client.callTool({ name: "read_skill_file", arguments: { skill: "pdf", ...args } });
  await expect(call({ path: "references/forms.md", offset: 6 })).rejects.toThrow(
    "'offset': there are only 6 characters",
  );
  await expect(call({ path: "logo.png", offset: 2 })).rejects.toThrow("'offset': there are only 2 bytes");
  await expect(call({ path: "" })).rejects.toThrow("'path'");
  await expect(call({ path: "x", limit: 0 })).rejects.toThrow("'limit'");
  await expect(call({ path: "x", file: "y" })).rejects.toThrow("unknown parameter 'file'");
});

test.each(ERAS)(
  "it is listed while a skill has files, for clients that cannot open them, protocol %s",
  async (era) => {
    const sandbox = createSandbox();
    sandbox.skill(SKILL);
    const unknown = await connect(sandbox, { era });
    const codex = await connect(sandbox, { era, clientName: "codex-mcp-client" });
    expect(await toolsOf(unknown)).toEqual(["skill"]);
    sandbox.write(`${SKILL}/notes.md`, "Notes.");
    await waitUntil("a new list is announced", () => unknown.announced() > 0);
    expect(await toolsOf(unknown)).toEqual(["skill", "read_skill_file"]);
    expect(await toolsOf(codex)).toEqual(["skill"]);
    // Always callable.
    expect((await read(codex, { path: "notes.md" })).content).toBe("Notes.");
    rmSync(sandbox.path(SKILL, "notes.md"));
    await waitUntil("another list is announced", () => unknown.announced() > 1);
    expect(await toolsOf(unknown)).toEqual(["skill"]);
  },
);

test("a skill that a filter leaves out has no files to read", async () => {
  const sandbox = createSandbox();
  sandbox.skill(SKILL);
  sandbox.skill("project/.agents/skills/docx");
  sandbox.write(`${SKILL}/notes.md`, "Notes.");
  const connection = await connect(sandbox, { era: "2026-07-28", args: ["mcp", "--exclude", "pdf"] });
  expect(await toolsOf(connection)).toEqual(["skill"]);
  expect((await loadSkill(connection, "docx")).text).not.toContain("Files:");
});
