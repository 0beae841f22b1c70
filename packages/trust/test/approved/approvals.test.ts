import { appendFileSync, chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { digestOfAll, digestsOf, type SkillContent } from "#skills";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import {
  type Approval,
  approvalsFile,
  changeApprovals,
  readApprovals,
  withApproval,
  withoutLatest,
} from "../../src/approved/approvals.ts";
import { openApprovedCopies } from "../../src/approved/approved-copies.ts";

const approval = (digit: string): Approval => ({
  digest: digit.repeat(64),
  at: "2026-11-17T00:00:00.000Z",
  by: "anna",
});

test("approvals that several processes add at once are all there", async () => {
  const file = approvalsFile(createSandbox().path("own"));
  const names = Array.from({ length: 8 }, (_, index) => `skill-${index}`);
  await Promise.all(
    names.map((name) =>
      changeApprovals(file, (before) =>
        new Map(before).set(name, withApproval(undefined, name, approval("a"))),
      ),
    ),
  );
  expect([...readApprovals(file).keys()]).toEqual(names);
});

test("a roll-back leads to the version before, and only so many versions stay", () => {
  let skill = withApproval(undefined, "pdf", approval("0"));
  for (const digit of "123456") skill = withApproval(skill, "pdf", approval(digit));
  expect(skill.versions.map(({ digest }) => digest[0])).toEqual(["6", "5", "4", "3", "2"]);
  // The same content again is the same version.
  skill = withApproval(skill, "pdf", approval("3"));
  expect(skill.versions.map(({ digest }) => digest[0])).toEqual(["3", "6", "5", "4", "2"]);
  expect(withoutLatest(skill)?.versions[0]?.digest).toBe("6".repeat(64));
  expect(withoutLatest(withApproval(undefined, "pdf", approval("0")))).toBeUndefined();
});

test.each(["", "[]", '{"skills": []}', "{"])(
  "a damaged file (%j) is refused and never means that nothing was approved",
  (text) => {
    const file = createSandbox().write("own/approvals.json", text);
    expect(() => readApprovals(file)).toThrow(
      /approvals\.json: The file cannot be read: .* Restore it from a backup; or delete it/,
    );
  },
);

test("a copy that somebody changed is made anew, and one whose content is lost is not served", async () => {
  const sandbox = createSandbox();
  const content: SkillContent = new Map([
    ["SKILL.md", { bytes: Buffer.from("text"), isExecutable: false }],
    ["bin/run.sh", { bytes: Buffer.from("echo"), isExecutable: true }],
  ]);
  const digest = digestOfAll(digestsOf(content));
  const copies = openApprovedCopies(sandbox.path("own"));
  copies.store(content);
  const { folder = "" } = (await copies.folderOf("key", digest, "pdf")) ?? {};
  expect(readdirSync(folder).sort()).toEqual(["SKILL.md", "bin"]);
  const file = path.join(folder, "SKILL.md");
  chmodSync(file, 0o644);
  appendFileSync(file, " and more");
  expect(await copies.folderOf("key", digest, "pdf")).toMatchObject({ folder });
  expect(readFileSync(file, "utf8")).toBe("text");
  writeFileSync(path.join(folder, "extra.md"), "added");
  await copies.folderOf("key", digest, "pdf");
  expect(readdirSync(folder).sort()).toEqual(["SKILL.md", "bin"]);
  await copies.prune([]);
  expect(await copies.folderOf("key", digest, "pdf")).toBeUndefined();
});
