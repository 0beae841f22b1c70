import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { property, assert as propertyHolds, stringMatching } from "fast-check";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import {
  authorizationOf,
  hostOf,
  openHostTokens,
  parseHost,
  variableOf,
} from "../../src/credentials/host-tokens.ts";

const opened = (environment: NodeJS.ProcessEnv = {}) => {
  const sandbox = createSandbox();
  return { sandbox, ...openHostTokens({ home: sandbox.home, environment }) };
};
const mode = (file: string): number => statSync(file).mode & 0o777;

describe("a host that a person names", () => {
  test.each([
    ["skills.example.com", "skills.example.com"],
    [" Skills.Example.com ", "skills.example.com"],
    ["https://skills.example.com/team/", "skills.example.com"],
    ["skills.example.com:443", "skills.example.com"],
    ["skills.example.com:8443", "skills.example.com:8443"],
    ["127.0.0.1:4700", "127.0.0.1:4700"],
    ["http://127.0.0.1:4700/mcp", "127.0.0.1:4700"],
    ["http://localhost", "localhost:80"],
    ["http://[::1]:4700", "[::1]:4700"],
  ])("%j is %j", (given, host) => expect(parseHost(given)).toBe(host));

  test.each([
    "",
    "a b",
    "https://ann:pw@example.com",
    "http://example.com",
    "ftp://example.com",
    "-x",
    "..b",
  ])("%j is refused, and not repeated where it may be a token", (given) =>
    expect(() => parseHost(given)).toThrow(/^(?:What was given is no host|No token is sent to )/),
  );
});

test.each([
  ["https://a.dev/x", "a.dev"],
  ["https://a.dev:443", "a.dev"],
  ["https://a.dev:80", "a.dev:80"],
  ["http://127.0.0.1:80", "127.0.0.1:80"],
  ["http://a.dev", undefined],
  ["http://127.0.0.1.a.dev", undefined],
  ["ftp://a.dev", undefined],
])("tokens for %s are those of %s", (url, host) => expect(hostOf(new URL(url))).toBe(host));

test.each([
  ["skills.example.com", "SKILLS_TOKEN_SKILLS_EXAMPLE_COM"],
  ["127.0.0.1:4700", "SKILLS_TOKEN_127_0_0_1_4700"],
  ["git-lab.example.com", "SKILLS_TOKEN_GIT__LAB_EXAMPLE_COM"],
])("the variable of %s is %s", (host, variable) => expect(variableOf(host)).toBe(variable));

test("no two host names share a variable, so that no host gets the token of another one", () => {
  const label = "[a-z0-9](?:[a-z0-9-]{0,3}[a-z0-9])?";
  const host = stringMatching(new RegExp(`^${label}(?:\\.${label}){0,2}\\.(?:com|dev)$`));
  propertyHolds(
    property(host, host, (a, b) => a === b || variableOf(a) !== variableOf(b)),
    { numRuns: 2_000 },
  );
});

test.each([
  ["ghp_x", "Bearer ghp_x"],
  ["ann:pw", `Basic ${Buffer.from("ann:pw").toString("base64")}`],
])("the token %s is sent as %s", (token, header) =>
  expect(authorizationOf({ token, from: "" })).toBe(header),
);

test("tokens: each is kept for its host and port alone, in a file of mode 600; a variable comes first", async () => {
  const { file, find, change, hosts, sandbox } = opened();
  expect(await hosts()).toEqual([]);
  expect(await change("a.dev", "one")).toBe(false);
  expect(await change("a.dev:8443", "two")).toBe(false);
  expect(await change("a.dev", "three")).toBe(true);
  expect(mode(file)).toBe(0o600);
  expect(mode(path.dirname(file))).toBe(0o700);
  expect(readFileSync(file, "utf8")).toBe("a.dev:8443 two\na.dev three\n");
  expect(await hosts()).toEqual(["a.dev", "a.dev:8443"]);
  expect(await find(new URL("https://a.dev/x"))).toEqual({ token: "three", from: file });
  expect(await find(new URL("https://a.dev:8443"))).toEqual({ token: "two", from: file });
  for (const other of ["https://b.dev", "https://x.a.dev", "https://a.dev:1", "http://a.dev", "https://dev"])
    expect(await find(new URL(other))).toBeUndefined();
  const environment = { SKILLS_TOKEN_A_DEV: " four\n", SKILLS_TOKEN_A_DEV_8443: " " };
  const both = openHostTokens({ home: sandbox.home, environment });
  expect(await both.find(new URL("https://a.dev"))).toEqual({ token: "four", from: "SKILLS_TOKEN_A_DEV" });
  expect(await both.find(new URL("https://a.dev:8443"))).toMatchObject({ token: "two" });
  expect(await change("a.dev", undefined)).toBe(true);
  expect(await change("a.dev", undefined)).toBe(false);
  expect(await hosts()).toEqual(["a.dev:8443"]);
});

test("tokens: several that are kept at once are all there", async () => {
  const { change, hosts } = opened();
  const names = Array.from({ length: 8 }, (_, at) => `h${at}.dev`);
  await Promise.all(names.map((name) => change(name, "x")));
  expect(await hosts()).toEqual(names);
});

test.each(["", "a b", "a\nb", "ä", "x".repeat(8193)])(
  "the token %j is refused and not repeated",
  async (token) => {
    await expect(opened().change("a.dev", token)).rejects.toThrow(/^The token is empty, too long, or has/);
  },
);

describe("a file of tokens", () => {
  test.each([0o640, 0o604, 0o644, 0o620, 0o666])("of mode %o is refused with the way out", async (bits) => {
    const { change, find, file } = opened();
    await change("a.dev", "canary");
    chmodSync(file, bits);
    const message = `${file} can be read by others, so its tokens are not used; run chmod 600 ${file}.`;
    await expect(find(new URL("https://a.dev"))).rejects.toThrow(message);
    await expect(change("b.dev", "x")).rejects.toThrow(message);
  });

  test.each([
    "a.dev",
    "a.dev one two",
    "a dev canary",
    "https://a.dev canary",
    "A.dev canary",
    "a.dev canäry",
  ])("with the line %j is refused by the number of the line, which is not repeated", async (line) => {
    const { change, find, file } = opened();
    await change("b.dev", "x");
    writeFileSync(file, `# mine\n\nb.dev x\n${line}\n`);
    await expect(find(new URL("https://b.dev"))).rejects.toThrow(
      `${file}:4 is not '<host> <token>'; correct or remove the line.`,
    );
  });
});
