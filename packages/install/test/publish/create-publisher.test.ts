import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { compose } from "#server";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import {
  createPublisher,
  indexOf01,
  indexOf02,
  type Publication,
} from "../../src/publish/create-publisher.ts";

const SKILLS = "project/.agents/skills";

function open(sandbox: Sandbox) {
  const { services, close } = compose({ cwd: sandbox.project, userDir: sandbox.home });
  onTestFinished(close);
  return { services, publisher: createPublisher() };
}

const digests = ({ skills }: Publication) => skills.map(({ artifact }) => artifact.digest);

test("the skills of one snapshot are read once", async () => {
  const sandbox = createSandbox();
  sandbox.skill(`${SKILLS}/pdf`);
  const { services, publisher } = open(sandbox);
  const snapshot = await services.skills.snapshot();
  const first = await publisher.publicationOf(snapshot);
  rmSync(sandbox.path(SKILLS, "pdf"), { recursive: true });
  expect(await publisher.publicationOf(snapshot)).toBe(first);
  expect((await publisher.publicationOf(await services.skills.refresh())).skills).toEqual([]);
});

test("publisher: reads only the skills with changed files again for a new snapshot", async () => {
  const sandbox = createSandbox();
  const past = new Date(Date.now() - 60_000);
  for (const name of ["a", "b"]) {
    sandbox.skill(`${SKILLS}/${name}`);
    utimesSync(sandbox.write(`${SKILLS}/${name}/data.txt`, "old"), past, past);
  }
  const { services } = open(sandbox);
  // A minute later, nothing that was written just now can change unseen.
  const publisher = createPublisher(() => Date.now() + 60_000);
  const before = await publisher.publicationOf(await services.skills.snapshot());
  writeFileSync(sandbox.path(SKILLS, "b/data.txt"), "new");
  const after = await publisher.publicationOf(await services.skills.refresh());
  expect(after.skills[0]?.artifact).toBe(before.skills[0]?.artifact);
  expect(digests(after)[1]).not.toBe(digests(before)[1]);
});

test.each<readonly [string, Readonly<Record<string, string | Buffer>>, string]>([
  [
    "too many files",
    Object.fromEntries(Array.from({ length: 520 }, (_, at) => [`${at}.txt`, ""])),
    "more than 512 files",
  ],
  [
    "too many bytes",
    { "a.bin": Buffer.alloc(9 << 20), "b.bin": Buffer.alloc(9 << 20) },
    "larger than 16 MiB",
  ],
  ["a name that no archive takes", { [`${"a".repeat(120)}.txt`]: "" }, "installers refuse the file name"],
  ...(process.platform === "linux"
    ? ([
        ["a backslash in a name", { "a\\b": "" }, "installers refuse the file name 'a\\b'"],
        ["a line break in a name", { "a\nb": "" }, "installers refuse the file name"],
        ["names that differ only in case", { "A.md": "", "a.md": "" }, "differ only in case"],
      ] as const)
    : []),
])("a skill with %s is not published, with the reason, and the others are", async (_, files, reason) => {
  const sandbox = createSandbox();
  sandbox.skill(`${SKILLS}/good`);
  sandbox.skill(`${SKILLS}/odd`);
  for (const [file, content] of Object.entries(files)) sandbox.write(`${SKILLS}/odd/${file}`, content);
  const { services, publisher } = open(sandbox);
  const publication = await publisher.publicationOf(await services.skills.snapshot());
  expect(publication.skills.map(({ name }) => name)).toEqual(["good"]);
  expect(publication.left).toEqual([{ name: "odd", reason: expect.stringContaining(reason) as string }]);
  expect(await publisher.download(await services.skills.snapshot(), "odd")).toBeUndefined();
});

test("an index of files leaves out a skill whose paths it cannot express", async () => {
  const sandbox = createSandbox();
  for (const [at, file] of ["C#.md", "a..b.md", "50%.md", "x%2Fy.md"].entries()) {
    sandbox.skill(`${SKILLS}/s${at}`);
    sandbox.write(`${SKILLS}/s${at}/${file}`, "");
  }
  const { services, publisher } = open(sandbox);
  const publication = await publisher.publicationOf(await services.skills.snapshot());
  expect(indexOf01(publication)).toEqual({ skills: [] });
  expect(indexOf02(publication)).toMatchObject({ skills: { length: 4 } });
});
