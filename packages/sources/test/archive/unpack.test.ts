import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { packTar } from "modern-tar";
import { expect, onTestFinished, test } from "vitest";
import { buildTarGz, buildZip, paxBody } from "../../../../test/support/hostile-archives.ts";
import { rounds } from "../../../../test/support/rounds.ts";
import { entryPathProblem } from "../../src/archive/entry-names.ts";
import { unpackArchive } from "../../src/archive/unpack.ts";
import { FETCH_LIMITS } from "../../src/fetch/limits.ts";
import { createMachine, filesIn, SKILL } from "../fetch/fetching.ts";

const part = fc.stringMatching(/^[a-zé0-9_-]{1,12}$/);
const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join("/")}.md`);
/** Trees that fit every disk: no name is the start of another one's path, or equal to it but for its form. */
const tree = fc
  .uniqueArray(fc.tuple(name, fc.string({ maxLength: 2_000 })), {
    minLength: 1,
    maxLength: 8,
    selector: ([file]) => file.normalize("NFKC"),
  })
  .filter((files) => files.every(([file]) => entryPathProblem(file, FETCH_LIMITS) === undefined))
  .map((files) => Object.fromEntries(files));

const toZip = (files: Readonly<Record<string, string>>): Buffer =>
  buildZip(
    Object.entries(files).map(([file, content], at) => ({ name: file, content, method: at % 2 ? 8 : 0 })),
  );

/** Packed by a library that has nothing in common with our reader. */
async function toTarGz(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const entries = Object.entries(files).map(([file, content]) => {
    const body = Buffer.from(content);
    return { header: { name: file, size: body.length }, body: new Uint8Array(body) };
  });
  return gzipSync(await packTar(entries));
}

test("what was packed is what is unpacked, by zip and by tar.gz", async () => {
  const root = mkdtempSync(path.join(tmpdir(), "unpack-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  let count = 0;
  await fc.assert(
    fc.asyncProperty(tree, async (files) => {
      for (const bytes of [toZip(files), await toTarGz(files)]) {
        const folder = path.join(root, String(++count));
        const unpacked = await unpackArchive(bytes, folder, FETCH_LIMITS);
        expect(filesIn(folder)).toEqual(files);
        expect(unpacked.files).toBe(Object.keys(files).length);
      }
    }),
    rounds(15),
  );
});

test.each([
  ["zip", (entries: readonly { name: string; content: string }[]) => buildZip(entries)],
  ["tar.gz", (entries: readonly { name: string; content: string }[]) => buildTarGz(entries)],
])("damage anywhere in a %s is refused or changes nothing", async (_kind, build) => {
  const root = mkdtempSync(path.join(tmpdir(), "unpack-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = { "pdf/SKILL.md": SKILL, "pdf/a.md": "some text" };
  const bytes = build(Object.entries(files).map(([file, content]) => ({ name: file, content })));
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 0x41;
    const folder = path.join(root, String(at));
    const isRefused = await unpackArchive(damaged, folder, FETCH_LIMITS).then(
      () => false,
      () => true,
    );
    // A changed name or mode may be a valid one; content never changes.
    if (!isRefused)
      expect(Object.values(filesIn(folder)).toSorted()).toEqual(Object.values(files).toSorted());
  }
});

test("an archive's single folder, its folders and './' are kept apart from its files", async () => {
  const machine = createMachine();
  const file = path.join(machine.root, "repo.tgz");
  const entries = [
    { name: "./", type: "5" },
    { name: "./pdf/", type: "5" },
    { name: "git", type: "g", content: paxBody({ comment: "0123" }) },
    { name: "./pdf/SKILL.md", content: SKILL },
    { name: "long", type: "L", content: `pdf/${"long-".repeat(30)}name.md\0` },
    { name: "cut", content: "long" },
    { name: "old.md", content: "old", type: "\0" },
  ];
  writeFileSync(file, buildTarGz(entries));
  const { folder } = await machine.fetch(file);
  expect(Object.keys(filesIn(folder))).toEqual(
    ["old.md", `pdf/${"long-".repeat(30)}name.md`, "pdf/SKILL.md"].toSorted(),
  );
});

test("Finder's own folder is left out of a zip", async () => {
  const machine = createMachine();
  const file = path.join(machine.root, "pdf.skill");
  writeFileSync(
    file,
    buildZip([{ name: "pdf/SKILL.md", content: SKILL }, { name: "__MACOSX/pdf/._SKILL.md" }]),
  );
  const { folder } = await machine.fetch(file);
  expect(filesIn(folder)).toEqual({ "pdf/SKILL.md": SKILL });
});

test.runIf(process.platform !== "win32")(
  "only the owner's bit to run a file is kept of its mode",
  async () => {
    const machine = createMachine();
    const modes = { "run.sh": 0o4755, "group.sh": 0o010, "plain.md": 0o666, "secret.md": 0o000 };
    const entries = Object.entries(modes).map(([file, mode]) => ({ name: file, mode }));
    writeFileSync(path.join(machine.root, "a.tar.gz"), buildTarGz(entries));
    writeFileSync(
      path.join(machine.root, "a.zip"),
      buildZip(entries.map((each) => ({ ...each, mode: each.mode | 0o100000 }))),
    );
    for (const archive of ["a.tar.gz", "a.zip"]) {
      const { folder } = await machine.fetch(path.join(machine.root, archive));
      const found = Object.keys(modes).map((file) => statSync(path.join(folder, file)).mode & 0o7700);
      expect(found).toEqual([0o700, 0o600, 0o600, 0o600]);
    }
  },
);
