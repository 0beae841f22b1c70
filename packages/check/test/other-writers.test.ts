import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../../test/support/sandbox.ts";
import {
  type OtherWriter,
  otherWriterAt,
  otherWriterOf,
  type Reader,
} from "../src/validate/other-writers.ts";

const ME: Reader = { uid: 1000, privateGid: 1001, isContained: false };
const EVERYONE = { who: "everyone" } as const;

const file = (uid: number, gid: number, mode: number) => ({ uid, gid, mode, isDirectory: () => false });
const folder = (uid: number, gid: number, mode: number) => ({ uid, gid, mode, isDirectory: () => true });

describe("skills that another user may write are reported", () => {
  test.each<[string, ReturnType<typeof file>, OtherWriter, Partial<Reader>]>([
    ["a file for everyone", file(1000, 1000, 0o666), EVERYONE, {}],
    ["a folder for everyone", folder(1000, 1000, 0o777), EVERYONE, {}],
    ["root's file for everyone", file(0, 0, 0o666), EVERYONE, {}],
    ["a file for everyone in a container", file(1000, 1000, 0o666), EVERYONE, { isContained: true }],
    ["a file for everyone, to root", file(0, 0, 0o666), EVERYONE, { uid: 0 }],
    ["another user's file", file(1002, 1002, 0o644), { who: "owner", uid: 1002 }, {}],
    ["another user's folder, to root", folder(1002, 100, 0o755), { who: "owner", uid: 1002 }, { uid: 0 }],
    ["a group of others", file(1000, 100, 0o664), { who: "group", gid: 100 }, {}],
  ])("%s", (_, stats, writer, reader) => {
    expect(otherWriterOf(stats, { ...ME, ...reader })).toEqual(writer);
  });

  test.each<[string, ReturnType<typeof file>, Partial<Reader>]>([
    ["the user's own file", file(1000, 1000, 0o644), {}],
    ["root's file", file(0, 0, 0o644), {}],
    ["root's folder for a team", folder(0, 500, 0o2775), {}],
    ["umask 002 with the user's own group", file(1000, 1000, 0o664), {}],
    ["the same with another number", folder(1000, 1001, 0o775), {}],
    ["the group of root, as some container platforms write files", file(1000, 0, 0o664), {}],
    ["a sticky folder such as /tmp", folder(0, 0, 0o1777), {}],
    ["another user's file in a container", file(501, 20, 0o644), { isContained: true }],
    ["another user's file in a container, to root", file(501, 501, 0o664), { isContained: true, uid: 0 }],
    ["a user that this namespace does not know", file(65_534, 65_534, 0o644), {}],
  ])("not %s", (_, stats, reader) => {
    expect(otherWriterOf(stats, { ...ME, ...reader })).toBeUndefined();
  });
});

test("files on the disk are judged by what they are", async () => {
  const sandbox = createSandbox();
  const place = sandbox.path("project/skill");
  mkdirSync(place, { mode: 0o755 });
  chmodSync(place, 0o755);
  expect(await otherWriterAt(place)).toBeUndefined();
  expect(await otherWriterAt(`${place}/missing`)).toBeUndefined();
  if (process.platform === "win32") return;
  chmodSync(place, 0o777);
  expect(await otherWriterAt(place)).toEqual(EVERYONE);
  chmodSync(place, 0o1777);
  expect(await otherWriterAt(place)).toBeUndefined();
  writeFileSync(`${place}/SKILL.md`, "");
  chmodSync(`${place}/SKILL.md`, 0o646);
  expect(await otherWriterAt(`${place}/SKILL.md`)).toEqual(EVERYONE);
  expect(await otherWriterAt(`${place}/SKILL.md`, () => Promise.resolve(undefined))).toBeUndefined();
});
