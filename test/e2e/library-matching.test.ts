import { describe, expect, test } from "vitest";
import { page, serveLibraryInProcess as serveLibrary, shareLibrary } from "../support/library.ts";
import { createSandbox } from "../support/sandbox.ts";

const list = (count: number, prefix: string): string =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`).join(", ");

describe("seed 004 §5.1: tokenization", () => {
  const server = shareLibrary({
    // No word of the example is left out, and none of its stop words is a token.
    "example.md": page("create, react, component, authentication", "The example's tokens"),
    "stops.md": page("forx, thex, avec-un", "Only stop words could match"),
    "c6.md": page("créer, 認証, react-native", "Accents, CJK and hyphens"),
    "cr.md": page("cr, er", "What a split accent would leave"),
  });
  const get = (context: string) => server().call("get_skill", { context });

  test('"Create a React component for the authentication" → create, react, component, authentication', async () => {
    expect(await get("Create a React component for the authentication")).toMatchObject({
      skill_path: "example",
      score: 1,
      matched_keywords: ["create", "react", "component", "authentication"],
    });
  });
  test("lowercase, remove punctuation, split on white space, deduplicate", async () => {
    expect(await get("REACT!!! (react), «component»;\n\tcreate?")).toMatchObject({
      skill_path: "example",
      score: 0.75,
      matched_keywords: ["create", "react", "component"],
    });
  });
  test("filter stop words of English and French", async () => {
    expect(await get("a an the is of to in for with le la les un une de du et ou en")).toMatchObject({
      no_match: true,
    });
  });
  test("keep hyphens", async () => {
    expect(await get("react-native")).toMatchObject({
      candidates: [{ skill_path: "c6" }, { skill_path: "example" }],
    });
  });
  test("C6: Créer stays one word", async () => {
    expect(await get("Créer")).toMatchObject({ skill_path: "c6", matched_keywords: ["créer"] });
  });
  test("C6: text in Chinese characters has tokens", async () => {
    expect(await get("認証を追加 認証")).toMatchObject({ matched_keywords: ["認証"] });
  });
});

describe("seed 004 §5.2: scoring", () => {
  const ROWS = [
    ["react", "react", true],
    ["authentication", "auth", true],
    ["auth", "authentication", true],
    ["react", "reactjs", true],
    ["go", "golang", false],
    ["ts", "ts", true],
    // The contract: short on either side means exact only.
    ["js", "json", false],
    ["golang", "go", false],
    ["json", "js", false],
    ["go", "go", true],
  ] as const;
  const KEYWORDS = [...new Set(ROWS.map(([, keyword]) => keyword))];
  const server = shareLibrary(
    Object.fromEntries(KEYWORDS.map((keyword) => [`${keyword}.md`, page(keyword, `Only ${keyword}`)])),
  );

  test.each(ROWS)(
    "bidirectional matching examples: token %s, keyword %s → %s",
    async (token, keyword, match) => {
      const answer = await server().call("get_skill", { context: token });
      const paths = [answer, ...((answer["candidates"] as readonly object[] | undefined) ?? [])].map(
        (each) => (each as { skill_path?: string }).skill_path,
      );
      expect(paths.includes(keyword)).toBe(match);
    },
  );

  test("finalScore = matched / total + priority × 0.001, rounded to three decimals", async () => {
    const { call } = await serveLibrary(createSandbox(), {
      "third.md": page("alpha, beta, gamma", "A third", "priority: 5"),
      "over.md": page("omega", "All of it, and more", "priority: 10"),
    });
    expect(await call("get_skill", { context: "alpha" })).toMatchObject({ score: 0.338 });
    expect(await call("get_skill", { context: "omega" })).toMatchObject({ score: 1.01 });
  });
});

describe("seed 004 §5.3: ambiguity detection", () => {
  // Ten keywords each, so that scores are tenths; some words are in several of them.
  const files = {
    "a.md": page(`shared, common, third, alpha, ${list(6, "a")}`, "A"),
    "b.md": page(`shared, common, third, beta, ${list(6, "b")}`, "B"),
    "c.md": page(`common, third, gamma, ${list(7, "c")}`, "C", "priority: 40"),
    "d.md": page(`common, third, ${list(8, "d")}`, "D"),
  };
  const server = shareLibrary(files);
  const get = (context: string) => server().call("get_skill", { context });
  const candidates = async (context: string) =>
    ((await get(context))["candidates"] as readonly { skill_path: string; score: number }[]).map(
      ({ skill_path, score }) => [skill_path, score],
    );

  test("no result → no_match", async () => {
    expect(await get("nothing-here")).toMatchObject({ no_match: true });
  });
  test("min_score 0.2: below it a skill is excluded", async () => {
    expect(await get("alpha")).toMatchObject({ no_match: true });
  });
  test("min_score 0.2: exactly at it, the one result is a single match", async () => {
    expect(await get("alpha a0")).toMatchObject({ skill_path: "a", score: 0.2 });
  });
  test("a gap of less than 0.1 → ambiguous, sorted by score", async () => {
    expect(await candidates("third gamma beta shared")).toEqual([
      ["b", 0.3],
      ["c", 0.24],
      ["a", 0.2],
    ]);
  });
  test("a gap of exactly 0.1 → single match", async () => {
    expect(await get("shared common alpha")).toMatchObject({ skill_path: "a", score: 0.3 });
  });
  test("up to max_results (3) candidates", async () => {
    expect(await candidates("common third")).toEqual([
      ["c", 0.24],
      ["a", 0.2],
      ["b", 0.2],
    ]);
  });

  test("the thresholds are config.yaml's", async () => {
    const { call } = await serveLibrary(createSandbox(), {
      ...files,
      "config.yaml": "matching:\n  min_score: 0.1\n  max_results: 2\n  ambiguity_threshold: 0.25\n",
    });
    expect(await call("get_skill", { context: "alpha" })).toMatchObject({ skill_path: "a", score: 0.1 });
    const wide = await call("get_skill", { context: "shared common third alpha" });
    expect(wide["candidates"]).toMatchObject([
      { skill_path: "a", score: 0.4 },
      { skill_path: "b", score: 0.3 },
    ]);
  });
});

describe("no_match: suggestions of the ranked search", () => {
  test("a library skill whose text fits, although no keyword does, is suggested by its skill_path", async () => {
    const { call } = await serveLibrary(createSandbox(), {
      "ops/backup.md": page(
        "restic",
        "Restores a database after an outage",
        "",
        "How to restore snapshots.\n",
      ),
      "ops/other.md": page("terraform", "Describes infrastructure"),
    });
    const answer = await call("get_skill", { context: "restore the database" });
    expect(answer).toMatchObject({
      no_match: true,
      suggestions: [{ description: "Restores a database after an outage", skill_path: "ops/backup" }],
    });
    expect(await call("get_skill", { skill_path: "ops/backup" })).toMatchObject({ skill_path: "ops/backup" });
  });
});
