import { describe, expect, test } from "vitest";
import { page, SAMPLE, serveLibraryInProcess as serveLibrary, shareLibrary } from "../support/library.ts";
import { createSandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

describe("seed 004 §6: content resolution", () => {
  const server = shareLibrary({
    ...SAMPLE,
    "my  docs/Über uns/page.md": page("spaces", "Odd names", "", "Odd text.\n"),
    "ui/alone/_index.md": page("alone", "Cuts itself off", "inherit: false", "Alone text.\n"),
    "ui/alone/child.md": page("grandchild", "Below one that inherits nothing", "", "Child text.\n"),
    "empty.md": page("empty", "No text at all", "", ""),
    "windows.md": page("windows", "CRLF", "", "One.\nTwo.\n").replaceAll("\n", "\r\n"),
  });
  const content = async (skill_path: string) =>
    (await server().call("get_skill", { skill_path }))["content"] as string;

  test("§6.2: content aggregation format, byte for byte", async () => {
    expect(await content("ui/react/auth")).toBe(
      `=== GLOBAL RULES (from _root.md) ===

Global text.

=== UI (from ui/_index.md) ===

UI text.

=== UI > REACT (from ui/react/_index.md) ===

React text.

=== UI > REACT > AUTH (from ui/react/auth.md) ===

Auth text.`,
    );
  });

  test("§6.1: the chain is collected from the skill to the root, so a level in the middle ends with itself", async () => {
    expect(await content("ui/_index")).toBe(
      "=== GLOBAL RULES (from _root.md) ===\n\nGlobal text.\n\n=== UI (from ui/_index.md) ===\n\nUI text.",
    );
    expect(await content("_root")).toBe("=== GLOBAL RULES (from _root.md) ===\n\nGlobal text.");
  });

  test("§6.2: header formatting, white space is normalized and the file is named as it is", async () => {
    expect(await content("my  docs/Über uns/page")).toContain(
      "\n\n=== MY DOCS > ÜBER UNS > PAGE (from my  docs/Über uns/page.md) ===\n\nOdd text.",
    );
  });

  test("§6.2: with inherit: false only the skill's own content, without headers", async () => {
    expect(await content("no-inherit")).toBe("    indented code\n\nAlone.");
  });

  test("§6.1: a skill below one that inherits nothing still inherits the whole chain", async () => {
    expect(await content("ui/alone/child")).toMatch(
      /GLOBAL RULES[\s\S]*=== UI \([\s\S]*=== UI > ALONE \([\s\S]*=== UI > ALONE > CHILD \(/,
    );
  });

  test("a skill without text is its header alone", async () => {
    expect(await content("empty")).toMatch(/\n\n=== EMPTY \(from empty\.md\) ===$/);
  });

  test("line ends of Windows are served as they are", async () => {
    expect(await content("windows")).toMatch(/=== WINDOWS \(from windows\.md\) ===\n\nOne\.\r\nTwo\.$/);
  });
});

describe("seed 004 §7.3: inherited assets", () => {
  const declared = (...files: string[]) => `assets:\n${files.map((file) => `  - file: ${file}`).join("\n")}`;
  const server = shareLibrary({
    "_root.md": page("root", "r", declared("global.css")),
    "_root/global.css": "root",
    "ui/_index.md": page("ui-only", "u", declared("design-tokens.json")),
    "ui/_index/design-tokens.json": "{}",
    "ui/react/_index.md": page("react", "c", declared("component-base.tsx")),
    "ui/react/_index/component-base.tsx": "parent",
    "ui/react/auth.md": page("auth", "d", declared("AuthProvider.tsx", "component-base.tsx")),
    "ui/react/auth/AuthProvider.tsx": "provider",
    "ui/react/auth/component-base.tsx": "child",
    "ui/react/alone.md": page("alone", "e", `inherit: false\n${declared("own.txt")}`),
    "ui/react/alone/own.txt": "own",
    "ui/react/form.md": page("form", "f", declared("deep/er/component-base.tsx")),
    "ui/react/form/deep/er/component-base.tsx": "form",
  });
  const files = async (skill_path: string, key: string) =>
    (
      (await server().call("get_skill", { skill_path }))[key] as readonly { file: string; from?: string }[]
    ).map(({ file, from }) => (from === undefined ? file : `${file} from ${from}`));

  test("the diagram: the whole chain is available, and the child's component-base.tsx overrides the parent's", async () => {
    expect(await files("ui/react/auth", "assets")).toEqual(["AuthProvider.tsx", "component-base.tsx"]);
    expect(await files("ui/react/auth", "inherited_assets")).toEqual([
      "global.css from _root",
      "design-tokens.json from ui/_index",
    ]);
    const own = await server().call("get_asset", { skill_path: "ui/react/auth", file: "component-base.tsx" });
    expect(own).toMatchObject({ content: "child" });
    expect(own).not.toHaveProperty("resolved_from");
  });
  test("the map is keyed by filename, wherever the file lies in its folder", async () => {
    expect(await files("ui/react/form", "inherited_assets")).toEqual([
      "global.css from _root",
      "design-tokens.json from ui/_index",
    ]);
  });
  test("the from field: assets from the skill itself have none", async () => {
    const { assets } = (await server().call("get_skill", { skill_path: "_root" })) as { assets?: object[] };
    expect(assets?.map((asset) => Object.keys(asset))).toEqual([["file", "description", "type", "content"]]);
  });
  test("inherit: false inherits no assets", async () => {
    expect(await files("ui/react/alone", "inherited_assets")).toEqual([]);
  });

  test("§7.5: asset chain lookup goes up until it is found, and stops at inherit: false", async () => {
    const get = (skill_path: string, file: string) => server().call("get_asset", { skill_path, file });
    expect(await get("ui/react/auth", "design-tokens.json")).toMatchObject({
      content: "{}",
      resolved_from: "ui/_index",
    });
    expect(await get("ui/react/auth", "global.css")).toMatchObject({ resolved_from: "_root" });
    expect((await get("ui/react/alone", "global.css")).message).toContain("Asset not found");
    // Downwards there is no way.
    expect((await get("ui/_index", "AuthProvider.tsx")).message).toContain("Asset not found");
  });
});

describe("seed 004 §7.1: asset metadata resolution", () => {
  const fields =
    "assets:\n  - file: ../../../secret.txt\n  - file: /etc/hostname\n  - file: a\\..\\b\n  - file: fine.txt\nscripts:\n  - file: ../evil.sh\n    execution: server";

  test("a declaration that leads out is skipped, with a warning that names it", async () => {
    const sandbox = createSandbox();
    sandbox.write("project/secret.txt", "secret");
    const { call, log } = await serveLibrary(sandbox, {
      "ui/x.md": page("word", "Declares too much", fields),
      "ui/x/fine.txt": "fine",
    });
    const answer = await call("get_skill", { context: "word" });
    expect(answer["assets"]).toMatchObject([{ file: "fine.txt", content: "fine" }]);
    expect(answer["scripts"]).toEqual([]);
    for (const file of ["../../../secret.txt", "/etc/hostname", "a\\\\..\\\\b", "../evil.sh"]) {
      const declares = `ui/x.md declares the ${file.endsWith("sh") ? "script" : "asset"} "${file}"`;
      await waitUntil(declares, () => log().includes(declares));
    }
    // Said once, however often it is served.
    await call("get_skill", { context: "word" });
    expect(log().match(/ui\/x\.md declares the script/g)).toHaveLength(1);
  });
});
