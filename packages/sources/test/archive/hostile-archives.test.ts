import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import {
  buildTar,
  buildTarGz,
  buildZip,
  paxBody,
  type TarEntry,
  type ZipEntry,
} from "../../../../test/support/hostile-archives.ts";
import type { FetchLimits } from "../../src/fetch/limits.ts";
import { createMachine, refusalOf, SKILL } from "../fetch/fetching.ts";

interface Hostile {
  readonly what: string;
  readonly bytes: Buffer;
  readonly reason: "unsafe" | "broken" | "too-large";
  readonly limits?: Partial<FetchLimits>;
}

const GOOD = { name: "pdf/SKILL.md", content: SKILL };

/** Names that must not be written, whatever the format. */
const NAMES: Readonly<Record<string, string>> = {
  "a parent folder": "../evil.md",
  "a parent folder further down": "pdf/../../evil.md",
  "a parent folder at the end": "pdf/..",
  "an absolute path": "/tmp/evil.md",
  "a drive letter": "C:/evil.md",
  "a drive letter without a slash": "c:evil.md",
  "a backslash": "pdf\\..\\evil.md",
  "a network path": "\\\\host\\share\\evil.md",
  "a control character": "pdf/a\u0007.md",
  "a line feed": "pdf/a\nb.md",
  "a device of Windows": "pdf/nul",
  "a device of Windows with an extension": "pdf/COM1.txt",
  "a device name with a superscript digit": "pdf/com¹.md",
  "a trailing dot": "pdf/a.",
  "a trailing space": "pdf/a ",
  "an alternate stream": "pdf/a.md:hidden",
  "a wildcard": "pdf/*.md",
  "git's own folder": "pdf/.git/config",
  "git's own folder in capitals": ".GIT/hooks/post-checkout",
  "git's own folder with an invisible character": ".g\u200cit/config",
  "the short name of git's folder": "GIT~1/config",
  "a dot as a folder": "pdf/./a.md",
  "an empty folder name": "pdf//a.md",
  "a folder that is too deep": `${"a/".repeat(30)}a.md`,
  "a name that is too long": `pdf/${"a".repeat(300)}`,
};

/** Two entries that cannot stand beside each other. */
const PAIRS: Readonly<Record<string, readonly [string, string]>> = {
  "the same name twice": ["pdf/a.md", "pdf/a.md"],
  "names that differ in case": ["pdf/a.md", "pdf/A.md"],
  "folders that differ in case": ["pdf/x/a.md", "PDF/x/b.md"],
  "names that differ in their Unicode form": ["pdf/\u00e9.md", "pdf/e\u0301.md"],
  "a ligature and its letters": ["pdf/\ufb01.md", "pdf/fi.md"],
  "a file that is a folder": ["pdf/a", "pdf/a/b.md"],
  "a folder that is a file": ["pdf/a/b.md", "pdf/a"],
};

/** Long names need an extended header. */
function tarNamed(name: string): readonly TarEntry[] {
  const header = { name: "pax", type: "x", content: paxBody({ path: name }) };
  return [header, { name: "pdf/short.md", content: "x" }];
}

const zip = (...entries: readonly ZipEntry[]): Buffer => buildZip([GOOD, ...entries]);
const tar = (...entries: readonly TarEntry[]): Buffer => buildTarGz([GOOD, ...entries]);
const truncated = (bytes: Buffer, by: number): Buffer => bytes.subarray(0, bytes.length - by);

const HOSTILE: readonly Hostile[] = [
  ...Object.entries(NAMES).flatMap(([what, name]): readonly Hostile[] => [
    { what: `zip with ${what}`, bytes: zip({ name, content: "x" }), reason: "unsafe" },
    { what: `tar.gz with ${what}`, bytes: tar(...tarNamed(name)), reason: "unsafe" },
  ]),
  ...Object.entries(PAIRS).flatMap(([what, [first, second]]): readonly Hostile[] => [
    { what: `zip with ${what}`, bytes: zip({ name: first }, { name: second }), reason: "unsafe" },
    { what: `tar.gz with ${what}`, bytes: tar({ name: first }, { name: second }), reason: "unsafe" },
  ]),
  { what: "zip with a NUL in a name", bytes: zip({ name: "pdf/a\0.md" }), reason: "unsafe" },
  {
    what: "zip with a name that is no text",
    bytes: zip({ name: Buffer.from([0x70, 0xff, 0xfe]) }),
    reason: "unsafe",
  },
  { what: "zip with an empty name", bytes: zip({ name: "" }), reason: "unsafe" },
  {
    what: "zip with a symbolic link",
    bytes: zip({ name: "pdf/l", content: "/etc/passwd", mode: 0o120777 }),
    reason: "unsafe",
  },
  {
    what: "zip with a link, then a file through it",
    bytes: zip({ name: "l", content: "..", mode: 0o120777 }, { name: "l/x" }),
    reason: "unsafe",
  },
  { what: "zip with a FIFO", bytes: zip({ name: "pdf/f", mode: 0o010644 }), reason: "unsafe" },
  { what: "zip with a device", bytes: zip({ name: "pdf/d", mode: 0o060644 }), reason: "unsafe" },
  { what: "zip with a folder as a file", bytes: zip({ name: "pdf/d", mode: 0o040755 }), reason: "unsafe" },
  { what: "zip with an encrypted entry", bytes: zip({ name: "pdf/e", flags: 0x801 }), reason: "unsafe" },
  { what: "zip with strong encryption", bytes: zip({ name: "pdf/e", flags: 0x841 }), reason: "broken" },
  { what: "zip with an unknown method", bytes: zip({ name: "pdf/e", method: 14 }), reason: "unsafe" },
  {
    what: "zip with a wrong checksum",
    bytes: zip({ name: "pdf/e", content: "abc", crc: 1 }),
    reason: "broken",
  },
  {
    what: "zip with a size that is too small",
    bytes: zip({ name: "pdf/e", content: "a".repeat(5000), size: 10 }),
    reason: "broken",
  },
  {
    what: "zip with a size that is too large",
    bytes: zip({ name: "pdf/e", content: "abc", size: 4000 }),
    reason: "broken",
  },
  {
    what: "zip with a stored size that differs",
    bytes: zip({ name: "pdf/e", content: "abc", method: 0, size: 2 }),
    reason: "broken",
  },
  {
    what: "zip with damaged content",
    bytes: zip({ name: "pdf/e", content: "abc", method: 0, localMethod: 8 }),
    reason: "broken",
  },
  {
    what: "zip with two names for one entry",
    bytes: zip({ name: "pdf/e", localName: "pdf/f" }),
    reason: "broken",
  },
  {
    what: "zip with entries that share content",
    bytes: zip(
      { name: "pdf/e", content: "abc" },
      { name: "pdf/f", content: "abc", sharesWith: 1, localName: "pdf/e" },
    ),
    reason: "broken",
  },
  {
    what: "zip with an entry listed twice",
    bytes: zip({ name: "pdf/SKILL.md", content: SKILL, sharesWith: 0 }),
    reason: "unsafe",
  },
  {
    what: "zip with content that reaches into the directory",
    bytes: zip({ name: "pdf/e", content: "abc", method: 0, packedSize: 60, size: 60 }),
    reason: "unsafe",
  },
  {
    what: "zip with entries that are not counted",
    bytes: buildZip([GOOD, { name: "pdf/a.md" }], { count: 1 }),
    reason: "broken",
  },
  { what: "zip with fewer entries than counted", bytes: buildZip([GOOD], { count: 3 }), reason: "broken" },
  {
    what: "zip with a directory outside",
    bytes: buildZip([GOOD], { directoryOffset: 1_000_000 }),
    reason: "broken",
  },
  {
    what: "zip with data after its end",
    bytes: buildZip([GOOD], { after: Buffer.from("more") }),
    reason: "broken",
  },
  {
    what: "zip with two end records",
    bytes: Buffer.concat([buildZip([GOOD]), buildZip([{ name: "evil.md" }])]),
    reason: "broken",
  },
  {
    what: "zip with a zip64 record that contradicts",
    bytes: buildZip([GOOD, { name: "pdf/a.md" }], { zip64Count: 1 }),
    reason: "broken",
  },
  {
    what: "zip with a zip64 size that is missing",
    bytes: zip({ name: "pdf/e", size: 0xffff_ffff, extra: Buffer.from([1, 0, 0, 0]) }),
    reason: "broken",
  },
  { what: "zip without its end", bytes: truncated(buildZip([GOOD]), 20), reason: "broken" },
  { what: "zip that was cut in half", bytes: buildZip([GOOD]).subarray(0, 40), reason: "broken" },
  { what: "zip without entries", bytes: buildZip([]), reason: "broken" },
  {
    what: "zip with too many entries",
    bytes: buildZip(Array.from({ length: 30 }, (_, at) => ({ name: `f${at}` }))),
    reason: "too-large",
    limits: { files: 20 },
  },
  {
    what: "zip with a file that is too large",
    bytes: zip({ name: "pdf/e", content: "a".repeat(3000) }),
    reason: "too-large",
    limits: { fileBytes: 2000 },
  },
  {
    what: "zip that is too large in all",
    bytes: zip({ name: "a", content: "a".repeat(900) }, { name: "b", content: "b".repeat(900) }),
    reason: "too-large",
    limits: { totalBytes: 1500 },
  },
  {
    what: "zip bomb",
    bytes: zip({ name: "pdf/e", content: Buffer.alloc(4_000_000) }),
    reason: "too-large",
    limits: { ratioFromBytes: 1_000_000 },
  },
  {
    what: "zip of an unknown size that claims 4 GiB",
    bytes: zip({ name: "pdf/e", content: "abc", size: 0xffff_fffe }),
    reason: "too-large",
  },
  {
    what: "tar.gz with a symbolic link",
    bytes: tar({ name: "pdf/l", type: "2", link: "/etc/passwd" }),
    reason: "unsafe",
  },
  {
    what: "tar.gz with a link inside",
    bytes: tar({ name: "pdf/l", type: "2", link: "SKILL.md" }),
    reason: "unsafe",
  },
  {
    what: "tar.gz with a hard link",
    bytes: tar({ name: "pdf/l", type: "1", link: "/etc/passwd" }),
    reason: "unsafe",
  },
  {
    what: "tar.gz with a hard link that has content",
    bytes: tar({ name: "pdf/l", type: "1", link: "pdf/SKILL.md", content: "x" }),
    reason: "unsafe",
  },
  { what: "tar.gz with a character device", bytes: tar({ name: "pdf/d", type: "3" }), reason: "unsafe" },
  { what: "tar.gz with a block device", bytes: tar({ name: "pdf/d", type: "4" }), reason: "unsafe" },
  { what: "tar.gz with a FIFO", bytes: tar({ name: "pdf/f", type: "6" }), reason: "unsafe" },
  { what: "tar.gz with a sparse file", bytes: tar({ name: "pdf/s", type: "S" }), reason: "unsafe" },
  {
    what: "tar.gz with a sparse file of pax",
    bytes: tar({ name: "p", type: "x", content: paxBody({ "GNU.sparse.name": "x" }) }, { name: "pdf/s" }),
    reason: "unsafe",
  },
  {
    what: "tar.gz with an entry of an unknown type",
    bytes: tar({ name: "pdf/v", type: "V" }),
    reason: "unsafe",
  },
  {
    what: "tar.gz with a long link name",
    bytes: tar({ name: "l", type: "K", content: "/etc/passwd\0" }, { name: "pdf/l", type: "2" }),
    reason: "unsafe",
  },
  {
    what: "tar.gz with a name behind a long name",
    bytes: tar({ name: "l", type: "L", content: "../../evil.md\0" }, { name: "pdf/a.md" }),
    reason: "unsafe",
  },
  {
    what: "tar.gz with a NUL in a long name",
    bytes: tar({ name: "l", type: "L", content: "pdf/a\0b.md\0" }, { name: "pdf/a.md" }),
    reason: "unsafe",
  },
  {
    what: "tar.gz with a global header that renames",
    bytes: tar({ name: "g", type: "g", content: paxBody({ path: "evil.md" }) }, { name: "pdf/a.md" }),
    reason: "broken",
  },
  {
    what: "tar.gz with an extended header that lies",
    bytes: tar({ name: "p", type: "x", content: "99 path=evil\n" }, { name: "pdf/a.md" }),
    reason: "broken",
  },
  {
    what: "tar.gz with an extended header of 100 KiB",
    bytes: tar(
      { name: "p", type: "x", content: paxBody({ comment: "x".repeat(100_000) }) },
      { name: "pdf/a.md" },
    ),
    reason: "broken",
  },
  {
    what: "tar.gz with a size of no number",
    bytes: tar({ name: "pdf/a.md", size: "zzz" }),
    reason: "broken",
  },
  {
    what: "tar.gz with a negative size",
    bytes: tar({ name: "pdf/a.md", size: "-7777777777" }),
    reason: "broken",
  },
  {
    what: "tar.gz with a size beyond its end",
    bytes: tar({ name: "pdf/a.md", size: 1_000_000 }),
    reason: "broken",
  },
  {
    what: "tar.gz with a folder that has content",
    bytes: tar({ name: "pdf/x/", type: "5", content: "x" }),
    reason: "broken",
  },
  {
    what: "tar.gz with a wrong header checksum",
    bytes: tar({ name: "pdf/a.md", checksum: 7 }),
    reason: "broken",
  },
  { what: "tar.gz without an end mark", bytes: buildTarGz([GOOD], { endless: true }), reason: "broken" },
  {
    what: "tar.gz with entries after its end mark",
    bytes: buildTarGz([GOOD], { after: buildTar([{ name: "evil.md" }]) }),
    reason: "broken",
  },
  {
    what: "tar.gz with data after its end",
    bytes: Buffer.concat([buildTarGz([GOOD]), Buffer.from("more")]),
    reason: "broken",
  },
  {
    what: "tar.gz with a second stream",
    bytes: Buffer.concat([buildTarGz([GOOD]), buildTarGz([{ name: "evil.md" }])]),
    reason: "broken",
  },
  { what: "tar.gz that is truncated", bytes: truncated(buildTarGz([GOOD]), 20), reason: "broken" },
  {
    what: "tar.gz with a wrong checksum",
    bytes: Buffer.concat([truncated(buildTarGz([GOOD]), 8), Buffer.alloc(8)]),
    reason: "broken",
  },
  { what: "tar.gz without entries", bytes: buildTarGz([]), reason: "broken" },
  {
    what: "tar.gz with too many entries",
    bytes: buildTarGz(Array.from({ length: 30 }, (_, at) => ({ name: `f${at}` }))),
    reason: "too-large",
    limits: { files: 20 },
  },
  {
    what: "tar.gz with too many folders",
    bytes: buildTarGz(Array.from({ length: 30 }, (_, at) => ({ name: `f${at}/`, type: "5" }))),
    reason: "too-large",
    limits: { files: 20 },
  },
  {
    what: "tar.gz with a file that is too large",
    bytes: tar({ name: "pdf/e", content: "a".repeat(3000) }),
    reason: "too-large",
    limits: { fileBytes: 2000 },
  },
  {
    what: "tar.gz that is too large in all",
    bytes: tar({ name: "a", content: "a".repeat(900) }, { name: "b", content: "b".repeat(900) }),
    reason: "too-large",
    limits: { totalBytes: 1500 },
  },
  {
    what: "tar.gz bomb",
    bytes: gzipSync(Buffer.alloc(4_000_000)),
    reason: "too-large",
    limits: { ratioFromBytes: 1_000_000 },
  },
  { what: "text with the name of an archive", bytes: Buffer.from("not an archive"), reason: "broken" },
  { what: "empty file", bytes: Buffer.alloc(0), reason: "broken" },
  {
    what: "archive that is too large",
    bytes: zip({ name: "pdf/e", content: "abc" }),
    reason: "too-large",
    limits: { archiveBytes: 10 },
  },
];

test("there are more than a hundred hostile archives", () => {
  expect(HOSTILE.length).toBeGreaterThan(100);
});

test.each(HOSTILE)("a $what is refused and leaves nothing behind", async ({ bytes, reason, limits }) => {
  const machine = createMachine();
  const file = path.join(machine.root, "archive.zip");
  writeFileSync(file, bytes);
  const refusal = await refusalOf(machine.fetch(file, {}, limits));
  expect(refusal).toMatchObject({ reason });
  expect(refusal.message).toContain(file);
  expect(refusal.message).not.toMatch(/[\u0000-\u001f]/);
  expect(machine.leftovers()).toEqual([]);
  expect(existsSync(path.join(machine.root, "evil.md"))).toBe(false);
  expect(existsSync("/tmp/evil.md")).toBe(false);
});
