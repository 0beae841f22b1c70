import { describe, expect, test } from "vitest";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { readHead, readWhole, skillHeads } from "../../src/read/read-skill-file.ts";

const read = async (file: string) => (await readHead(file, skillHeads({}))).head;

describe("reading the head of a file", () => {
  test.each(["é", "用", "\u{1F600}"])("a head that is cut inside %s is read on", async (character) => {
    const sandbox = createSandbox();
    for (let padding = 0; padding < 5; padding++) {
      const description = `${"x".repeat(padding)}${character.repeat(3_000)}`;
      const file = sandbox.write(
        `${padding}.md`,
        `---\nname: wide\ndescription: ${description}\n---\nBody\n`,
      );
      expect(await read(file)).toMatchObject({ ok: true, value: { name: "wide", description } });
    }
  });

  test.each(["é", "用", "\u{1F600}"])("a body that is cut inside %s does not matter", async (character) => {
    const sandbox = createSandbox();
    for (let padding = 0; padding < 5; padding++) {
      const body = `${"x".repeat(padding)}${character.repeat(3_000)}`;
      const file = sandbox.write(`${padding}.md`, `---\nname: wide\ndescription: d\n---\n${body}\n`);
      expect(await read(file)).toMatchObject({ ok: true, value: { name: "wide" } });
    }
  });

  test("a wrong byte in the head is found, also as its very last one", async () => {
    const sandbox = createSandbox();
    const text = Buffer.from(`---\nname: x\ndescription: d\n---\n${"y".repeat(5_000)}`);
    for (const [index, byte] of [
      [100, 0xff],
      [4_095, 0xff],
      [4_095, 0x80],
    ] as const) {
      const bytes = Buffer.from(text);
      bytes[index] = byte;
      expect(await read(sandbox.write("x.md", bytes))).toMatchObject({
        ok: false,
        failure: { code: "not-utf8" },
      });
    }
  });
});

describe("reading a whole file", () => {
  test("a wrong byte far below the head is refused when the skill is loaded", async () => {
    const bytes = Buffer.from(`---\nname: x\ndescription: d\n---\n${"y".repeat(50_000)}`);
    bytes[40_000] = 0xff;
    const file = createSandbox().write("x.md", bytes);
    expect(await readWhole(file)).toMatchObject({ ok: false, failure: { code: "not-utf8" } });
  });

  test("what no longer parses as a skill is not served", async () => {
    const file = createSandbox().write("x.md", "root:x:0:0:\n");
    expect(await readWhole(file)).toMatchObject({ ok: false, failure: { code: "no-front-matter" } });
  });
});
