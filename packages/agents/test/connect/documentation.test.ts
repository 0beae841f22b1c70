import { readdirSync, readFileSync } from "node:fs";
import { load } from "js-yaml";
import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import type { ConnectTarget, ServerConnection } from "../../src/connect/connect-form.ts";
import { CONNECT_TARGETS } from "../../src/connect/connect-targets.ts";
import { entryFor, mergeEntry } from "../../src/connect/entry.ts";
import type { ConfigEntry } from "../../src/documents/document.ts";
import { targetOf } from "./target-of.ts";

const PAGES = [
  "README.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name.replaceAll("\\", "/")}`),
];

const textOf = (page: string): string => readFileSync(page, "utf8").replaceAll("\r\n", "\n");

/** The table of docs/connect.md. */
function clientTable(): string {
  const rows = CONNECT_TARGETS.map(({ id, title, user, project, documentation }) => {
    const files = user === undefined ? [] : "unix" in user ? user.unix : user;
    const shown = files[0]?.replace(/^<(?:config|app)>/, "~/.config") ?? "";
    const cells = [
      `[${title}](${documentation})`,
      `\`${id}\``,
      `\`${shown}\``,
      project ? `\`${project[0]}\`` : "",
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return ["| client | id | yours | a project's |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

/** The page of an agent, where its name is not the id. */
const PAGE_OF: Readonly<Record<string, string>> = { vscode: "vs-code" };

function blocksOf(text: string): readonly (readonly [language: string, block: string])[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, language = "", block = ""]) => [
    language,
    block,
  ]);
}

function parsed(language: string, block: string): unknown {
  if (language === "json") return parseJson(block);
  if (language === "toml") return parseToml(block);
  return language === "yaml" ? load(block) : undefined;
}

/** The entry `skills` in a block, where an agent has it. */
function entryIn(document: unknown, { keys, inList }: ConnectTarget): ConfigEntry | undefined {
  const container = keys.reduce<unknown>((value, key) => (value as ConfigEntry | undefined)?.[key], document);
  if (inList === true)
    return (container as readonly ConfigEntry[] | undefined)?.find(({ name }) => name === "skills");
  return (container as Readonly<Record<string, ConfigEntry>> | undefined)?.["skills"];
}

function connectionOf(text: string): ServerConnection {
  const [, url] = /(https?:\/\/[^\s"`,]+)/.exec(text) ?? [];
  const [, token] = /Bearer ([^"]+)"/.exec(text) ?? [];
  return url === undefined
    ? { kind: "local" }
    : { kind: "http", url, ...(token === undefined ? {} : { token }) };
}

describe("documentation", () => {
  test("docs/connect.md lists every agent that connect knows", () => {
    expect(/<!-- clients -->\n([\s\S]*?)\n?<!-- \/clients -->/.exec(textOf("docs/connect.md"))?.[1]).toBe(
      clientTable(),
    );
  });

  test.each(PAGES)("%s: commands are those of the agents", (page) => {
    const lines = textOf(page).match(/^.*\b(?:claude|codex|gemini|qwen|copilot) mcp add .*$/gm) ?? [];
    for (const line of lines) {
      const [, written = "", program = ""] =
        /((claude|codex|gemini|qwen|copilot) mcp add [^`|]*)/.exec(line) ?? [];
      const agent = CONNECT_TARGETS.find(({ programs }) => programs.includes(program));
      const expected = agent?.add?.(connectionOf(written)) ?? "";
      // More arguments of the server may follow.
      expect(`${written.trim()} `.startsWith(`${expected} `), `${page}: ${written}, not ${expected}`).toBe(
        true,
      );
    }
  });

  test.each(CONNECT_TARGETS.filter(({ id }) => PAGES.includes(`docs/clients/${PAGE_OF[id] ?? id}.md`)))(
    "page of $id: entries are those of the agent",
    (agent) => {
      const page = `docs/clients/${PAGE_OF[agent.id] ?? agent.id}.md`;
      const entries = blocksOf(textOf(page)).flatMap(([language, block]) => {
        const entry = entryIn(parsed(language, block), agent);
        return entry === undefined ? [] : [{ entry, connection: connectionOf(block) }];
      });
      expect(entries.length).toBeGreaterThan(0);
      for (const { entry, connection } of entries) {
        expect(mergeEntry(entry, entryFor(agent, connection, "linux") ?? {})).toEqual(entry);
      }
    },
  );

  test.each(["README.md", "docs/git.md", "docs/library.md"])(
    "%s: entries are those of most agents",
    (page) => {
      const cursor = targetOf("cursor");
      const entries = blocksOf(textOf(page)).flatMap(([language, block]) => {
        const entry = language === "json" ? entryIn(parseJson(block), cursor) : undefined;
        return entry === undefined ? [] : [entry];
      });
      expect(entries.length).toBeGreaterThan(0);
      for (const entry of entries) {
        expect(mergeEntry(entry, entryFor(cursor, { kind: "local" }, "linux") ?? {})).toEqual(entry);
      }
    },
  );
});
