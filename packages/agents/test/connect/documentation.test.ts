import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { ALL_AGENTS } from "../../src/all-agents.ts";
import type { ConnectTarget, ServerConnection } from "../../src/connect/connect-form.ts";
import { CONNECT_TARGETS } from "../../src/connect/connect-targets.ts";
import { entryFor, mergeEntry } from "../../src/connect/entry.ts";
import type { ConfigEntry } from "../../src/documents/document.ts";
import { SKILL_FOLDERS } from "../../src/folders.ts";
import { HOOK_TARGETS } from "../../src/hooks/hook-entry.ts";
import { targetOf } from "./target-of.ts";

const PAGES = [
  "README.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name.replaceAll("\\", "/")}`),
];

const textOf = (page: string): string => readFileSync(page, "utf8").replaceAll("\r\n", "\n");

/** Fails where a page is not this text; `vitest run packages/agents --update` writes it. */
const expectPage = (page: string, text: string): Promise<void> =>
  expect(text).toMatchFileSnapshot(path.resolve(page));

/** What stands for the folder of programs' data, by the system. */
const SYSTEMS = [
  ["Linux", "unix", "~/.config"],
  ["macOS", "darwin", "~/Library/Application Support"],
  ["Windows", "win32", "%APPDATA%"],
] as const;

/** The file of a user on each system; once, where they are the same. */
function userFiles(user: ConnectTarget["user"]): string {
  const files = SYSTEMS.flatMap(([system, key, app]) => {
    const own = user !== undefined && "unix" in user ? (user[key] ?? user.unix) : user;
    const [file] = own ?? [];
    return file === undefined
      ? []
      : [[system, `\`${file.replace(/^<config>/, "~/.config").replace(/^<app>/, app)}\``] as const];
  });
  const names = [...new Set(files.map(([, file]) => file))];
  const systemsOf = (name: string) => files.filter(([, file]) => file === name).map(([system]) => system);
  return names.length < 2
    ? names.join("")
    : names.map((name) => `${systemsOf(name).join(", ")}: ${name}`).join("<br>");
}

/** The rows of docs/how-to/connect.md. */
function connectRows(): string {
  return CONNECT_TARGETS.map(({ id, title, user, project, documentation }) => {
    const cells = [
      `[${title}](${documentation})`,
      `\`${id}\``,
      userFiles(user),
      project ? `\`${project[0]}\`` : "",
    ];
    return `| ${cells.join(" | ")} |\n`;
  }).join("");
}

/** The rows of docs/how-to/hooks.md, with the versions that `npm run check:hooks` ran. */
function hookRows(page: string): string {
  return HOOK_TARGETS.map(({ id, title, event, user: [user], project: [project] }) => {
    const tested = new RegExp(`\\| \`${id}\` \\|.*\\| (\\S+) \\|\n`).exec(page)?.[1] ?? "no";
    return `| ${title} | \`${id}\` | \`${event}\` | \`${user}\`; \`${project}\` | ${tested} |\n`;
  }).join("");
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

/** By hand, the command that is installed: nobody else knows where. */
const LOCAL: ServerConnection = { kind: "local", command: ["skills-mcp"] };

function connectionOf(text: string): ServerConnection {
  const [, url] = /(https?:\/\/[^\s"`,]+)/.exec(text) ?? [];
  const [, token] = /Bearer ([^"]+)"/.exec(text) ?? [];
  return url === undefined ? LOCAL : { kind: "http", url, ...(token === undefined ? {} : { token }) };
}

describe("documentation", () => {
  test("docs/how-to/connect.md lists every agent that connect knows", async () => {
    const table = /(?<=<!-- clients -->\n.*\n.*\n)[\s\S]*?(?=<!-- \/clients -->)/;
    await expectPage(
      "docs/how-to/connect.md",
      textOf("docs/how-to/connect.md").replace(table, connectRows()),
    );
  });

  test("docs/how-to/hooks.md lists every agent that can have the hook", async () => {
    const page = textOf("docs/how-to/hooks.md");
    const table = /(?<=\n\| agent \| id \| event .*\n.*\n)(?:\|.*\n)*/;
    await expectPage("docs/how-to/hooks.md", page.replace(table, hookRows(page)));
  });

  test("docs/how-to/evals.md names every agent that eval can start", async () => {
    const page = textOf("docs/how-to/evals.md");
    const others = ALL_AGENTS.filter(({ id, run }) => run !== undefined && id !== "claude-code");
    const list = others.map(({ id }) => `\`${id}\``).join(", ");
    await expectPage("docs/how-to/evals.md", page.replace(/(?<=--run claude-code` \(or )[^)]*/, list));
  });

  test("docs/reference/skills.md names folders of agents and counts the others", async () => {
    const page = textOf("docs/reference/skills.md");
    const named = /\n\| `\.cursor`.*, and the folders of/.exec(page)?.[0].match(/`\./g)?.length ?? 0;
    // Three agents have rows of their own.
    const others = SKILL_FOLDERS.length - named - 3;
    await expectPage(
      "docs/reference/skills.md",
      page.replace(/folders of \d+ more agents/, `folders of ${others} more agents`),
    );
  });

  test.each(PAGES)("%s: commands are those of the agents", (page) => {
    const lines = textOf(page).match(/^.*\b(?:claude|codex|gemini|qwen|copilot) mcp add .*$/gm) ?? [];
    for (const line of lines) {
      const [, written = "", program = ""] =
        /((claude|codex|gemini|qwen|copilot) mcp add [^`|]*)/.exec(line) ?? [];
      const agent = CONNECT_TARGETS.find(({ programs }) => programs.includes(program));
      const expected = agent?.add?.(connectionOf(written), "skills-mcp") ?? "";
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

  test.each(CONNECT_TARGETS.filter(({ id }) => PAGES.includes(`docs/clients/${PAGE_OF[id] ?? id}.md`)))(
    "page of $id: files and limits are those of the agent",
    (agent) => {
      const text = textOf(`docs/clients/${PAGE_OF[agent.id] ?? agent.id}.md`);
      const named =
        /^In (`[^`]+`)(?: of a project| in a project)?(?:, or (`[^`]+`))?/m.exec(text)?.slice(1) ?? [];
      const files = [agent.user ?? [], agent.project ?? []]
        .flatMap((each) => ("unix" in each ? each.unix : each))
        .map((file) => file.replace("<config>", "~/.config").replace("<app>", "~/.config"));
      for (const file of named) if (file !== undefined) expect(files).toContain(file.slice(1, -1));
      const [, shown] =
        /^- It shows (?:about )?([\d,]+) (?:characters|bytes) of a tool's answer\.$/m.exec(text) ?? [];
      const limit = ALL_AGENTS.find(({ id }) => id === agent.id)?.client?.measured?.traits.answerLimit?.count;
      if (shown !== undefined) expect(Number(shown.replaceAll(",", ""))).toBe(limit);
    },
  );

  test.each(["README.md", "docs/how-to/git.md", "docs/how-to/library.md"])(
    "%s: entries are those of most agents",
    (page) => {
      const cursor = targetOf("cursor");
      const entries = blocksOf(textOf(page)).flatMap(([language, block]) => {
        const entry = language === "json" ? entryIn(parseJson(block), cursor) : undefined;
        return entry === undefined ? [] : [entry];
      });
      expect(entries.length).toBeGreaterThan(0);
      for (const entry of entries) {
        expect(mergeEntry(entry, entryFor(cursor, LOCAL, "linux") ?? {})).toEqual(entry);
      }
    },
  );
});
