import { describe, expect, test } from "vitest";
import { startWebServer, type WebPage } from "../../../../test/support/web-server.ts";
import { variableOf } from "../../src/credentials/host-tokens.ts";
import { searchRegistries } from "../../src/registries/search-registries.ts";
import { createMachine } from "../fetch/fetching.ts";

const INDEX = "/.well-known/agent-skills/index.json";
const SEARCH = "/api/search?q=read+pdf&limit=10";
const DIGEST = `sha256:${"0".repeat(64)}`;
const ask = (registries: readonly string[], environment: NodeJS.ProcessEnv = {}, query = "read pdf") =>
  searchRegistries(registries, { query, limit: 10 }, createMachine(environment).options);

const found = (...skills: readonly unknown[]): WebPage => ({ json: { query: "x", skills } });
const PDF = { id: "acme/skills/pdf", skillId: "pdf", name: "pdf", installs: 1200, source: "acme/skills" };

test("an index, a marketplace and a search are asked, each in its own format", async () => {
  const site = await startWebServer({
    [INDEX]: {
      json: {
        skills: [
          { name: "notes", type: "skill-md", description: "Writes notes.", url: "x", digest: DIGEST },
          { name: "pdf", type: "archive", description: "Reads PDF files.", url: "y", digest: DIGEST },
        ],
      },
    },
    "/plugins/marketplace.json": {
      json: {
        name: "m",
        plugins: [
          {
            name: "pdf-tools",
            source: { source: "github", repo: "acme/pdf" },
            description: "Read PDF",
            license: "MIT",
          },
          { name: "inside", source: "./inside", description: "pdf" },
        ],
      },
    },
    [SEARCH]: found(PDF, { ...PDF, id: "acme/skills/other", name: "read-more" }),
    "/api/v1/skills/audit/acme/skills/pdf": {
      json: { audits: [{ provider: "Socket", status: "pass", riskLevel: "LOW" }, { provider: 5 }, "x"] },
    },
  });
  const place = `${site.origin}/plugins/marketplace.json`;
  const answers = await ask([site.origin, place, `${site.origin}/api/search`]);
  expect(answers).toEqual([
    {
      registry: site.origin,
      total: 1,
      results: [{ name: "pdf", skill: "pdf", source: site.origin, description: "Reads PDF files." }],
    },
    {
      registry: place,
      total: 2,
      results: [
        { name: "pdf-tools", source: "acme/pdf", description: "Read PDF", license: "MIT" },
        { name: "inside", source: place, description: "pdf" },
      ],
    },
    {
      registry: `${site.origin}/api/search`,
      total: 2,
      results: [
        {
          ...{ name: "pdf", skill: "pdf", source: "acme/skills", description: "", installs: 1200 },
          audits: [{ by: "Socket", status: "pass", risk: "LOW" }],
        },
        { name: "read-more", skill: "read-more", source: "acme/skills", description: "", installs: 1200 },
      ],
    },
  ]);
  // What is searched for is sent to a search alone.
  expect(site.requests.filter(({ url }) => url.includes("pdf") && !/search|audit/.test(url))).toEqual([]);
});

test("without registries nobody is asked", async () => {
  expect(await ask([])).toEqual([]);
});

test("one that fails takes nothing from the others, and a token goes to its own host alone", async () => {
  const [open, closed] = [
    await startWebServer({ [SEARCH]: found(PDF) }),
    await startWebServer({}, "canary-token"),
  ];
  closed.pages.set(SEARCH, found(PDF));
  const registries = [`${closed.origin}/api/search`, `${open.origin}/api/search`];
  const [first, second] = await ask(registries);
  expect(first?.problem).toContain(`run skills-mcp login ${new URL(closed.origin).host}`);
  expect(second?.results).toHaveLength(1);
  const environment = { [variableOf(new URL(closed.origin).host)]: "canary-token" };
  expect((await ask(registries, environment)).map(({ results }) => results.length)).toEqual([1, 1]);
  expect(open.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
});

describe("a hostile registry", () => {
  const BAD_SOURCES = [
    "../../etc",
    "/etc",
    "./here",
    "~/.ssh",
    "C:\\x",
    "--upload-pack=x",
    "file:///etc/passwd",
    "ext::sh -c x",
    "ssh://evil.example/x",
    "git@evil.example:a/b",
    "http://evil.example/x",
    "https://ann:pw@evil.example/x.git",
    "acme/skills\u0000",
    "acme/..",
    "-acme/skills",
    "marketplace.json",
    5,
    null,
    "",
  ];
  test.each(BAD_SOURCES)("cannot name %j as the source of a skill", async (source) => {
    const site = await startWebServer({ [SEARCH]: found({ ...PDF, source }) });
    expect((await ask([`${site.origin}/api/search`]))[0]?.results).toEqual([]);
  });

  test.each(["../pdf", "a/b", ".hidden", "a\\b", "", 5])(
    "cannot call a skill %j in an index",
    async (name) => {
      const site = await startWebServer({
        [INDEX]: { json: { skills: [{ name, description: "read pdf" }] } },
      });
      expect((await ask([site.origin]))[0]?.results).toEqual([]);
    },
  );

  type Case = readonly [string, (other: string) => WebPage, RegExp];
  test.each<Case>([
    [
      "redirects to another host",
      (other) => ({ redirect: `${other}/api/search` }),
      /redirects to .* only the named source/,
    ],
    ["redirects for ever", () => ({ redirect: SEARCH }), /redirects more than/],
    ["is a page", () => "<html>", /is not a search of skills/],
    ["is a list", () => ({ json: [] }), /is not a search of skills/],
    ["has no list of skills", () => ({ json: { skills: {} } }), /is not a search of skills/],
    ["is far too large", () => Buffer.alloc(9 * 1024 * 1024, " "), /larger than the limit of 8 MiB/],
    ["fails", () => ({ status: 500 }), /the server failed \(500\)/],
    ["wants a login", () => ({ status: 401 }), /it needs a login/],
    ["is nested too deep", () => "[".repeat(200_000), /is not a search of skills/],
  ])("that %s has a reason and no results, and no other host is asked", async (_what, page, reason) => {
    const other = await startWebServer();
    const site = await startWebServer({ [SEARCH]: page(other.origin) });
    const [answer] = await ask([`${site.origin}/api/search`]);
    expect(answer).toMatchObject({ results: [], problem: expect.stringMatching(reason) as string });
    expect(other.requests).toEqual([]);
  });

  test("audits elsewhere, in another shape or behind another path take no result away", async () => {
    const other = await startWebServer();
    const skills = ["x/y/moved", "x/y/broken", "../../mcp", "", "a//b"].map((id, at) => ({
      ...PDF,
      id,
      name: `pdf-${at}`,
    }));
    const site = await startWebServer({
      [SEARCH]: found(...skills),
      "/api/v1/skills/audit/x/y/moved": { redirect: `${other.origin}/` },
      "/api/v1/skills/audit/x/y/broken": "{",
    });
    const [answer] = await ask([`${site.origin}/api/search`]);
    expect(answer?.results.map(({ audits }) => audits)).toEqual(skills.map(() => undefined));
    expect(site.requests.map(({ url }) => url)).toEqual([
      SEARCH,
      "/api/v1/skills/audit/x/y/moved",
      "/api/v1/skills/audit/x/y/broken",
    ]);
    expect(other.requests).toEqual([]);
  });

  test("long texts are cut, and a line break ends no line", async () => {
    const skill = {
      ...PDF,
      name: `a\nb${"x".repeat(500)}`,
      description: "y\r\n".repeat(5_000),
      license: "z".repeat(900),
    };
    const site = await startWebServer({ [SEARCH]: found(skill) });
    const [result] = (await ask([`${site.origin}/api/search`]))[0]?.results ?? [];
    expect([result?.name.length, result?.license?.length]).toEqual([128, 128]);
    expect(result?.description.length).toBeLessThanOrEqual(1_024);
    expect(JSON.stringify(result)).not.toMatch(/\\[nr]/);
  });

  test.each(["acme/skills", "npm:x", "./folder", "https://example.com/x.zip", "http://example.com", "--x"])(
    "an address that is no registry (%s) is refused by name, and not contacted",
    async (registry) => {
      const [answer] = await ask([registry]);
      expect(answer).toMatchObject({
        results: [],
        problem: expect.stringMatching(/^The registry /) as string,
      });
    },
  );
});
