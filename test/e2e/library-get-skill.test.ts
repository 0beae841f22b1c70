import { describe, expect, test } from "vitest";
import { page, SAMPLE, serveLibraryInProcess as serveLibrary, shareLibrary } from "../support/library.ts";
import { createSandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

describe("seed 004 §8.1: get_skill", () => {
  const server = shareLibrary(SAMPLE);
  const get = (args: Record<string, unknown>) => server().call("get_skill", args);

  test("no match", async () => {
    expect(await get({ context: "zzz" })).toEqual({
      no_match: true,
      message: "No skill matches the given context.",
      suggestions: [],
    });
  });

  test("no match: suggestions of the ranked search, up to three, by the name that loads them", async () => {
    const sandbox = createSandbox();
    for (const name of ["pdf-one", "pdf-two", "pdf-three", "pdf-four"])
      sandbox.skill(`project/.claude/skills/${name}`, { description: "Fills out PDF forms." });
    const { call } = await serveLibrary(sandbox, SAMPLE);
    const answer = (await call("get_skill", { context: "fill out a PDF form" })) as {
      suggestions?: readonly { name: string; description: string }[];
    };
    expect(Object.keys(answer)).toEqual(["no_match", "message", "suggestions"]);
    expect(answer.suggestions).toHaveLength(3);
    for (const { name, description } of answer.suggestions ?? []) {
      expect(name).toMatch(/^pdf-/);
      expect(description).toBe("Fills out PDF forms.");
    }
  });

  test("ambiguous (multiple candidates)", async () => {
    const { call } = await serveLibrary(createSandbox(), {
      "ui/react/auth.md": page(
        "react, auth, hooks, login",
        "React authentication components and patterns",
        "priority: 50",
      ),
      "api/auth.md": page("auth, api, jwt, middleware", "API authentication with JWT middleware"),
    });
    expect(await call("get_skill", { context: "auth for the react api" })).toEqual({
      ambiguous: true,
      candidates: [
        {
          skill_path: "ui/react/auth",
          score: 0.55,
          description: "React authentication components and patterns",
          matched_keywords: ["react", "auth"],
        },
        {
          skill_path: "api/auth",
          score: 0.5,
          description: "API authentication with JWT middleware",
          matched_keywords: ["auth", "api"],
        },
      ],
      message: "Multiple skills match. Specify your need or pick a skill_path.",
    });
    // L16: what it says can be done.
    expect(
      await call("get_skill", { context: "auth for the react api", skill_path: "api/auth" }),
    ).toMatchObject({ skill_path: "api/auth", score: 0.5, matched_keywords: ["auth", "api"] });
  });

  const SERVED = {
    content: expect.stringMatching(/^=== GLOBAL RULES[\s\S]*=== UI > REACT > AUTH [\s\S]*Auth text\.$/),
    assets: [
      {
        file: "assets/AuthProvider.tsx.template",
        description: "A provider",
        type: "template",
        content: "import React from 'react';\n",
      },
      {
        file: "assets/component-base.tsx.template",
        description: "Its own component",
        type: "template",
        content: "the child's component\n",
      },
      { file: "assets/auth-flow.svg", description: "The flow", type: "image" },
    ],
    scripts: [
      {
        file: "scripts/scaffold-auth.sh",
        description: "Scaffolds it",
        execution: "claude",
        args: [{ name: "name", description: "The component", required: true }],
      },
      {
        file: "scripts/validate-auth-config.sh",
        description: "Checks the config",
        execution: "server",
        args: [],
      },
    ],
    inherited_assets: [
      {
        file: "assets/global.css",
        description: "Global styles",
        type: "style",
        from: "_root",
        content: "body {}\n",
      },
      {
        file: "assets/design-tokens.json",
        description: "Colours",
        type: "config",
        from: "ui/_index",
        content: '{"blue":"#00f"}\n',
      },
      {
        file: "assets/hook.ts",
        description: "A hook",
        type: "other",
        from: "ui/react/_index",
        content: "export {};\n",
      },
    ],
    inherited_scripts: [
      {
        file: "scripts/audit.sh",
        description: "Checks anything",
        execution: "server",
        args: [
          { name: "target", description: "What to check", required: true },
          { name: "depth", description: "", required: false },
        ],
        from: "_root",
      },
    ],
  };

  test("single match", async () => {
    expect(await get({ context: "auth for a react component" })).toEqual({
      skill_path: "ui/react/auth",
      score: 0.85,
      matched_keywords: ["react", "auth", "component"],
      ...SERVED,
    });
  });

  test("skill_path alone", async () => {
    expect(await get({ skill_path: "ui/react/auth" })).toEqual({
      skill_path: "ui/react/auth",
      score: 1,
      matched_keywords: [],
      ...SERVED,
    });
  });
  test.each([
    ["something else", "jwt middleware", 0, []],
    ["one of four keywords", "login", 0.35, ["login"]],
  ])("skill_path with a context that matches %s", async (_what, context, score, matched_keywords) => {
    expect(await get({ context, skill_path: "ui/react/auth" })).toEqual({
      skill_path: "ui/react/auth",
      score,
      matched_keywords,
      ...SERVED,
    });
  });
  test("skill_path with a context that alone would lead nowhere says what it matched", async () => {
    const { call } = await serveLibrary(createSandbox(), {
      "ten.md": page("alpha, bravo, charlie, delta, echo, foxtrot, golf, hotel, india, juliett", "Ten"),
    });
    expect(await call("get_skill", { context: "golf" })).toMatchObject({ no_match: true });
    expect(await call("get_skill", { context: "golf", skill_path: "ten" })).toMatchObject({
      score: 0.1,
      matched_keywords: ["golf"],
    });
  });
  test.each(["ui", "ui/", "ui/_index.md"])(
    "skill_path %s stands for the folder's index",
    async (skill_path) => {
      expect(await get({ skill_path })).toMatchObject({ skill_path: "ui/_index" });
    },
  );
  test("a skill_path that is not there is an error that suggests", async () => {
    expect(await get({ skill_path: "ui/react/auht" })).toEqual({
      error: true,
      message: expect.stringContaining('Skill not found: "ui/react/auht". Did you mean: ui/react/auth'),
    });
  });
  test("neither context nor skill_path is -32602 and names context", async () => {
    const error: unknown = await get({}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: -32602 });
    expect(String(error)).toContain("'context'");
  });
});

describe("seed 004 §8.2: list_skills", () => {
  const server = shareLibrary({
    ...SAMPLE,
    "loose/deep/one.md": page("one", "In a folder without an index"),
  });
  const node = (name: string, path: string, rest: object = {}) => ({
    name,
    path,
    description: expect.any(String) as string,
    keywords: expect.any(Array) as string[],
    assetCount: 0,
    scriptCount: 0,
    children: [],
    ...rest,
  });
  const AUTH = node("auth", "ui/react/auth", {
    description: "React authentication components and patterns",
    keywords: ["react", "auth", "component", "login"],
    assetCount: 3,
    scriptCount: 2,
  });
  const REACT = node("react", "ui/react/_index", { assetCount: 2, children: [AUTH] });
  const UI = node("ui", "ui/_index", {
    description: "Rules for user interfaces",
    keywords: ["ui", "interface"],
    assetCount: 1,
    children: [REACT],
  });

  test("a recursive tree of SkillNode objects", async () => {
    expect(await server().call("list_skills")).toEqual({
      tree: node("root", "_root", {
        description: "Rules for everything",
        keywords: ["global"],
        assetCount: 1,
        scriptCount: 1,
        children: [
          node("auth", "api/auth"),
          node("one", "loose/deep/one"),
          node("no-inherit", "no-inherit"),
          UI,
        ],
      }),
    });
  });
  test.each([
    ["ui", UI],
    ["ui/_index", UI],
    ["ui/", UI],
    ["ui/react", REACT],
    ["ui/react/auth", AUTH],
  ])("sub-tree filter %s", async (path, tree) => {
    expect(await server().call("list_skills", { path })).toEqual({ tree });
  });
  test("a folder without an index shows what is in it", async () => {
    expect(await server().call("list_skills", { path: "loose" })).toEqual({
      tree: node("loose", "loose", {
        description: "",
        keywords: [],
        children: [node("one", "loose/deep/one")],
      }),
    });
  });
  test.each(["nope", "ui/nope", "../..", "/etc", "u"])(
    "L6: the unknown path %s is an error",
    async (path) => {
      const answer = await server().call("list_skills", { path });
      expect(answer).toEqual({ error: true, message: expect.stringContaining(`Skill not found: "${path}"`) });
    },
  );
});

describe("seed 004 §8.5: report_usage", () => {
  test("response, and one line on stderr", async () => {
    const { call, log } = await serveLibrary(createSandbox(), SAMPLE);
    const skill_path = "ui/react/auth";
    expect(await call("report_usage", { skill_path, useful: true, comment: "clear\nand short" })).toEqual({
      recorded: true,
      message: "Feedback recorded for ui/react/auth",
    });
    await waitUntil("the line", () => log().includes("feedback: ui/react/auth was useful: clear"));
    expect(
      log()
        .split("\n")
        .filter((line) => line.includes("feedback:")),
    ).toHaveLength(1);
    expect(await call("report_usage", { skill_path, useful: false })).toMatchObject({ recorded: true });
    expect(await call("report_usage", { skill_path: "nope", useful: false })).toMatchObject({ error: true });
  });
});
