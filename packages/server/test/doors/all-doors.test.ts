import { rmSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { connectHttp } from "../../../../test/support/connect-http.ts";
import { page } from "../../../../test/support/library.ts";
import { createSandbox, type Sandbox, skillText } from "../../../../test/support/sandbox.ts";
import { openHttp } from "../open-http.ts";
import { walkDoors } from "./doors.ts";

const SKILLS = ["pdf", "docx", "dep:core"] as const;
const PATHS = ["team", "ops/deploy"] as const;
const FILES = ["SKILL.md", "notes.txt", "run.sh"] as const;
type Place = (typeof SKILLS)[number] | (typeof PATHS)[number];

/** Every version of every skill has a text of its own, in each of its files. */
const canary = (version: number): string => `canary-${version}-x`;
const CANARIES = /canary-\d+-x/g;

function folderOf(place: Place): string {
  if (place === "dep:core") return "project/node_modules/dep/skills/core";
  return (SKILLS as readonly string[]).includes(place) ? `vendor/${place}` : `lib/${place}`;
}

function writeVersion(sandbox: Sandbox, place: Place, version: number): void {
  const mark = canary(version);
  const isSkill = (SKILLS as readonly string[]).includes(place);
  const folder = folderOf(place);
  // The file that has the name of the version before would be part of this one.
  rmSync(sandbox.path(folder), { recursive: true, force: true });
  if (isSkill) {
    sandbox.write(
      `${folder}/SKILL.md`,
      skillText(path.basename(folder), `Does canary things ${mark}.`, `Body ${mark}\n`),
    );
  } else {
    const fields = [
      `assets:\n  - file: notes.txt\n    description: Notes ${mark}`,
      `scripts:\n  - file: run.sh\n    description: Runs ${mark}\n    execution: server`,
    ];
    sandbox.write(
      `${folder}.md`,
      page(`canary, ${mark}, team`, `About ${mark}`, fields.join("\n"), `Text ${mark}\n`),
    );
  }
  sandbox.write(`${folder}/notes.txt`, `Notes ${mark}\n`);
  sandbox.write(`${folder}/run.sh`, `echo ${mark}\n`);
  sandbox.write(`${folder}/${mark}.txt`, `${mark}\n`);
}

/** What was approved of each skill, the served version last, and what its folder holds. */
interface Model {
  readonly approved: Map<Place, number[]>;
  readonly written: Map<Place, number>;
}

const place = fc.constantFrom<Place>(...SKILLS, ...PATHS);
const step = fc.record({
  act: fc.constantFrom("edit", "edit", "approve", "revert", "remove", "damage"),
  place,
});

async function open(rule: "review" | "block") {
  const sandbox = createSandbox();
  sandbox.write(
    "home/.skills-mcp/trust.yaml",
    `${rule}: [${sandbox.path("vendor")}, ${sandbox.path("lib")}, npm]\n`,
  );
  sandbox.write("project/package.json", '{"dependencies":{"dep":"1"}}');
  sandbox.write("project/node_modules/dep/package.json", '{"name":"dep"}');
  sandbox.write("lib/_root.md", page("everything", "The root"));
  for (const one of [...SKILLS, ...PATHS]) writeVersion(sandbox, one, 0);
  const { services, url } = await openHttp(sandbox, {
    app: {
      folders: { first: [sandbox.path("vendor")] },
      library: sandbox.path("lib"),
      watch: false,
      sandboxDefault: "off",
    },
  });
  const { client } = await connectHttp(url, "2025-11-25");
  const doors = { services, client, url };
  const guesses = (versions: number) => ({
    skills: SKILLS,
    paths: PATHS,
    files: [...FILES, `${canary(versions)}.txt`],
  });
  return { sandbox, doors, guesses };
}

/** Doors that name no content, or not what was asked for. */
const SAYS_NOTHING =
  /^(?:resources\/templates|complete name|api (?:session|activity|connect|health|findings|usage|review|audiences|overview|problems|sources|skill\/(?:origin|seen|text)|seen|skills\/(?:facts|findings))|api (?:skill|file)(?:\/\w+)?$|.*SKILL\.md|prompts\/list|prompt ops|GET \/mcp\/server-card|GET \/\.well-known\/ai-catalog|GET \/\.well-known\/agent-skills\/\w+\/|.*\.tar\.gz)/;

/** There a skill of a package has a name without a colon. */
const NAMES_OTHERWISE = /^(?:prompt|directory) dep:core$|dep:core\//;

describe("under review nothing that nobody approved is visible at any door", () => {
  test("after any sequence of edits, approvals, roll-backs and damage", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 6 }), async (steps) => {
        const { sandbox, doors, guesses } = await open("review");
        const { services } = doors;
        const review = await services.review();
        const model: Model = {
          approved: new Map(),
          written: new Map([...SKILLS, ...PATHS].map((one) => [one, 0])),
        };
        let versions = 0;
        for (const { act, place: at } of steps) {
          await apply(act, at);
          await services.skills.refresh();
          await expectServed(served());
        }
        const allowed = served();
        for (const [door, answer] of await walkDoors(doors, guesses(versions))) {
          // What the caller typed may be repeated.
          const said = answer.replaceAll(`${canary(versions)}.txt`, "").matchAll(CANARIES);
          const seen = [...new Set([...said].map(([mark]) => mark))];
          expect([door, seen.filter((mark) => !allowed.has(mark))]).toEqual([door, []]);
        }

        function served(): ReadonlySet<string> {
          return new Set(
            [...model.approved].flatMap(([one, list]) =>
              model.written.has(one) ? [canary(list.at(-1) ?? -1)] : [],
            ),
          );
        }

        async function apply(act: string, at: Place): Promise<void> {
          const isSkill = (SKILLS as readonly string[]).includes(at);
          if (act === "edit" || (act === "approve" && !model.written.has(at))) {
            writeVersion(sandbox, at, ++versions);
            model.written.set(at, versions);
            await services.skills.refresh();
          }
          if (act === "approve") {
            await review.approve(await review.plan([at]), "somebody");
            const list = model.approved.get(at) ?? [];
            const version = model.written.get(at) ?? 0;
            model.approved.set(at, [...list.filter((one) => one !== version), version].slice(-5));
          }
          if (act === "revert" && model.written.has(at) && model.approved.has(at)) {
            await review.revert(await review.planRevert([at]));
            const left = model.approved.get(at)?.slice(0, -1) ?? [];
            if (left.length === 0) model.approved.delete(at);
            else model.approved.set(at, left);
          }
          if (act === "remove") {
            rmSync(sandbox.path(folderOf(at)), { recursive: true, force: true });
            if (!isSkill) rmSync(sandbox.path(`lib/${at}.md`), { force: true });
            model.written.delete(at);
          }
          if (act === "damage")
            rmSync(sandbox.path("home/.skills-mcp/approved/served"), { recursive: true, force: true });
        }

        async function expectServed(allowed: ReadonlySet<string>): Promise<void> {
          const { catalog, library } = await services.skills.snapshot();
          const texts = [
            ...catalog.entries.map(({ skill }) => skill.description),
            ...[...library.skills.values()].map(({ description }) => description),
          ];
          expect(new Set(texts.join(" ").match(CANARIES))).toEqual(allowed);
        }
      }),
      { numRuns: 2, endOnFailure: true },
    );
  });

  test("what was approved is visible at each of them", async () => {
    const { sandbox, doors, guesses } = await open("review");
    const review = await doors.services.review();
    await review.approve(await review.plan("all"), "somebody");
    for (const one of [...SKILLS, ...PATHS]) writeVersion(sandbox, one, 1);
    await doors.services.skills.refresh();
    const answers = await walkDoors(doors, guesses(0));
    const silent = [...answers].filter(([, answer]) => !answer.includes(canary(0))).map(([door]) => door);
    expect(silent.filter((door) => !SAYS_NOTHING.test(door) && !NAMES_OTHERWISE.test(door))).toEqual([]);
    for (const [door, answer] of answers) expect([door, answer.includes(canary(1))]).toEqual([door, false]);
    expect((await review.list()).map(({ name, state }) => [name, state])).toEqual(
      expect.arrayContaining([...SKILLS, ...PATHS].map((one) => [one, "changed"])),
    );
  });

  test("what is blocked is not visible, approved or not", async () => {
    const { doors, guesses } = await open("block");
    for (const [door, answer] of await walkDoors(doors, guesses(1))) {
      expect([door, answer.replaceAll(`${canary(1)}.txt`, "").match(CANARIES) ?? []]).toEqual([door, []]);
    }
    const review = await doors.services.review();
    await expect(review.plan(["pdf"])).rejects.toThrow(
      /'pdf' is blocked by the rule .*vendor, trust\.yaml:1/,
    );
    expect((await review.list()).map(({ name, state }) => [name, state])).toContainEqual(["pdf", "blocked"]);
  });
});
