import { describe, expect, test } from "vitest";
import { searchDocumentOf } from "../../../../src/search/engine/index/search-document.ts";

function documentOf(
  description: string,
  fields: Readonly<Record<string, unknown>> = {},
  evalPrompts: string[] = [],
) {
  return searchDocumentOf({ id: "a", name: "a", description, fields, body: "text", evalPrompts });
}

describe("the document of a skill", () => {
  test.each([
    ["keywords and tags", { keywords: ["one"], tags: "two, three" }, ["one", "two, three"]],
    ["aliases in metadata", { metadata: { aliases: ["k8s"] } }, ["k8s"]],
    ["numbers", { tags: [365] }, ["365"]],
    ["no other field", { license: "MIT", metadata: { origin: "x" } }, []],
  ])("takes %s as keywords", (_what, fields, keywords) => {
    expect(documentOf("", fields).keywords).toEqual(keywords);
  });

  test.each([
    ["examples and triggers", { examples: ["do this"], triggers: ["when that"] }, ["do this", "when that"]],
    ["when_to_use however it is spelled", { "when-to-use": "x y", whenToUse: "y z" }, ["x y", "y z"]],
    ["nested examples", { examples: [{ prompt: "do it", id: 1 }] }, ["do it", "1"]],
    ["lists three deep", { examples: [[["deep"]]] }, ["deep"]],
    ["no lists four deep", { examples: [[[["deep"]]]] }, []],
    ["maps three deep", { examples: { a: { b: { c: "deep" } } } }, ["deep"]],
    ["no maps four deep", { examples: { a: { b: { c: { d: "deep" } } } } }, []],
    ["nothing that is no text", { examples: [null, true, [[[["deep"]]]]] }, []],
  ])("takes %s as examples", (_what, fields, examples) => {
    expect(documentOf("", fields).examples).toEqual(examples);
  });

  test("takes quoted phrases and eval prompts as examples", () => {
    const { examples } = documentOf(`Use for "fill a form", “sign it” or 'merge two'. It's the user's.`, {}, [
      "do it",
    ]);
    expect(examples).toEqual(["fill a form", "sign it", "merge two", "do it"]);
  });

  test.each([
    ["Fills forms. Do NOT use for images (use image-tools). Reads v1.2 files.", "images"],
    ["Fills forms, not for images. Reads v1.2 files.", "images"],
    ["Fills forms. DO NOT USE FOR: images, e.g. a.png. Reads v1.2 files.", "png"],
    ["Fills forms. SKIP on: images; Reads v1.2 files.", "images"],
  ])("leaves out what it is not for: %s", (description, word) => {
    const indexed = documentOf(description).description;
    expect(indexed).toMatch(/Fills forms.*Reads v1\.2 files/);
    expect(indexed).not.toContain(word);
  });

  test("has a bounded number of bounded examples", () => {
    const { examples } = documentOf("", { examples: Array.from({ length: 500 }, () => "x".repeat(5000)) });
    expect([examples.length, examples[0]?.length]).toEqual([64, 400]);
  });
});
