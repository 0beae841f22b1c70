import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { startGitServer } from "../../../../test/support/git-server.ts";
import { buildTarGz, buildZip } from "../../../../test/support/hostile-archives.ts";
import { createOrigin } from "../../../../test/support/origin.ts";
import { startWebServer, type WebPage, type WebServer } from "../../../../test/support/web-server.ts";
import { variableOf } from "../../src/credentials/host-tokens.ts";
import type { FetchLimits } from "../../src/fetch/limits.ts";
import { createMachine, filesIn, refusalOf, SKILL } from "../fetch/fetching.ts";

const TOKEN = "canary-5f0d2a";
const INDEX = "/.well-known/agent-skills/index.json";
const SKILL_FILE = "/.well-known/agent-skills/pdf/SKILL.md";
const digestOf = (bytes: string | Buffer): string =>
  `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

const entry = (more: object = {}) => ({
  name: "pdf",
  type: "skill-md",
  description: "x",
  url: "pdf/SKILL.md",
  digest: digestOf(SKILL),
  ...more,
});
const index = (...skills: readonly object[]): WebPage => ({ json: { skills } });
const packed = (bytes: Buffer): Readonly<Record<string, WebPage>> => ({
  [INDEX]: index(entry({ type: "archive", url: "/x.tar.gz", digest: digestOf(bytes) })),
  "/x.tar.gz": bytes,
});

/** A site that wants the token, another host that must never see it, and a machine that has it for the first alone. */
async function startBoth(pages: (other: WebServer, own: string) => Readonly<Record<string, WebPage>>) {
  const other = await startWebServer({}, "never");
  const site = await startWebServer({}, TOKEN);
  for (const [at, page] of Object.entries(pages(other, site.origin))) site.pages.set(at, page);
  const machine = createMachine({ [variableOf(new URL(site.origin).host)]: TOKEN });
  return { site, other, machine };
}

function holding(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => path.join(file.parentPath, file.name))
    .filter((file) => readFileSync(file, "latin1").includes(TOKEN));
}

describe("a private site", () => {
  test("and a private archive are fetched with the token of their host, which is nowhere afterwards", async () => {
    const archive = buildTarGz([{ name: "SKILL.md", content: SKILL }]);
    const { site, machine } = await startBoth(() => ({
      [INDEX]: index(entry()),
      [SKILL_FILE]: SKILL,
      "/pdf.tar.gz": archive,
    }));
    const tree = await machine.fetch(site.origin);
    expect(filesIn(tree.folder)).toEqual({ "pdf/SKILL.md": SKILL });
    await machine.fetch(`${site.origin}/pdf.tar.gz`);
    expect(site.requests.every(({ headers }) => headers.authorization === `Bearer ${TOKEN}`)).toBe(true);
    expect(holding(machine.root)).toEqual([]);
    expect(JSON.stringify([machine.logged, machine.progress])).not.toContain(TOKEN);
  });

  test("that has no token here says how to log in; one that refuses the token names where it is from", async () => {
    const site = await startWebServer({ "/pdf.zip": buildZip([]) }, TOKEN);
    const { host } = new URL(site.origin);
    const variable = variableOf(host);
    for (const source of [site.origin, `${site.origin}/pdf.zip`, `${site.origin}/marketplace.json`]) {
      const without = await refusalOf(createMachine().fetch(source));
      expect(without.reason).toBe("denied");
      expect(without.message).toContain(`it needs a login: run skills-mcp login ${host}.`);
      const wrong = await refusalOf(createMachine({ [variable]: "canary-wrong" }).fetch(source));
      expect(wrong.message).toContain(`the token of ${variable} was refused: run skills-mcp login ${host}.`);
      expect(wrong.message).not.toContain("canary-wrong");
    }
  });
});

type Case = readonly [
  what: string,
  pages: (other: WebServer, own: string) => Readonly<Record<string, WebPage>>,
  reason: string,
  more: More,
];
interface More {
  readonly limits?: Partial<FetchLimits>;
  readonly source?: string;
}

const elsewhere = (target: (other: WebServer, own: string) => string): Case[1] => {
  return (other, own) => ({ [INDEX]: { redirect: target(other, own) } });
};
const linked = (url: (other: WebServer) => string): Case[1] => {
  return (other) => ({ [INDEX]: index(entry({ url: url(other) })) });
};

const HOSTILE: readonly (readonly [Case[0], Case[1], string, More?])[] = [
  ["an index that redirects to another port", elsewhere(({ origin }) => `${origin}${INDEX}`), "other-origin"],
  [
    "an index that redirects to another name of the machine",
    elsewhere((_other, own) => own.replace("127.0.0.1", "localhost")),
    "other-origin",
  ],
  [
    "an index that redirects to https",
    elsewhere((_other, own) => own.replace("http:", "https:")),
    "other-origin",
  ],
  [
    "an index that redirects with the own host as a user name",
    elsewhere(({ origin }, own) => `${own}@${new URL(origin).host}/`),
    "other-origin",
  ],
  [
    "an index that redirects without a scheme",
    elsewhere(({ origin }) => `//${new URL(origin).host}/`),
    "other-origin",
  ],
  ["an index that redirects to no address", elsewhere(() => "http://:0:/"), "broken"],
  ["an index that redirects to itself for ever", elsewhere(() => INDEX), "broken"],
  [
    "a skill that redirects to another host",
    ({ origin }) => ({ [INDEX]: index(entry()), [SKILL_FILE]: { redirect: `${origin}/SKILL.md` } }),
    "other-origin",
  ],
  ["a skill at another host", linked(({ origin }) => `${origin}/SKILL.md`), "other-origin"],
  [
    "a skill at another host without a scheme",
    linked(({ origin }) => `//${new URL(origin).host}/x`),
    "other-origin",
  ],
  [
    "a skill at another host behind backslashes",
    linked(({ origin }) => `\\\\${new URL(origin).host}/x`),
    "other-origin",
  ],
  ["a skill in a file of the machine", linked(() => "file:///etc/passwd"), "other-origin"],
  [
    "a skill with another digest",
    () => ({ [INDEX]: index(entry({ digest: digestOf("x") })), [SKILL_FILE]: SKILL }),
    "broken",
  ],
  [
    "a skill that is too large",
    () => ({ [INDEX]: index(entry()), [SKILL_FILE]: SKILL }),
    "too-large",
    { limits: { fileBytes: 10 } },
  ],
  [
    "an index that is too large",
    () => ({ [INDEX]: `{"skills": [${" ".repeat(2_000)}]}` }),
    "too-large",
    { limits: { indexBytes: 1_000 } },
  ],
  ["a name that leads out", () => ({ [INDEX]: index(entry({ name: "../pdf" })) }), "not-found"],
  [
    "a file that leads out",
    () => ({ [INDEX]: index({ name: "pdf", files: ["SKILL.md", "../../x"] }) }),
    "not-found",
  ],
  [
    "an archive with a path that leads out",
    () =>
      packed(
        buildTarGz([
          { name: "SKILL.md", content: SKILL },
          { name: "../x", content: "x" },
        ]),
      ),
    "unsafe",
  ],
  [
    "an archive with a link that leads out",
    () =>
      packed(
        buildTarGz([
          { name: "SKILL.md", content: SKILL },
          { name: "x", type: "2", link: "../../x" },
        ]),
      ),
    "unsafe",
  ],
  [
    "an archive of far more than its size",
    () => packed(buildTarGz([{ name: "SKILL.md", content: "x".repeat(200_000) }])),
    "too-large",
    { limits: { ratioFromBytes: 1_000, ratio: 10 } },
  ],
  [
    "an archive that redirects to another host",
    ({ origin }) => ({ "/pdf.zip": { redirect: `${origin}/pdf.zip` } }),
    "other-origin",
    { source: "/pdf.zip" },
  ],
  [
    "a marketplace whose plugins are at another host",
    ({ origin }) => ({
      "/marketplace.json": {
        json: { name: "m", plugins: [{ name: "p", source: { source: "url", url: `${origin}/p.git` } }] },
      },
    }),
    "not-found",
    { source: "/marketplace.json" },
  ],
  [
    "a refusal that repeats the token",
    () => ({ [INDEX]: (response) => void response.writeHead(500, TOKEN).end(TOKEN) }),
    "server-error",
  ],
];

test.each<Case>(HOSTILE.map(([what, pages, reason, more = {}]) => [what, pages, reason, more]))(
  "a private site with %s is refused, and no other host gets the token",
  async (_what, pages, reason, { limits = {}, source = "" }) => {
    const { site, other, machine } = await startBoth(pages);
    const refusal = await refusalOf(machine.fetch(`${site.origin}${source}`, {}, limits));
    expect(refusal.reason).toBe(reason);
    expect(other.requests).toEqual([]);
    expect(site.requests[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(machine.leftovers()).toEqual([]);
    expect(JSON.stringify([refusal, machine.logged, machine.progress])).not.toContain(TOKEN);
  },
);

describe("a host without a token of its own", () => {
  const OTHERS: readonly (readonly [string, (host: string) => NodeJS.ProcessEnv])[] = [
    ["of another port", (host) => ({ [variableOf(`${host.split(":")[0]}:1`)]: TOKEN })],
    ["of the same host without a port", (host) => ({ [variableOf(host.split(":")[0] ?? "")]: TOKEN })],
    ["of another name", (host) => ({ [variableOf(host.replace("127.0.0.1", "localhost"))]: TOKEN })],
    ["of a name that ends like it", (host) => ({ [variableOf(`x.${host}`)]: TOKEN })],
    ["of GitHub", () => ({ GITHUB_TOKEN: TOKEN, SKILLS_TOKEN_GITHUB_COM: TOKEN })],
    ["of a server", () => ({ SKILLS_MCP_TOKEN: TOKEN, SKILLS_TOKEN: TOKEN, SKILLS_TOKEN_: TOKEN })],
  ];
  test.each(OTHERS)("gets no token %s, on the web or by git", async (_what, environment) => {
    const site = await startWebServer({ [INDEX]: index(entry()), [SKILL_FILE]: SKILL });
    await createMachine(environment(new URL(site.origin).host)).fetch(site.origin);
    expect(site.requests.map(({ headers }) => headers.authorization)).toEqual(
      site.requests.map(() => undefined),
    );
    const machine = createMachine();
    const server = await startGitServer(machine.root);
    createOrigin(machine.root).commit({ "pdf/SKILL.md": SKILL });
    const more = environment(new URL(server.origin).host);
    await machine.fetch(server.url("team-skills.git"), {
      environment: { ...machine.options.environment, ...more },
    });
    expect(server.requests.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
  });
});

test("a git repository over http is fetched with the token of its host, and with no other one", async () => {
  const machine = createMachine();
  createOrigin(machine.root).commit({ "pdf/SKILL.md": SKILL });
  const server = await startGitServer(machine.root);
  const url = server.url("team-skills.git");
  server.mode = { kind: "auth", token: TOKEN };
  const { host } = new URL(server.origin);
  const variable = variableOf(host);
  const fetched = (environment: NodeJS.ProcessEnv) =>
    machine.fetch(url, { environment: { ...machine.options.environment, ...environment } });
  expect(filesIn((await fetched({ [variable]: TOKEN, GITHUB_TOKEN: "canary-hub" })).folder)).toEqual({
    "pdf/SKILL.md": SKILL,
  });
  expect(server.requests.some(({ authorization }) => authorization?.includes(basic("canary-hub")))).toBe(
    false,
  );
  expect((await refusalOf(fetched({}))).message).toContain(
    `run skills-mcp login ${host}, or configure git's`,
  );
  expect((await refusalOf(fetched({ [variable]: "wrong" }))).message).toContain(
    `rejected the token in ${variable} (401)`,
  );
  const to = await startGitServer(machine.root);
  server.mode = { kind: "redirect", to: to.origin };
  expect((await refusalOf(fetched({ [variable]: TOKEN }))).reason).toBe("other-origin");
  expect(to.requests).toEqual([]);
});

const basic = (token: string): string => Buffer.from(`x-access-token:${token}`).toString("base64");
