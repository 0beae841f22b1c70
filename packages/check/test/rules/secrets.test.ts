import { describe, expect, test } from "vitest";
import { findSecrets } from "../../src/rules/secrets.ts";

/** Written in two parts, so that scanners of this repository find none. */
const join = (...parts: readonly string[]): string => parts.join("");
const RANDOM = "q7Zt2LmX9vB4cR8yK1wN5pJ3sD6fG0hA2eUi";

const TOKENS: readonly (readonly [string, string])[] = [
  ["a private key", `${join("-----BEGIN RSA PRIVATE", " KEY-----")}\n${RANDOM}${RANDOM}\n`],
  ["a private key", `${join("-----BEGIN OPENSSH PRIVATE", " KEY-----")}\n${RANDOM}${RANDOM}\n`],
  ["an AWS access key", join("AKI", "AQ7ZT2LMX5VB4CR3Y")],
  ["a GitHub token", join("gh", "p_", RANDOM)],
  ["a GitHub token", join("github", "_pat_", RANDOM, "_", RANDOM)],
  ["a GitLab token", join("glp", "at-", RANDOM.slice(0, 20))],
  ["a Slack token", join("xo", "xb-", "2871-", RANDOM)],
  ["a Slack webhook", join("https://hooks.slack", ".com/services/T0Q7Z2LMX/B9VB4CR8Y/", RANDOM.slice(0, 24))],
  ["an Anthropic key", join("sk-", "ant-api03-", RANDOM)],
  ["an OpenAI key", join("sk-", "proj-", RANDOM)],
  ["a Google API key", join("AI", "za", RANDOM.slice(0, 35))],
  ["a Stripe key", join("sk_", "live_", RANDOM)],
  ["an npm token", join("np", "m_", RANDOM)],
  ["a Hugging Face token", join("h", "f_", RANDOM)],
  ["an AWS secret key", join("aws_secret_", "access_key = ", RANDOM, "Zk4P")],
  ["a Google access token", join("ya", "29.", RANDOM, "-Zk4P")],
  ["a key or password", join("STRIPE_API_", "KEY=", RANDOM.slice(0, 32))],
  ["a SendGrid key", join("S", "G.", RANDOM.slice(0, 22), ".", RANDOM)],
];

describe("what looks like a credential is found, with its line", () => {
  test.each(TOKENS)("%s", (kind, token) => {
    expect(findSecrets(`first line\nkey: ${token}\nlast line\n`)).toEqual([{ kind, line: 2 }]);
  });
});

test("the credential itself is never part of it", () => {
  for (const [, token] of TOKENS)
    expect(JSON.stringify(findSecrets(token))).not.toContain(token.slice(8, 20));
});

describe("what documentation writes in its place is not", () => {
  test.each([
    join("AKI", "AIOSFODNN7EXAMPLE"),
    join("gh", "p_", "x".repeat(36)),
    join("sk-", "ant-your-key-goes-here-0123"),
    join("sk-", "proj-", "0".repeat(40)),
    join("sk-", "..."),
    join("xo", "xb-your-token-with-some-words"),
    "risk-assessment-of-a-very-long-kebab-case-name-2024",
    "the task-list-of-a-very-long-kebab-case-name-Nr-2024",
    "npm_config_registry=https://registry.example.com",
    join("-----BEGIN PRIVATE", " KEY-----\n…\n-----END"),
  ])("%s", (text) => {
    expect(findSecrets(text)).toEqual([]);
  });
});

describe("a token of", () => {
  test.each([
    ["8 different characters", "a1b2c3d4", 1],
    ["7 different characters", "a1b2c3d", 0],
    ["letters alone", "qztlmxvbcrykwn", 0],
    ["digits alone", "9182736450", 0],
    ["letters and digits with a word for a placeholder", "a9b8c7d6fake", 0],
  ])("%s is found %i times", (_what, part, times) => {
    const token = join("gh", "p_", part.repeat(36).slice(0, 36));
    expect(findSecrets(token)).toHaveLength(times);
  });
});

test("no more than 20 are reported", () => {
  const lines = (count: number) =>
    Array(count)
      .fill(join("gh", "p_", RANDOM))
      .join("\n");
  expect([19, 20, 21, 25].map((count) => findSecrets(lines(count)).length)).toEqual([19, 20, 20, 20]);
});

test("a hostile text takes no time", () => {
  const text = `${join("sk", "-").repeat(100_000)}${join("-----BEGIN ", "A ").repeat(50_000)}PRIVATE KEY`;
  const began = performance.now();
  findSecrets(text);
  expect(performance.now() - began).toBeLessThan(2_000);
});
