import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import { unpackTar } from "modern-tar";
import { expect, test } from "vitest";
import { fitsTar, type TarFile, tarGzip } from "../../src/publish/tar-gzip.ts";

const file = (name: string, content: Uint8Array, executable = false): TarFile => {
  return { name, size: content.length, executable, read: () => Promise.resolve(content) };
};

async function archive(files: readonly TarFile[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of tarGzip(files)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test("an archive unpacks to the names, modes and bytes that were packed", async () => {
  const anyFile = fc.record({
    name: fc.stringMatching(/^[a-zé]{1,60}(?:\/[a-zé]{1,60}){0,2}$/),
    content: fc.oneof(
      fc.uint8Array({ maxLength: 2_000 }),
      fc.constant(Buffer.alloc(0)),
      fc.constant(new Uint8Array(70_000).fill(7)),
    ),
    executable: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyFile, { maxLength: 5 }), async (files) => {
      const packed = files.filter(({ name }) => fitsTar(name));
      const bytes = await archive(packed.map((each) => file(each.name, each.content, each.executable)));
      const unpacked = await unpackTar(gunzipSync(bytes));
      expect(
        unpacked.map(({ header, data }) => [
          header.name,
          header.mode,
          Buffer.from(data ?? []).toString("latin1"),
        ]),
      ).toEqual(
        packed.map(({ name, content, executable }) => [
          name,
          executable ? 0o755 : 0o644,
          Buffer.from(content).toString("latin1"),
        ]),
      );
    }),
    { numRuns: 50 },
  );
});

test("the bytes are always the same", async () => {
  const { createHash } = await import("node:crypto");
  const bytes = await archive([
    file("SKILL.md", Buffer.from("text\n")),
    file("run.sh", Buffer.from("#!"), true),
  ]);
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(
    "c44f5fc98a99b84c5e71126b138db17ce9466ebc2997b721bae0f5bf97449f9c",
  );
});

test.each([
  ["a".repeat(100), true],
  ["a".repeat(101), false],
  [`${"a".repeat(155)}/${"b".repeat(100)}`, true],
  [`${"a".repeat(156)}/b`, false],
  ["é".repeat(51), false],
])("a plain header takes the name %s: %s", (name, fits) => {
  expect(fitsTar(name)).toBe(fits);
});

test("a file that has another size than it had is an error, and no archive", async () => {
  const changed = { ...file("a", Buffer.from("abc")), size: 2 };
  await expect(archive([changed])).rejects.toThrow("'a' changed while it was archived.");
});
