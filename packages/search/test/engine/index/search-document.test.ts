import { describe, expect, test } from "vitest";
import { searchDocumentOf } from "../../../src/engine/index/build-segment.ts";

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
    ["every field for them", { topics: "a", Category: "b", categories: ["c"] }, ["a", "b", "c"]],
    [
      "the first 64",
      { tags: Array.from({ length: 65 }, (_, tag) => tag) },
      Array.from({ length: 64 }, (_, tag) => `${tag}`),
    ],
    ["nothing of metadata that is no map", { metadata: null, tags: "a" }, ["a"]],
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

  test.each([
    ["of three characters", `Use for "abc" and "ab".`, ["abc"]],
    ["of 200 characters", `Use for "${"a".repeat(200)}" and ‘it’.`, ["a".repeat(200)]],
    ["no longer", `Use for "${"a".repeat(201)}".`, []],
    ["not of what it is not for", `Use for "forms". Do not use for "images".`, ["forms"]],
  ])("takes quoted phrases %s as examples", (_what, description, examples) => {
    expect(documentOf(description).examples).toEqual(examples);
  });

  test("has at most 64 examples, of front matter first", () => {
    const examples = Array.from({ length: 63 }, (_, number) => `${number}`);
    expect(documentOf(`Use for "one" and "two".`, { examples }, ["three"]).examples).toEqual([
      ...examples,
      "one",
    ]);
  });

  test("has a bounded number of bounded examples", () => {
    const { examples } = documentOf("", { examples: Array.from({ length: 500 }, () => "x".repeat(5000)) });
    expect([examples.length, examples[0]?.length]).toEqual([64, 400]);
  });
});
