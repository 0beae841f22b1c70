import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../../test/support/sandbox.ts";
import { openSource } from "./open-source.ts";

const KEYGEN = "ssh-keygen";
const HAS_KEYGEN = spawnSync(KEYGEN, ["-?"]).error === undefined;
const WITHOUT = HAS_KEYGEN ? "" : " (skipped: no ssh-keygen here)";

/** A repository whose commits real keys sign, and a home folder whose git knows one of the keys. */
function createSigners() {
  const sandbox = createSandbox();
  const repo = sandbox.path("repo");
  mkdirSync(repo);
  const key = (name: string): string => {
    const file = sandbox.path(name);
    execFileSync(KEYGEN, ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", file]);
    return file;
  };
  const keys = { known: key("known"), stranger: key("stranger") };
  const signers = sandbox.write("allowed", `team@example.com ${readFileSync(`${keys.known}.pub`, "utf8")}`);
  sandbox.write("home/.gitconfig", `[gpg "ssh"]\n\tallowedSignersFile = ${signers}\n`);
  const env = { PATH: process.env["PATH"], HOME: sandbox.home, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", repo, ...args], { env })
      .toString()
      .trim();
  git("init", "--quiet", "--initial-branch=main");
  return {
    commit(text: string, signer?: keyof typeof keys): string {
      writeFileSync(path.join(repo, "text.md"), text);
      git("add", "--all");
      const identity = ["-c", "user.name=Team", "-c", "user.email=team@example.com", "-c", "gpg.format=ssh"];
      const sign = signer === undefined ? ["--no-gpg-sign"] : [`-S${keys[signer]}`];
      git(...identity, "commit", "--quiet", ...sign, "--message", text);
      return git("rev-parse", "HEAD");
    },
    open: (requireSigned = true) =>
      openSource(sandbox, `file://${repo}`, { environment: env, requireSigned }),
  };
}

describe.skipIf(!HAS_KEYGEN)(`SKILLS_REQUIRE_SIGNED${WITHOUT}`, () => {
  test("serves a commit that an allowed signer signed, and keeps it when unsigned and foreign ones follow", async () => {
    const signers = createSigners();
    const first = signers.commit("one", "known");
    const source = signers.open();
    expect(await source.refresh()).toMatchObject({ success: true, commitHash: first });
    for (const signer of [undefined, "stranger"] as const) {
      const refused = signers.commit(`by ${signer ?? "nobody"}`, signer);
      const result = await source.refresh();
      expect(result).toMatchObject({ success: false, commitHash: first });
      expect(source.logged.join("\n")).toContain(
        `The commit ${refused.slice(0, 12)} has no signature that git accepts`,
      );
      expect(source.state().failure?.code).toBe("not-signed");
      expect(readFileSync(path.join((await source.current()) ?? "", "text.md"), "utf8")).toBe("one");
    }
    const last = signers.commit("three", "known");
    expect(await source.refresh()).toMatchObject({ success: true, commitHash: last });
  });

  test("serves nothing that was fetched before signatures were required", async () => {
    const signers = createSigners();
    signers.commit("unsigned");
    expect(await signers.open(false).refresh()).toMatchObject({ success: true });
    const source = signers.open();
    expect(await source.current()).toBeUndefined();
    expect(await source.refresh()).toMatchObject({ success: false });
    expect(await source.current()).toBeUndefined();
  });
});
