import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { setImmediate as turn } from "node:timers/promises";
import { ProtocolError } from "@modelcontextprotocol/server";
import { beforeAll, describe, expect, test } from "vitest";
import { traitsOf } from "#agents";
import { Refusal } from "#util/pure";
import { page } from "../../../../test/support/library.ts";
import { atEndOfGroup, createSandbox } from "../../../../test/support/sandbox.ts";
import { compose } from "../../src/compose.ts";
import { TOOL_DEFINITIONS, type ToolName } from "../../src/mcp/definitions/tool-definitions.generated.ts";
import { TOOL_NAMES } from "../../src/mcp/definitions/tool-sets.ts";
import { LONGEST_QUERY, type ToolServices } from "../../src/mcp/tools/tool.ts";
import { TOOLS } from "../../src/mcp/tools/tools.generated.ts";

/** In ms: how long one call may keep everyone else waiting. Set by `npm run check:security`, on a machine that does nothing else. */
const LONGEST_BLOCK = Number(process.env["SKILLS_MCP_BLOCK_MS"] ?? 0);
const SKILLS = LONGEST_BLOCK > 0 ? 2_000 : 20;

/** As long as a request may be, with the rest of its body. */
const LONGEST_TEXT = 900_000;

interface TextParameter {
  readonly tool: ToolName;
  readonly parameter: string;
  /** Undefined for names and paths of skills, which are looked up. */
  readonly max: number | undefined;
}

/** Every text that a tool takes, by the table of the tools. */
const TEXTS: readonly TextParameter[] = TOOL_NAMES.flatMap((tool) =>
  Object.entries(TOOL_DEFINITIONS[tool].inputSchema.properties ?? {}).flatMap(([parameter, schema]) => {
    const { type, maxLength } = schema as { readonly type?: string; readonly maxLength?: number };
    // The schemas of the catalog tools are specified, and name no maximum.
    const max = maxLength ?? (parameter === "query" ? LONGEST_QUERY : undefined);
    return type === "string" ? [{ tool, parameter, max }] : [];
  }),
);

/** What a tool needs besides the text that is tried. */
const OTHERS: Readonly<Record<string, unknown>> = {
  name: "pdf-1",
  skill: "pdf-1",
  path: "SKILL.md",
  task: "pdf",
  query: "pdf",
  context: "pdf",
  skill_path: "page-1",
  file: "x.txt",
  args: {},
  useful: true,
};

const WORDS = Array.from({ length: 2_000 }, (_, index) => `word${index}`).join(" ");

/** What costs the most to look up, to split, to compare or to match with a pattern. */
const FILLS: Readonly<Record<string, string>> = {
  colons: ":",
  slashes: "/",
  letters: "a",
  "short words": "a ",
  "words of the skills": `${WORDS} `,
  accents: "e\u0301\u0323",
  "white space": " \t",
  dots: "../",
};

const filled = (fill: string, length: number): string =>
  fill
    .repeat(Math.ceil(length / fill.length))
    .slice(0, length - 1)
    .concat("x");

async function call(
  services: ToolServices,
  { tool, parameter }: TextParameter,
  text: string,
): Promise<unknown> {
  const { properties = {}, required = [] } = TOOL_DEFINITIONS[tool].inputSchema;
  const needed = Object.keys(properties).filter((name) => required.includes(name));
  const args = { ...Object.fromEntries(needed.map((name) => [name, OTHERS[name]])), [parameter]: text };
  const about = { signal: AbortSignal.timeout(60_000), traits: traitsOf(undefined), isRemote: false };
  const loaded = await TOOLS[tool]();
  return loaded.call(services, args, about).catch((error: unknown) => {
    if (error instanceof Refusal || error instanceof ProtocolError) return error;
    throw error;
  });
}

describe("tools: the largest input", () => {
  const atEnd = atEndOfGroup();
  let services: ToolServices | undefined;
  const opened = (): ToolServices => {
    if (services === undefined) throw new Error("Opened while the tests run.");
    return services;
  };

  beforeAll(async () => {
    const sandbox = createSandbox(undefined, atEnd);
    for (let index = 0; index < SKILLS; index++) {
      sandbox.skill(`project/.claude/skills/pdf-${index}`, { body: `${WORDS}\n` });
      if (index < SKILLS / 10) sandbox.write(`library/page-${index}.md`, page(`pdf, word${index}`, "A page"));
    }
    const composed = compose({
      ...{ cwd: sandbox.project, userDir: sandbox.home, library: sandbox.path("library") },
      plugins: { skip: true },
    });
    atEnd(composed.close);
    const { skills, search, catalog, library } = composed.services;
    services = {
      ...{ snapshotWith: skills.snapshotWith, search: search.search, library, record() {} },
      ...{ listCatalog: catalog.listCatalog, searchAllWords: catalog.searchAllWords },
    };
    await search.search("pdf", 1, "models");
  }, 120_000);

  test("is limited, but for names and paths of skills", () => {
    const open = TEXTS.filter(({ max }) => max === undefined).map(({ parameter }) => parameter);
    expect(new Set(open)).toEqual(new Set(["name", "skill", "skill_path", "path"]));
    expect(TEXTS.filter(({ parameter, max }) => parameter === "path" && max === undefined)).toMatchObject([
      { tool: "list_skills" },
    ]);
  });

  test.each(TEXTS.filter(({ max }) => max !== undefined))(
    "of $parameter of $tool has $max characters, and a longer one is refused",
    async (text) => {
      const { max = 0, parameter } = text;
      const refused = await call(opened(), text, filled("a ", max + 1));
      expect(refused).toMatchObject({ code: -32602, message: expect.stringContaining(`'${parameter}'`) });
      expect(await call(opened(), text, filled("a ", max))).not.toMatchObject({ code: -32602 });
    },
  );

  test.each(TEXTS.filter(({ max }) => max === undefined))(
    "of $parameter of $tool is not found at once",
    async (text) => {
      const answer = await call(opened(), text, filled(":", LONGEST_TEXT));
      const said = answer instanceof Refusal ? answer.message : JSON.stringify(answer);
      expect(said).toMatch(/not found/);
      expect(said.length).toBeLessThan(10_000);
    },
  );

  test.skipIf(LONGEST_BLOCK === 0).each(TEXTS)(
    "of $parameter of $tool blocks nobody else for long",
    async (text) => {
      const took: [string, number][] = [];
      for (const [name, fill] of Object.entries(FILLS)) {
        const input = filled(fill, text.max ?? LONGEST_TEXT);
        const rounds: number[] = [];
        // The best of three: what else the machine does is not the tool's.
        for (let round = 0; round < 3; round++)
          rounds.push(await longestBlock(() => call(opened(), text, input)));
        took.push([name, Math.round(Math.min(...rounds))]);
      }
      expect(took.filter(([, ms]) => ms > LONGEST_BLOCK)).toEqual([]);
    },
    120_000,
  );
});

/** In ms. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await turn();
  delay.enable();
  const start = performance.now();
  await work();
  // A block at the end is seen by the next turn.
  const until = performance.now() - start;
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.disable();
  return Math.min(delay.max / 1e6, until + 5);
}
