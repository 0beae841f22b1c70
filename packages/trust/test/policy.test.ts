import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePolicy } from "../src/rules/parse-policy.ts";
import { judge, originOfUrl, type RuledSource, TRUST_LEVELS, type TrustPolicy } from "../src/rules/policy.ts";

const FILE = "/home/me/.skills-mcp/trust.yaml";
const HOME = "/home/me";

function policyOf(text: string): TrustPolicy {
  const parsed = parsePolicy(text, FILE, HOME);
  if (!parsed.ok)
    throw new Error(parsed.problems.map(({ place, message }) => `${place}: ${message}`).join("\n"));
  return parsed.policy;
}

const NOTHING: RuledSource = { origins: [], claims: [], places: [], kind: "user" };
const from = (origin: string): RuledSource => ({ ...NOTHING, origins: [origin], kind: "repos" });
const at = (...places: string[]): RuledSource => ({ ...NOTHING, places });

describe("what the rules of trust.yaml decide", () => {
  const RULES = `
allow:
  - github.com/acme
  - ~/mine
  - npm:@acme
review:
  - github.com
  - "*.example.com"
  - project
  - /srv/vendor
  - plugin:*@market
block:
  - github.com/acme/labs
  - https://github.com/Evil/skills.git
  - npm:evil
  - ~/mine/stolen
`;
  test.each<[string, RuledSource, string]>([
    ["a host", from("github.com/someone/skills/pdf"), "review"],
    ["an organisation before its host", from("github.com/acme/skills/pdf"), "allow"],
    ["a repository before its organisation", from("github.com/acme/labs/pdf"), "block"],
    ["not a repository whose name begins the same", from("github.com/acme/labs-2/pdf"), "allow"],
    ["upper and lower case, and an address", from("GitHub.com/evil/Skills/pdf"), "block"],
    ["a pattern for hosts", from("git.example.com/a/b"), "review"],
    ["not the host that the pattern leaves out", from("example.com/a/b"), "allow"],
    ["a host that no rule names", from("gitlab.com/a/b"), "allow"],
    ["a package of a scope", from("npm:@acme/skills"), "allow"],
    ["a package", from("npm:evil"), "block"],
    ["a plugin of a marketplace", { ...from("plugin:tools@market"), kind: "plugins" }, "review"],
    ["a plugin of another one", { ...from("plugin:tools@other"), kind: "plugins" }, "allow"],
    ["a folder", at("/srv/vendor/pdf"), "review"],
    ["a folder below the home folder", at("/home/me/mine/pdf"), "allow"],
    ["a folder inside of it", at("/home/me/mine/stolen/pdf"), "block"],
    ["not a folder whose name begins the same", at("/srv/vendor-2/pdf"), "allow"],
    ["the stricter of a link and its target", at("/home/me/mine/pdf", "/srv/vendor/pdf"), "review"],
    ["the project", { ...at("/srv/app/.claude/skills/pdf"), kind: "project" }, "review"],
    ["a folder before its kind", { ...at("/home/me/mine/x"), kind: "project" }, "allow"],
    [
      "where it came from before where it lies",
      { ...at("/srv/vendor/pdf"), origins: ["github.com/acme/x"] },
      "allow",
    ],
    [
      "a claim of a project that makes it stricter",
      { ...at("/x"), claims: ["github.com/evil/skills"] },
      "block",
    ],
    [
      "but no claim that makes it more open",
      { ...at("/x"), kind: "project", claims: ["github.com/acme/x"] },
      "review",
    ],
  ])("%s", (_name, source, level) => {
    expect(judge(policyOf(RULES), source).level).toBe(level);
  });

  test("policy: everything is allowed without a rule, and '*' applies where no other rule does", () => {
    expect(judge(policyOf(""), from("github.com/a/b")).level).toBe("allow");
    const policy = policyOf('allow: [project]\nreview: ["*"]\n');
    expect(judge(policy, from("github.com/a/b")).level).toBe("review");
    expect(judge(policy, { ...at("/x"), kind: "project" }).level).toBe("allow");
  });

  test("policy: the stricter of two equal patterns decides, whatever the order of the rules", () => {
    const pattern = fc.constantFrom(
      "github.com",
      "github.com/acme",
      "github.com/acme/x",
      "github.com/*/x",
      '"*"',
      "repos",
    );
    const rule = fc.tuple(fc.constantFrom(...TRUST_LEVELS), pattern);
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 8 }), (rules) => {
        const text = (list: typeof rules) =>
          TRUST_LEVELS.map(
            (level) =>
              `${level}: [${list
                .filter(([one]) => one === level)
                .map(([, each]) => each)
                .join(", ")}]`,
          ).join("\n");
        const source = from("github.com/acme/x/pdf");
        const level = judge(policyOf(text(rules)), source).level;
        expect(judge(policyOf(text(rules.toReversed())), source).level).toBe(level);
        // Nobody makes it more open by a rule that blocks.
        const blocked = judge(policyOf(text([...rules, ["block", "github.com/acme/x"]])), source).level;
        expect(blocked).toBe("block");
      }),
    );
  });
});

describe("a trust.yaml that means nothing is refused, with the line and the way out", () => {
  test.each([
    ["alow: [github.com]", `${FILE}:1: "alow" is neither allow, review nor block. Did you mean allow?`],
    ["review: github.com", `${FILE}:1: review must be a list of sources, such as [github.com/acme].`],
    ["review:\n  - acme/skills", `${FILE}:2: "acme/skills" names no host; write github.com/acme/skills.`],
    ["review:\n  - plugin", `${FILE}:2: "plugin" is not a source. Did you mean plugins?`],
    [
      "review:\n  - ./vendor",
      `${FILE}:2: "./vendor" is a relative folder; write an absolute one, or one that begins with ~/.`,
    ],
    ["review:\n  - *", `${FILE}:2: A source that begins with an asterisk needs quotes: "*".`],
    ["review:\n  - *.example.com", `${FILE}:2: A source that begins with an asterisk needs quotes: "*".`],
    [
      "- github.com",
      `${FILE}: The file must be a map of \`allow\`, \`review\` and \`block\`, each with a list of sources.`,
    ],
    ["review: [1]", `${FILE}:1: Each source must be a text; write a host (github.com)`],
  ])("%j", (text, message) => {
    const parsed = parsePolicy(text, FILE, HOME);
    const found = parsed.ok ? "" : parsed.problems.map((one) => `${one.place}: ${one.message}`).join("\n");
    expect(found).toContain(message);
  });
});

test.each([
  ["https://github.com/acme/skills.git", "github.com/acme/skills"],
  ["ssh://git@github.com/acme/skills", "github.com/acme/skills"],
  ["git@github.com:acme/skills.git", "github.com/acme/skills"],
  ["http://localhost:8080/a/b", "localhost:8080/a/b"],
  ["git://host/a", "host/a"],
  ["https://github.com:443/evil/skills", "github.com/evil/skills"],
  ["ssh://git@github.com:22/evil/skills", "github.com/evil/skills"],
  ["https://github.com./evil/skills", "github.com/evil/skills"],
  ["https://github.com.:443//evil/skills.git/", "github.com/evil/skills"],
  ["https://github.com/acme/../evil/skills", "github.com/evil/skills"],
  ["https://github.com/acme/%2e%2e/%65vil/skills", "github.com/evil/skills"],
])("the repository %s is named %s", (url, origin) => {
  expect(originOfUrl(url)).toEqual({ origin });
});

test("a repository in a folder is that folder", () => {
  expect(originOfUrl("file:///srv/my%20skills")).toEqual({ place: "/srv/my skills" });
  expect(originOfUrl("file:///srv/allowed/../other")).toEqual({ place: "/srv/other" });
});
