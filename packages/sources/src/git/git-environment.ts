import type { Platform } from "#util";
import { isTokenVariable } from "../credentials/host-tokens.ts";
import { basicCredential } from "./redact.ts";
import { originOf, type RepoAddress } from "./repo-address.ts";

/** Git variables of the operator that are passed on; a stray GIT_DIR or GIT_TRACE is not. */
const PASSED_VARIABLES =
  /^GIT_(?:EXEC_PATH|SSH(?:_COMMAND|_VARIANT)?|SSL_(?:CAINFO|CAPATH|CERT|KEY|NO_VERIFY|VERSION)|PROXY_(?:COMMAND|SSL_(?:CAINFO|CERT|KEY))|HTTP_USER_AGENT)$/;

/** Malformed trees and submodule lists, which must not fail a whole fetch: the tree plan skips such names one by one. */
const IGNORED_CHECKS = [
  ...["hasDot", "hasDotdot", "hasDotgit", "fullPathname", "zeroPaddedFilemode"],
  ...["gitmodulesBlob", "gitmodulesLarge", "gitmodulesMissing", "gitmodulesName", "gitmodulesParse"],
  ...["gitmodulesPath", "gitmodulesSymlink", "gitmodulesUpdate", "gitmodulesUrl"],
];

const NOWHERE = "/dev/null";

/** Nothing in a repository is executed, and nothing prompts for input. */
const ALWAYS: readonly (readonly [string, string])[] = [
  ["core.hooksPath", NOWHERE],
  ["core.fsmonitor", "false"],
  ["core.attributesFile", NOWHERE],
  ["core.excludesFile", NOWHERE],
  ["core.protectHFS", "true"],
  ["core.protectNTFS", "true"],
  ["core.autocrlf", "false"],
  ["protocol.ext.allow", "never"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["fetch.fsckObjects", "true"],
  ...IGNORED_CHECKS.map((id) => [`fetch.fsck.${id}`, "ignore"] as const),
  // Always a pack, however small: its growth is limited, and packs are counted.
  ["fetch.unpackLimit", "1"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["credential.interactive", "false"],
  ["advice.detachedHead", "false"],
];

export interface GitEnvironmentOptions {
  readonly repo: RepoAddress;
  readonly token: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly platform: Platform;
  /** Git searches for a repository no further up than here. */
  readonly ceiling: string;
  readonly lowSpeedSeconds: number;
  /** The ssh command of the operator's git settings, if there is one. */
  readonly sshCommand: string | undefined;
}

/** The environment of a command on our own files: only our settings, no network. */
export function localEnvironment(options: GitEnvironmentOptions): NodeJS.ProcessEnv {
  return {
    ...baseEnvironment(options),
    ...withoutOwnSettings(),
    ...settings([...ALWAYS, ["core.symlinks", String(options.platform.files.linkFreely)]]),
    GIT_ALLOW_PROTOCOL: "none",
  };
}

/** Environment for checking signatures: with the operator's own git settings, which say whose signatures count. */
export function verifyEnvironment(options: GitEnvironmentOptions): NodeJS.ProcessEnv {
  return {
    ...withoutToken(baseEnvironment(options), options.token),
    ...settings(ALWAYS),
    GIT_ALLOW_PROTOCOL: "none",
  };
}

/**
 * The environment of a command that talks to the remote. The token is a header for that origin alone, passed in the
 * environment: an address or an argument would show it to every process and leave it in files.
 */
export function networkEnvironment(options: GitEnvironmentOptions): NodeJS.ProcessEnv {
  const { repo, token, platform, lowSpeedSeconds } = options;
  const pairs: (readonly [string, string])[] = [
    ...ALWAYS,
    ["http.lowSpeedLimit", "1000"],
    ["http.lowSpeedTime", String(lowSpeedSeconds)],
  ];
  const origin = originOf(repo);
  const isTokenUsed = token !== undefined && usesToken(repo, token);
  // The token is sent to no other host, and unencrypted http does not leave this machine.
  if (isTokenUsed || repo.transport === "http")
    pairs.push(["http.followRedirects", "false"], [`http.${origin}/.followRedirects`, "false"]);
  if (isTokenUsed) {
    pairs.push(
      ["credential.helper", ""],
      [`http.${origin}/.extraHeader`, ""],
      [`http.${origin}/.extraHeader`, `Authorization: Basic ${basicCredential(token)}`],
    );
  }
  return {
    ...withoutToken(baseEnvironment(options), token),
    ...(isTokenUsed ? withoutOwnSettings(platform.programs.gitNeedsSystemSettings) : {}),
    ...settings(pairs),
    ...sshEnvironment(options),
    GIT_ALLOW_PROTOCOL: repo.transport === "http" ? "http:https:ssh:git:file" : "https:ssh:git:file",
  };
}

/** Whether a token is sent to a repository. */
export function usesToken(repo: RepoAddress, token: string | undefined): boolean {
  return token !== undefined && token !== "" && originOf(repo) !== undefined;
}

function baseEnvironment({ environment, ceiling }: GitEnvironmentOptions): NodeJS.ProcessEnv {
  const passed = Object.entries(environment).filter(
    ([name]) =>
      !isTokenVariable(name) && (!name.toUpperCase().startsWith("GIT_") || PASSED_VARIABLES.test(name)),
  );
  return {
    ...Object.fromEntries(passed),
    // Failures are recognised by their English text.
    LC_ALL: "C",
    LANGUAGE: "",
    GIT_TERMINAL_PROMPT: "0",
    // Set but empty: git asks neither a configured program nor SSH_ASKPASS.
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    SSH_ASKPASS_REQUIRE: "never",
    GCM_INTERACTIVE: "never",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: ceiling,
    // A trace from the operator's settings would contain every setting, including the header.
    GIT_TRACE2: "0",
    GIT_TRACE2_EVENT: "0",
    GIT_TRACE2_PERF: "0",
  };
}

function withoutOwnSettings(keepsSystem = false): NodeJS.ProcessEnv {
  return { GIT_CONFIG_GLOBAL: NOWHERE, ...(keepsSystem ? {} : { GIT_CONFIG_NOSYSTEM: "1" }) };
}

function withoutToken(environment: NodeJS.ProcessEnv, token: string | undefined): NodeJS.ProcessEnv {
  if (token === undefined || token === "") return environment;
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== token));
}

function sshEnvironment({ repo, environment, sshCommand }: GitEnvironmentOptions): NodeJS.ProcessEnv {
  if (repo.transport !== "ssh") return {};
  const own = environment["GIT_SSH_COMMAND"] ?? sshCommand;
  if (own === undefined && environment["GIT_SSH"] !== undefined) return {};
  const limits = "-o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=15";
  return { GIT_SSH_COMMAND: `${own ?? "ssh"} ${limits}` };
}

function settings(pairs: readonly (readonly [string, string])[]): NodeJS.ProcessEnv {
  const variables: NodeJS.ProcessEnv = { GIT_CONFIG_COUNT: String(pairs.length) };
  for (const [at, [key, value]] of pairs.entries()) {
    variables[`GIT_CONFIG_KEY_${at}`] = key;
    variables[`GIT_CONFIG_VALUE_${at}`] = value;
  }
  return variables;
}
