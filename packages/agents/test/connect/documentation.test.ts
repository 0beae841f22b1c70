import { readdirSync, readFileSync } from "node:fs";
import { load } from "js-yaml";
import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { CLIENTS } from "../../src/clients.ts";
import { type Client, type Connection, entryFor, mergeEntry } from "../../src/connect/client.ts";
import { clientOf } from "../../src/connect/client-lines.ts";
import type { Entry } from "../../src/documents/document.ts";

const PAGES = [
  "README.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name.replaceAll("\\", "/")}`),
];

const textOf = (page: string): string => readFileSync(page, "utf8").replaceAll("\r\n", "\n");

/** The table of docs/connect.md. */
function clientTable(): string {
  const rows = CLIENTS.map(({ id, title, user, project, documentation }) => {
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

/** The page of each client that has one. */
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

/** The entry `skills` in a block, where a client has it. */
function entryIn(document: unknown, { keys, inList }: Client): Entry | undefined {
  const container = keys.reduce<unknown>((value, key) => (value as Entry | undefined)?.[key], document);
  if (inList === true)
    return (container as readonly Entry[] | undefined)?.find(({ name }) => name === "skills");
  return (container as Readonly<Record<string, Entry>> | undefined)?.["skills"];
}

function connectionOf(text: string): Connection {
  const [, url] = /(https?:\/\/[^\s"`,]+)/.exec(text) ?? [];
  const [, token] = /Bearer ([^"]+)"/.exec(text) ?? [];
  return url === undefined
    ? { kind: "local" }
    : { kind: "http", url, ...(token === undefined ? {} : { token }) };
}

describe("the documentation agrees with the table of clients", () => {
  test("docs/connect.md lists every client", () => {
    expect(/<!-- clients -->\n([\s\S]*?)\n?<!-- \/clients -->/.exec(textOf("docs/connect.md"))?.[1]).toBe(
      clientTable(),
    );
  });

  test.each(PAGES)("the commands in %s are those of the table", (page) => {
    const lines = textOf(page).match(/^.*\b(?:claude|codex|gemini|qwen|copilot) mcp add .*$/gm) ?? [];
    for (const line of lines) {
      const [, written = "", program = ""] =
        /((claude|codex|gemini|qwen|copilot) mcp add [^`|]*)/.exec(line) ?? [];
      const client = CLIENTS.find(({ programs }) => programs.includes(program));
      const expected = client?.add?.(connectionOf(written)) ?? "";
      // More arguments of the server may follow.
      expect(`${written.trim()} `.startsWith(`${expected} `), `${page}: ${written}, not ${expected}`).toBe(
        true,
      );
    }
  });

  test.each(CLIENTS.filter(({ id }) => PAGES.includes(`docs/clients/${PAGE_OF[id] ?? id}.md`)))(
    "the entries on the page of $id are those of the table",
    (client) => {
      const page = `docs/clients/${PAGE_OF[client.id] ?? client.id}.md`;
      const entries = blocksOf(textOf(page)).flatMap(([language, block]) => {
        const entry = entryIn(parsed(language, block), client);
        return entry === undefined ? [] : [{ entry, connection: connectionOf(block) }];
      });
      expect(entries.length).toBeGreaterThan(0);
      for (const { entry, connection } of entries) {
        expect(mergeEntry(entry, entryFor(client, connection, "linux") ?? {})).toEqual(entry);
      }
    },
  );

  test.each(["README.md", "docs/git.md", "docs/library.md"])(
    "the entries in %s are those of most clients",
    (page) => {
      const cursor = clientOf("cursor");
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
