import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { parseDockerfile } from "../../scripts/image/dockerfile.mjs";
import { runBin } from "../support/bin.ts";
import { createSandbox } from "../support/sandbox.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

/** Whether the command line knows these flags: it stops at the address, which no machine has. */
function problemsOf(args: readonly string[], tokens: string): string {
  const sandbox = createSandbox();
  const file = sandbox.write("tokens", "ann:0123456789abcdef0123456789abcdef\n");
  const words = args.map((word) => word.replace(tokens, file).replace("0.0.0.0", "192.0.2.1"));
  return runBin(sandbox, words).stderr;
}

describe("the Dockerfile", () => {
  const stages = parseDockerfile(read("Dockerfile"));
  const last = stages.at(-1);
  const step = (name: string) => last?.steps.findLast(({ instruction }) => instruction === name);

  test("has a small last stage: not root, with git and bubblewrap, a health check and an init process", () => {
    expect(stages.length).toBeGreaterThan(1);
    for (const { base } of stages) expect(base).toMatch(/:(?:\d+\.\d+\.\d+-[a-z]+|[a-z]+-\d{8})-slim$/);
    expect(step("USER")?.value).toBe("10001:10001");
    const packages = last?.steps.find(({ instruction }) => instruction === "RUN")?.value;
    for (const name of ["git", "bubblewrap", "ca-certificates", "tini"])
      expect(packages).toContain(` ${name}`);
    expect(packages).toContain("--no-install-recommends");
    expect(packages).toContain("rm -rf /var/lib/apt/lists");
    expect(step("ENTRYPOINT")?.value).toEqual(["tini", "--", "skills-mcp"]);
    expect(step("HEALTHCHECK")?.value).toContain("/readyz");
    expect(step("EXPOSE")?.value).toBe("4700");
  });

  test("copies from stages that exist, and starts with flags that exist", () => {
    const names = stages.map(({ name }) => name);
    const copied = stages.flatMap(({ steps }) => steps.flatMap(({ flags }) => flags["from"] ?? []));
    expect(copied.length).toBeGreaterThan(0);
    for (const from of copied) expect(names).toContain(from);
    expect(problemsOf(step("CMD")?.value as string[], "/run/secrets/tokens")).toMatch(
      /Cannot listen on 192\.0\.2\.1/,
    );
  });

  test("everything that the build reads is in its context, and secrets are not", () => {
    const lines = read(".dockerignore").split("\n");
    expect(lines).toContain("*");
    for (const name of ["packages", "scripts", "examples", "data"]) expect(lines).toContain(`!${name}`);
    for (const line of lines.filter((one) => one.startsWith("!") && !one.includes("*")))
      expect(existsSync(path.join(ROOT, line.slice(1)))).toBe(true);
  });
});

describe("compose.yaml", () => {
  const compose = load(read("deploy/compose.yaml")) as {
    services: Record<"skills" | "redis" | "proxy", Record<string, string[]>>;
    secrets: object;
    volumes: object;
  };

  test("names what it has, and starts with flags that exist", () => {
    const { skills, redis, proxy } = compose.services;
    expect(skills).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      secrets: Object.keys(compose.secrets),
    });
    expect(redis["volumes"]).toEqual(Object.keys(compose.volumes).map((name) => `${name}:/data`));
    for (const name of [...(proxy["depends_on"] ?? []), ...(skills["depends_on"] ?? [])])
      expect(Object.keys(compose.services)).toContain(name);
    expect(problemsOf(skills["command"] ?? [], "/run/secrets/tokens")).toMatch(/Cannot listen on/);
    const [mounted = ""] = proxy["volumes"] ?? [];
    expect(existsSync(path.join(ROOT, "deploy", mounted.split(":")[0] ?? ""))).toBe(true);
  });
});

test("the workflow runs what .ci/run runs, with the same versions of Node as package.json allows", () => {
  const workflow = read(".github/workflows/ci.yml");
  const commands = read(".ci/run")
    .split("\n")
    .filter((line) => /\bnpm (?:test|run)\b/.test(line));
  expect(commands.length).toBeGreaterThan(3);
  expect(commands.filter((command) => !workflow.includes(`- run: ${command}`))).toEqual([]);
  expect(workflow).toContain("os: [ubuntu-latest, macos-latest, windows-latest]");
  expect(workflow).toContain("node: [20, 22, 24]");
});

test("workflows and the action use actions by the commit of a named version, and no stored token of npm", () => {
  const files = [
    "action.yml",
    ...readdirSync(path.join(ROOT, ".github/workflows")).map((name) => `.github/workflows/${name}`),
  ];
  const used = files.flatMap((file) =>
    [...read(file).matchAll(/uses: (.*)/g)].map(([, action]) => `${file}: ${action}`),
  );
  expect(used.length).toBeGreaterThan(5);
  expect(used.filter((line) => !/: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  const release = read(".github/workflows/release.yml");
  expect(release).not.toMatch(/NODE_AUTH_TOKEN|NPM_TOKEN|secrets\./);
  expect(release).toContain("id-token: write");
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
describe("the systemd unit", () => {
  const unit = read("deploy/skills-mcp.service");

  test("starts with flags that exist", () => {
    const [, line = ""] = /^ExecStart=skills-mcp (.*)$/m.exec(unit) ?? [];
    const words = [...line.split(" "), "--host", "0.0.0.0"];
    expect(problemsOf(words, "/etc/skills-mcp/tokens")).toMatch(/Cannot listen on/);
  });

  test.skipIf(!hasSystemd)("is accepted by systemd, and restricts the service", () => {
    const sandbox = createSandbox();
    // The program is not installed here.
    const file = sandbox.write(
      "skills-mcp.service",
      unit.replace("ExecStart=skills-mcp", "ExecStart=/bin/true"),
    );
    const verified = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" });
    expect(verified.stderr).not.toContain("skills-mcp.service");
    const report = spawnSync("systemd-analyze", ["security", "--offline=true", "--no-pager", file], {
      encoding: "utf8",
    });
    const [, exposure] = /exposure level.*: ([\d.]+)/.exec(report.stdout) ?? [];
    expect(Number(exposure)).toBeLessThan(4);
  });
});

describe("the launchd property list", () => {
  const list = read("deploy/com.example.skills-mcp.plist");
  const strings = (text: string): readonly string[] =>
    [...text.matchAll(/<string>([^<]*)<\/string>/g)].map(([, value = ""]) => value);

  test("starts with flags that exist, and is found where its name says", () => {
    const [, words = ""] = /<key>ProgramArguments<\/key>\s*<array>([\s\S]*?)<\/array>/.exec(list) ?? [];
    const [env, program, ...args] = strings(words);
    expect([env, program]).toEqual(["/usr/bin/env", "skills-mcp"]);
    expect(problemsOf([...args, "--host", "0.0.0.0"], "/etc/skills-mcp/tokens")).toMatch(
      /--token|Cannot listen on/,
    );
    expect(list).toContain("<key>Label</key>\n  <string>com.example.skills-mcp</string>");
  });

  test.skipIf(spawnSync("python3", ["--version"]).status !== 0)(
    "is a property list, and starts the server again only if it fails",
    () => {
      const program =
        "import json, plistlib, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))";
      const { stdout } = spawnSync("python3", ["-c", program], { input: list, encoding: "utf8" });
      expect(JSON.parse(stdout)).toMatchObject({
        RunAtLoad: true,
        KeepAlive: { SuccessfulExit: false },
        Umask: 0o077,
      });
    },
  );
});
