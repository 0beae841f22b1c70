import { describe, expect, test } from "vitest";
import { type SkillNode, skillTree } from "../../src/matching/skill-tree.ts";
import { asset, libraryOf, librarySkill, script } from "./library-skills.ts";

const root = librarySkill("_root", { keywords: ["all"], description: "Global rules." });
const ui = librarySkill("ui/_index", { parent: "_root" });
const react = librarySkill("ui/react/_index", { parent: "ui/_index" });
const auth = librarySkill("ui/react/auth", {
  parent: "ui/react/_index",
  keywords: ["React", "auth"],
  description: "React authentication.",
  assets: [asset("a.tsx"), asset("b.tsx")],
  scripts: [script("c.sh")],
});
const twoFactor = librarySkill("ui/2fa", { parent: "ui/_index" });
const orphan = librarySkill("api/v1/users", { parent: "_root" });
const library = libraryOf(react, auth, orphan, twoFactor, root, ui);

/** `ui/_index(ui/2fa ui/react/_index(…))`: a tree as one line. */
function outline(node: SkillNode | undefined): string {
  if (node === undefined) return "nothing";
  const children = node.children.map(outline).join(" ");
  return children === "" ? node.path : `${node.path}(${children})`;
}

describe("seed 004 §8.2: the tree", () => {
  test("hangs every skill below its nearest parent (L5), in the order of the paths", () => {
    expect(outline(skillTree(library))).toBe(
      "_root(api/v1/users ui/_index(ui/2fa ui/react/_index(ui/react/auth)))",
    );
  });

  test("tells of each skill what a client needs to choose", () => {
    expect(skillTree(library, "ui/react/auth")).toEqual({
      name: "auth",
      path: "ui/react/auth",
      description: "React authentication.",
      keywords: ["React", "auth"],
      assetCount: 2,
      scriptCount: 1,
      children: [],
    });
  });

  test("counts the files that are served", () => {
    const skill = librarySkill("a", { assets: [asset("../x"), asset("y")] });
    expect(skillTree(libraryOf(skill), "a")).toMatchObject({ assetCount: 1 });
    expect(skillTree(libraryOf({ ...skill, resourceDir: undefined }), "a")).toMatchObject({ assetCount: 0 });
  });

  test.each([
    ["_root", "root"],
    ["ui/_index", "ui"],
    ["ui/react/_index", "react"],
    ["ui/react/auth", "auth"],
    ["ui/2fa", "2fa"],
  ])("%s goes by the name %s", (path, name) => {
    expect(skillTree(library, path)?.name).toBe(name);
  });

  test("begins with a root when there is none, and with nothing else in an empty library", () => {
    const node = {
      name: "root",
      path: "_root",
      description: "",
      keywords: [],
      assetCount: 0,
      scriptCount: 0,
    };
    expect(skillTree(libraryOf())).toEqual({ ...node, children: [] });
    const top = librarySkill("top");
    expect(skillTree(libraryOf(top))).toMatchObject({ ...node, children: [{ path: "top" }] });
    expect(skillTree(libraryOf(top), "_root")).toMatchObject({ ...node, children: [{ path: "top" }] });
  });

  test("hangs a skill below the root whose parent is gone", () => {
    expect(outline(skillTree(libraryOf(auth)))).toBe("_root(ui/react/auth)");
  });
});

describe("seed 004 §8.2: a part of the tree", () => {
  const whole = outline(skillTree(library));
  const below = "ui/_index(ui/2fa ui/react/_index(ui/react/auth))";
  test.each([
    ["", whole],
    ["/", whole],
    ["_root", whole],
    ["ui", below],
    ["ui/", below],
    ["/ui", below],
    ["ui/_index", below],
    ["ui/react", "ui/react/_index(ui/react/auth)"],
    ["ui/react/auth", "ui/react/auth"],
    ["api", "api(api/v1/users)"],
    ["api/v1", "api/v1(api/v1/users)"],
    ["api/v1/", "api/v1(api/v1/users)"],
    ["nope", "nothing"],
    ["u", "nothing"],
    ["UI", "nothing"],
    ["api/_index", "nothing"],
    ["ui/react/auth/assets", "nothing"],
    ["..", "nothing"],
  ])("%j is %s", (path, expected) => {
    expect(outline(skillTree(library, path))).toBe(expected);
  });

  test("L6: an unknown path is not the whole tree", () => {
    expect(skillTree(library, "nope")).toBeUndefined();
  });

  test("a folder without an index is made up, with the topmost skills in it", () => {
    const folder = libraryOf(
      librarySkill("api/v2/_index"),
      librarySkill("api/v2/users", { parent: "api/v2/_index" }),
      librarySkill("api/health"),
      librarySkill("apix"),
    );
    expect(skillTree(folder, "api")).toMatchObject({
      name: "api",
      path: "api",
      description: "",
      keywords: [],
      assetCount: 0,
      scriptCount: 0,
    });
    expect(outline(skillTree(folder, "api"))).toBe("api(api/health api/v2/_index(api/v2/users))");
  });

  test("the slash tells a folder from the file of its name", () => {
    const both = libraryOf(librarySkill("ui"), ui);
    expect(skillTree(both, "ui")?.path).toBe("ui");
    expect(skillTree(both, "ui/")?.path).toBe("ui/_index");
    expect(skillTree(libraryOf(librarySkill("ui")), "ui/")?.path).toBe("ui");
  });
});

test("a tree may be thousands of folders deep", () => {
  const depth = 5_000;
  const skills = Array.from({ length: depth }, (_, level) =>
    librarySkill(`level-${level}`, level === 0 ? {} : { parent: `level-${level - 1}` }),
  );
  let node = skillTree(libraryOf(...skills));
  let levels = 0;
  while (node?.children[0] !== undefined) {
    node = node.children[0];
    levels++;
  }
  expect(levels).toBe(depth);
});
