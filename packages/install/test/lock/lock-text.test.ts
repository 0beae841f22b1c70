import { describe, expect, test } from "vitest";
import { Refusal } from "#util/pure";
import {
  emptyLock,
  lockedSkills,
  parseLock,
  printLock,
  withEntries,
  writeEntry,
} from "../../src/lock/lock-text.ts";

/** As `skills` 1.7.4 wrote them: `skills add`, `skills experimental_sync` and `skills add -g`. */
const PROJECT = `{
  "version": 1,
  "skills": {
    "Deploy It": {
      "source": "file:///srv/team",
      "sourceUrl": "file:///srv/team",
      "sourceType": "git",
      "skillPath": "skills/deploy/SKILL.md",
      "computedHash": "17ff05a9749af5f989decc6bf80885b411c94ab86109df65094830d099b421a7"
    },
    "local-one": {
      "source": "./mine",
      "sourceType": "local",
      "computedHash": "145d8ef377d5ef44341028634438b26277bc7b4b492a381718bfca1af2d1fb46"
    },
    "pdf": {
      "source": "acme/skills",
      "ref": "v2",
      "sourceType": "github",
      "skillPath": "skills/pdf/SKILL.md",
      "computedHash": "145d8ef377d5ef44341028634438b26277bc7b4b492a381718bfca1af2d1fb46",
      "subagents": [
        "root"
      ]
    }
  }
}
`;
const USER = `{
  "version": 3,
  "skills": {
    "pdf": {
      "source": "acme/skills",
      "sourceType": "github",
      "sourceUrl": "https://github.com/acme/skills.git",
      "skillPath": "skills/pdf/SKILL.md",
      "skillFolderHash": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
      "installedAt": "2026-11-01T10:00:00.000Z",
      "updatedAt": "2026-11-02T10:00:00.000Z"
    }
  },
  "dismissed": {
    "findSkillsPrompt": true
  },
  "lastSelectedAgents": [
    "claude-code"
  ]
}`;

describe("the locks of the skills tool", () => {
  test.each([
    ["project", PROJECT],
    ["user", USER],
  ] as const)("a %s lock is printed byte for byte as it was read", (format, text) => {
    expect(printLock(parseLock(text, format, "lock"))).toBe(text);
  });

  test("a new lock is what the tool would write", () => {
    expect(printLock(emptyLock("project"))).toBe('{\n  "version": 1,\n  "skills": {}\n}\n');
    expect(printLock(emptyLock("user"))).toBe('{\n  "version": 3,\n  "skills": {},\n  "dismissed": {}\n}');
  });

  test("an entry says where its skill is from", () => {
    const [deploy, local, pdf] = lockedSkills(parseLock(PROJECT, "project", "lock"));
    expect(deploy).toMatchObject({ name: "Deploy It", sourceType: "git", sourceUrl: "file:///srv/team" });
    expect(local).toMatchObject({ name: "local-one", source: "./mine" });
    expect(local).not.toHaveProperty("skillPath");
    expect(pdf).toMatchObject({ name: "pdf", ref: "v2", skillPath: "skills/pdf/SKILL.md" });
    expect(pdf?.own).toBeUndefined();
  });

  test("our part of an entry counts only with the hash that it was written for", () => {
    const entry = writeEntry(
      {
        source: "acme/skills",
        sourceType: "github",
        hash: "aa",
        own: { commit: "c1", files: { "SKILL.md": "11" } },
      },
      "project",
      undefined,
      "now",
    );
    const lock = withEntries(emptyLock("project"), new Map([["pdf", entry]]));
    expect(lockedSkills(lock)[0]?.own).toEqual({ commit: "c1", files: { "SKILL.md": "11" } });
    const rewritten = withEntries(lock, new Map([["pdf", { ...entry, computedHash: "bb" }]]));
    expect(lockedSkills(rewritten)[0]).toMatchObject({ hash: "bb" });
    expect(lockedSkills(rewritten)[0]?.own).toBeUndefined();
  });

  test("what another tool added to an entry stays, and the time of the installation too", () => {
    const [before] = lockedSkills(parseLock(USER, "user", "lock"));
    const raw = { ...before?.raw, pluginName: "acme", note: [1] };
    const entry = writeEntry(
      { source: "acme/skills", sourceType: "github", hash: "h" },
      "user",
      raw,
      "2026-12-01",
    );
    expect(entry).toMatchObject({
      pluginName: "acme",
      note: [1],
      installedAt: "2026-11-01T10:00:00.000Z",
      updatedAt: "2026-12-01",
    });
  });

  test("entries that mean nothing to us are kept and not read", () => {
    const text =
      '{"version": 1, "skills": {"odd": 7, "list": [], "empty": {}, "__proto__x": null}, "extra": {"a": 1}}';
    const lock = parseLock(text, "project", "lock");
    expect(lockedSkills(lock)).toEqual([]);
    expect(JSON.parse(printLock(lock))).toEqual(JSON.parse(text));
  });

  test.each([
    ["broken JSON", "{"],
    ["no object", "[]"],
    ["skills that are a list", '{"version": 1, "skills": []}'],
    ["an empty file", ""],
    ["the marks of a merge conflict", `<<<<<<< HEAD\n${PROJECT}`],
  ])("%s is refused with the name of the file, so that it is never overwritten", (_what, text) => {
    expect(() => parseLock(text, "project", "/p/skills-lock.json")).toThrow(Refusal);
    expect(() => parseLock(text, "project", "/p/skills-lock.json")).toThrow(
      "/p/skills-lock.json cannot be read",
    );
  });
});
