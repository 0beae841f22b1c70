import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { runCommand } from "../support/in-process.ts";
import { createOrigin } from "../support/origin.ts";
import { rounds } from "../support/rounds.ts";
import { createSandbox, type Sandbox, skillText } from "../support/sandbox.ts";

type Files = Record<string, string | { readonly link: string }>;

const NAMES = ["review", "migrate", "lint"] as const;
const FOLDERS = [
  ...["skills", "more", "docs/deep/skills", "skills/other/inner"],
  ...["plugins/a/skills", "plugins/a/extra", "plugins/b/skills", "plugins/b/.claude/skills"],
  ...[".claude/skills", ".gemini/skills", ".agents/skills"],
] as const;

const name = fc.constantFrom(...NAMES);
const folder = fc
  .tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES, "other"))
  .map((parts) => parts.join("/"));

/** One thing that authors have in a repository. */
const piece = fc.oneof(
  fc.record({ kind: fc.constant("skill" as const), at: folder, name, hasMore: fc.boolean() }),
  fc.record({ kind: fc.constant("link to a skill" as const), at: folder, to: folder, hasMore: fc.boolean() }),
  fc.record({ kind: fc.constant("link to a command" as const), at: folder, name }),
  fc.record({ kind: fc.constant("linked folder" as const), at: name, to: folder }),
  fc.record({ kind: fc.constant("broken link" as const), at: name }),
  fc.record({ kind: fc.constant("no skill" as const), at: name }),
);

const manifests = fc.record({
  a: fc.boolean(),
  b: fc.boolean(),
  root: fc.boolean(),
  market: fc.constantFrom("none", "plugins", "listed"),
});

const up = (from: string, to: string): string => path.posix.relative(path.posix.dirname(from), to);

function filesOf(pieces: readonly (typeof piece extends fc.Arbitrary<infer T> ? T : never)[]): Files {
  const files: Files = {};
  const add = (file: string, content: Files[string]): void => {
    const isTaken = Object.keys(files).some(
      (other) => other === file || other.startsWith(`${file}/`) || file.startsWith(`${other}/`),
    );
    if (!isTaken) files[file] = content;
  };
  for (const each of pieces) {
    const file = `${each.at}/SKILL.md`;
    if (each.kind === "skill") add(file, skillText(each.name, `At ${each.at}.`));
    else if (each.kind === "link to a skill") add(file, { link: up(file, `${each.to}/SKILL.md`) });
    else if (each.kind === "link to a command") {
      add(`commands/${each.name}.md`, skillText(each.name, "A slash command."));
      add(file, { link: up(file, `commands/${each.name}.md`) });
    } else if (each.kind === "linked folder")
      add(`.codex/skills/${each.at}`, { link: up(`.codex/skills/${each.at}`, each.to) });
    else if (each.kind === "broken link") add(`broken/${file}`, { link: "../nowhere/SKILL.md" });
    else add(`broken/${file}`, "No front matter.\n");
    if ("hasMore" in each && each.hasMore) add(`${each.at}/more.md`, "More.\n");
  }
  return files;
}

function withManifests(
  files: Files,
  { a, b, root, market }: typeof manifests extends fc.Arbitrary<infer T> ? T : never,
): Files {
  const manifest = (each: string) => JSON.stringify({ name: each });
  const listed = Object.keys(files).filter((file) => /^(?:skills|more)\/[^/]+\/SKILL\.md$/.test(file));
  const plugins = {
    none: undefined,
    plugins: ["a", "b"].map((each) => ({ name: each, source: `./plugins/${each}` })),
    listed: [{ name: "all", source: "./", skills: listed.map((file) => `./${path.posix.dirname(file)}`) }],
  }[market];
  return {
    ...files,
    "README.md": "# Skills\n",
    ...(a ? { "plugins/a/.claude-plugin/plugin.json": manifest("a") } : {}),
    ...(b ? { "plugins/b/.codex-plugin/plugin.json": manifest("b") } : {}),
    ...(root ? { ".claude-plugin/plugin.json": manifest("top") } : {}),
    ...(plugins === undefined
      ? {}
      : { ".claude-plugin/marketplace.json": JSON.stringify({ name: "market", plugins }) }),
  };
}

const repository = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 9 }), manifests)
  .map(([pieces, given]) => withManifests(filesOf(pieces), given));

/** The folders of a repository that are served as skills. */
async function servedFrom(sandbox: Sandbox, url: string): Promise<readonly string[]> {
  const { stdout } = await runCommand(sandbox, ["list", "--json"], { env: { SKILLS_REPO: url } });
  const { skills } = JSON.parse(stdout) as { skills: readonly { path: string }[] };
  return skills.map(({ path: file }) => {
    const folder = realpathSync(statSync(file).isDirectory() ? file : path.dirname(file));
    return folder
      .split(path.sep)
      .join("/")
      .replace(/^.*\/v\/[0-9a-f]+\/?/, "");
  });
}

function lockedIn({ project }: Sandbox) {
  const file = path.join(project, "skills-lock.json");
  if (!existsSync(file)) return [];
  const { skills } = JSON.parse(readFileSync(file, "utf8")) as {
    skills: Record<string, { skillPath: string; computedHash: string }>;
  };
  return Object.values(skills);
}

interface Added {
  readonly plan: readonly { readonly name: string; readonly action: string }[];
  readonly leftOut: readonly { readonly path: string }[];
}

test("add and SKILLS_REPO find the same skills in any repository, and add names those that it leaves out", async () => {
  await fc.assert(
    fc.asyncProperty(repository, async (files) => {
      const ends: (() => void | Promise<void>)[] = [];
      const sandbox = createSandbox(undefined, (end) => void ends.push(end));
      try {
        const { fileUrl, commit } = createOrigin(sandbox.path());
        commit(files);
        const served = [...(await servedFrom(sandbox, fileUrl))].sort();
        const ran = await runCommand(sandbox, ["add", fileUrl, "--all", "--json"]);
        if (served.length === 0) {
          expect(ran.stderr).toContain("contains no skill");
          return;
        }
        const { plan, leftOut } = JSON.parse(ran.stdout) as Added;
        const entries = lockedIn(sandbox);
        const installed = entries.map(({ skillPath }) => path.posix.dirname(skillPath));
        // A skill with a broken link among its files is served and cannot be installed, which the plan says.
        expect(plan).toHaveLength(served.length);
        expect(installed).toHaveLength(plan.filter(({ action }) => action === "add").length);
        expect(installed.filter((dir) => !served.includes(dir))).toEqual([]);
        for (const { computedHash } of entries) expect(computedHash).not.toMatch(/^e3b0c442/);
        const real = Object.entries(files).filter(
          ([file, content]) =>
            file.endsWith("/SKILL.md") && typeof content === "string" && content.startsWith("---"),
        );
        const told = new Set([...served, ...leftOut.map((each) => each.path)]);
        expect(real.map(([file]) => path.posix.dirname(file)).filter((dir) => !told.has(dir))).toEqual([]);
        // Agents see every one of them by a name of its own.
        const { stdout } = await runCommand(sandbox, ["list", "--json"]);
        const { skills } = JSON.parse(stdout) as { skills: readonly { name: string }[] };
        expect(skills).toHaveLength(installed.length);
      } finally {
        for (const end of ends.reverse()) await end();
      }
    }),
    rounds(15),
  );
}, 300_000);
