import { describe, expect, test } from "vitest";
import { PLATFORMS } from "#util";
import {
  type GitEnvironmentOptions,
  localEnvironment,
  networkEnvironment,
} from "../../src/git/git-environment.ts";
import { basicCredential } from "../../src/git/redact.ts";
import { repoAt } from "../open-source.ts";

const TOKEN = "canary-token";
const optionsFor = (url: string, more: Partial<GitEnvironmentOptions> = {}): GitEnvironmentOptions => ({
  repo: repoAt(url),
  token: TOKEN,
  environment: { PATH: "/bin", HOME: "/shop" },
  platform: PLATFORMS.linux,
  ceiling: "/shop",
  lowSpeedSeconds: 20,
  sshCommand: undefined,
  ...more,
});

/** The settings that an environment carries, by their key. */
function settingsIn(environment: NodeJS.ProcessEnv): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {};
  for (let at = 0; at < Number(environment["GIT_CONFIG_COUNT"]); at++) {
    const key = environment[`GIT_CONFIG_KEY_${at}`] ?? "";
    found[key] = [...(found[key] ?? []), environment[`GIT_CONFIG_VALUE_${at}`] ?? ""];
  }
  return found;
}

const holdsToken = (environment: NodeJS.ProcessEnv): boolean =>
  Object.values(environment).some(
    (value) => value?.includes(TOKEN) || value?.includes(basicCredential(TOKEN)),
  );

describe("the environment of git", () => {
  test("carries the token as a header for the repository's origin alone, and follows no redirect with it", () => {
    const environment = networkEnvironment(optionsFor("https://example.com:8443/team/skills.git"));
    const settings = settingsIn(environment);
    expect(settings).toMatchObject({
      "http.https://example.com:8443/.extraHeader": ["", `Authorization: Basic ${basicCredential(TOKEN)}`],
      "http.followRedirects": ["false"],
      "credential.helper": [""],
    });
    expect(environment).toMatchObject({ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" });
    expect(Object.keys(settings).filter((key) => /extraheader$/i.test(key))).toHaveLength(1);
  });

  test.each(["ssh://git@example.com/x", "git@example.com:x", "git://example.com/x", "file:///srv/x"])(
    "does not carry the token to %s",
    (url) => {
      const environment = networkEnvironment(
        optionsFor(url, { environment: { PATH: "/bin", GITHUB_TOKEN: TOKEN, OTHER: TOKEN } }),
      );
      expect(holdsToken(environment)).toBe(false);
      expect(environment["GIT_CONFIG_GLOBAL"]).toBeUndefined();
    },
  );

  test("of a command on our own files has neither the token nor anyone's settings nor a network", () => {
    const environment = localEnvironment(optionsFor("https://example.com/x"));
    expect(holdsToken(environment)).toBe(false);
    expect(environment).toMatchObject({ GIT_CONFIG_GLOBAL: "/dev/null", GIT_ALLOW_PROTOCOL: "none" });
  });

  test("without a token leaves the operator's own settings and helpers alone", () => {
    const environment = networkEnvironment(optionsFor("https://example.com/x", { token: undefined }));
    expect(environment["GIT_CONFIG_GLOBAL"]).toBeUndefined();
    expect(settingsIn(environment)).not.toHaveProperty(["credential.helper"]);
    expect(settingsIn(environment)).toMatchObject({
      "core.hooksPath": ["/dev/null"],
      "protocol.ext.allow": ["never"],
    });
  });

  test("follows redirects from https without a token, as git does, and none from http", () => {
    const redirects = (url: string) =>
      Object.entries(settingsIn(networkEnvironment(optionsFor(url, { token: undefined })))).filter(([key]) =>
        key.endsWith("followRedirects"),
      );
    expect(redirects("https://example.com/x")).toEqual([]);
    expect(redirects("http://localhost:3000/x")).toEqual([
      ["http.followRedirects", ["false"]],
      ["http.http://localhost:3000/.followRedirects", ["false"]],
    ]);
  });

  test("does not pass on a variable that contains the token with white space around it", () => {
    const environment = { PATH: "/bin", GITHUB_TOKEN: ` ${TOKEN}\n` };
    expect(holdsToken(networkEnvironment(optionsFor("git@example.com:x", { environment })))).toBe(false);
  });

  test("allows http to this machine only", () => {
    const allowed = (url: string) => networkEnvironment(optionsFor(url))["GIT_ALLOW_PROTOCOL"]?.split(":");
    expect(allowed("http://localhost/x")).toContain("http");
    expect(allowed("https://example.com/x")).toEqual(["https", "ssh", "git", "file"]);
  });

  test("drops git variables that would lead it astray, and keeps those about certificates", () => {
    const environment = networkEnvironment(
      optionsFor("https://example.com/x", {
        environment: {
          GIT_DIR: "/x",
          GIT_TRACE_CURL: "1",
          GIT_CONFIG_PARAMETERS: "'a=b'",
          GIT_SSL_CAINFO: "/ca",
        },
      }),
    );
    expect(environment).not.toHaveProperty("GIT_DIR");
    expect(environment).not.toHaveProperty("GIT_TRACE_CURL");
    expect(environment).not.toHaveProperty("GIT_CONFIG_PARAMETERS");
    expect(environment).toMatchObject({ GIT_SSL_CAINFO: "/ca", GIT_TERMINAL_PROMPT: "0", GIT_ASKPASS: "" });
  });

  test.each([
    [{}, undefined, "ssh -o BatchMode=yes"],
    [{}, "ssh -i key", "ssh -i key -o BatchMode=yes"],
    [{ GIT_SSH_COMMAND: "ssh -p 1" }, "ssh -i key", "ssh -p 1 -o BatchMode=yes"],
    [{ GIT_SSH: "/shop/ssh" }, undefined, undefined],
  ])("lets ssh prompt for nothing, with %j and the setting %j", (environment, sshCommand, expected) => {
    const command = networkEnvironment(optionsFor("git@example.com:x", { environment, sshCommand }))[
      "GIT_SSH_COMMAND"
    ];
    if (expected === undefined) expect(command).toBeUndefined();
    else expect(command?.startsWith(expected)).toBe(true);
  });
});
