// The homes and projects that hosts run in: made for one run in the system's temporary folder, and removed after it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** The server reads this folder, and no host of the matrix does. */
const FOLDER = "home/.kiro/skills";

/** The skill that the stub model loads. */
export const TARGET = "expense-reports";

/**
 * In every prompt, and in the target's text for hosts whose slash commands take no prompt. Hosts also ask their model for titles
 * and summaries, without it or without tools.
 */
export const MARK = "HOST-CHECK";

/** A file that comes with the target, as most skills have one. */
const BUNDLED = `${FOLDER}/${TARGET}/scripts/totals.py`;

const WRITTEN = [
  [
    TARGET,
    "Checks and files expense reports: receipts, per diems, currencies, cost centres and who has to approve. Use when someone uploads receipts or asks how to claim travel costs.",
  ],
  [
    "schema-changes",
    "Plans changes of a database schema that is in use: which locks are taken, how to fill new columns in batches, how to undo a step. Use before any migration of a table with traffic.",
  ],
  [
    "customer-letters",
    "Drafts answers to customers in the tone of the house: greeting, apology, what happens next, by when. Use for complaints, cancellations, refunds and questions about an invoice.",
  ],
  [
    "flaky-tests",
    "Finds out why a test fails now and then: order, time, network, shared state. Runs it in a loop, isolates the cause and writes down the fix. Use when CI is red without a change.",
  ],
  [
    "chart-style",
    "Draws charts that follow the style guide: colours that everyone can tell apart, axes from zero, labels instead of legends, sources below. Use for any figure in a report or a talk.",
  ],
  [
    "threat-model",
    "Leads through a threat model of a service: assets, entry points, trust boundaries, what could go wrong and what to do about it. Use before a design review or a new public endpoint.",
  ],
  [
    "meeting-minutes",
    "Turns a transcript into minutes: decisions first, then tasks with owner and date, open questions last. Leaves out small talk. Use after calls, interviews and retrospectives.",
  ],
  [
    "dependency-updates",
    "Updates dependencies one at a time: reads the changelog, runs the tests, explains what breaks and what it takes to fix it. Use for security advisories and for monthly updates.",
  ],
];

const TOPICS =
  "airflow android ansible astro bazel cassandra celery clickhouse cloudflare cypress dagster datadog django docker drupal elastic elixir envoy expo fastapi firebase flutter gatsby godot grafana graphql haskell hubspot istio jenkins kafka keycloak kubernetes laravel lambda mongodb mysql nestjs nginx notion openapi pandas playwright postgres prisma pulumi quarkus rabbitmq redis salesforce shopify snowflake spark stripe supabase svelte terraform twilio unity webpack".split(
    " ",
  );
const VERBS =
  "analyse audit benchmark build configure convert debug deploy document generate harden inspect migrate monitor profile refactor review simulate test upgrade".split(
    " ",
  );
const THINGS =
  "alerts backups builds clusters dashboards exports forms images jobs logins models pipelines queries queues reports secrets services templates webhooks".split(
    " ",
  );
const WAYS = [
  "step by step, with a way back",
  "with the settings that this team agreed on",
  "from the first draft to the review",
  "without downtime and with proof that it worked",
  "for small and very large projects",
  "and explains each decision in one sentence",
  "with examples that can be copied",
];

/** As many skills as wanted: the written ones first, then made ones with descriptions of 150 to 250 characters. */
function skillsOf(count) {
  const skills = WRITTEN.slice(0, count).map(([name, description]) => ({ name, description }));
  for (let index = 0; skills.length < count; index++) skills.push(madeSkill(index));
  return skills;
}

/** Names are different for the first 1,200: a topic meets each verb once. */
function madeSkill(index) {
  const topic = TOPICS[index % TOPICS.length];
  const verb = VERBS[(Math.floor(index / TOPICS.length) + index) % VERBS.length];
  const thing = THINGS[(index * 7) % THINGS.length];
  const begin = `${verb[0].toUpperCase()}s ${topic} ${thing}`.replace(/^(.)s/, `$1${verb.slice(1)}s`);
  let description = `${begin} ${WAYS[index % WAYS.length]}. Use when someone wants to ${verb} ${topic} ${thing}`;
  const length = 150 + ((index * 37) % 90);
  for (let more = 1; description.length < length; more++) {
    description += `, ${VERBS[(index + more * 3) % VERBS.length]} ${THINGS[(index + more * 5) % THINGS.length]}`;
  }
  return { name: `${verb}-${topic}-${thing}`, description: `${description}.` };
}

/** Every kind of character that something between the file and the model could change. `$1` has a meaning in slash commands. */
const DELICATE = [
  MARK,
  "Tab:\there. Two spaces at the end:  ",
  "Übermaß, naïve, “quotes”, – and …, 東京, 🧾 and 👩🏽‍💻.",
  "<important>tags & entities &amp; &lt;</important> \\n \\u0041 \"double\" 'single' `code` ${HOME} {{name}} %s $x",
  "```python",
  'print("a\\tb")  # 100 %',
  "```",
];

/** The text of a skill file of about `size` characters. */
function fileText({ name, description }, size) {
  const lines = [
    "---",
    `name: ${name}`,
    `description: ${JSON.stringify(description)}`,
    "---",
    "",
    `# ${name}`,
    "",
  ];
  if (size > 0) lines.push(...DELICATE);
  for (let step = 1, length = 500; length < size; step++) {
    lines.push(
      `${step}. Compare receipt ${step} with its line: date, amount ("${step},00 €"), tax rate, category.`,
    );
    length += lines.at(-1).length + 1;
  }
  return `${lines.join("\n")}\nLast line of ${name}.\n`;
}

/** An empty home and an empty project. `write` takes paths such as `home/.codex/config.toml`. */
export function createWorld() {
  const base = mkdtempSync(path.join(tmpdir(), "skills-mcp-host-"));
  const write = (relative, text) => {
    const file = path.join(base, relative);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const [home, project, temporary] = ["home", "project", "tmp"].map((name) => path.join(base, name));
  for (const folder of [home, project, temporary]) mkdirSync(folder);
  write("project/README.md", "# A project\n");
  const remove = () => rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  return { base, home, project, temporary, write, remove };
}

/** Adds skills where no host looks; returns them and the text of the target's file. */
export function addSkills(world, count, size) {
  const skills = skillsOf(count);
  for (const skill of skills) {
    const text = fileText(skill, skill.name === TARGET ? size : 0);
    world.write(`${FOLDER}/${skill.name}/SKILL.md`, text);
  }
  world.write(BUNDLED, "print(1)\n");
  return { skills, targetText: fileText(skills[0], size) };
}

/** Where agents keep skills, below the home and below a project. */
const AGENT_FOLDERS =
  ".agent .agents .augment .claude .cline .codeium/windsurf .codex .config/agents .config/crush .config/goose .config/opencode .continue .copilot .crush .cursor .factory .gemini .github .goose .junie .kilo .kilocode .kiro .nanocoder .opencode .qwen .roo .trae .windsurf".split(
    " ",
  );

/** One skill in each folder of each agent, at home and in the project; each knows its folder. */
export function addSkillEverywhere(world) {
  world.write("project/.git/HEAD", "ref: refs/heads/main\n");
  return ["home", "project"].flatMap((place) =>
    AGENT_FOLDERS.map((folder) => {
      const name = `in-${place}-${folder.replace(/[^a-z]+/g, "")}`;
      const skill = { name, description: `Kept in ${folder} of the ${place}. Use when asked for it.` };
      world.write(`${place}/${folder}/skills/${name}/SKILL.md`, fileText(skill, 0));
      return { ...skill, folder: `${place === "home" ? "~/" : ""}${folder}/skills` };
    }),
  );
}
