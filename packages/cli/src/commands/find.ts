import { readFileSettings, refuseProblems } from "#config";
import { type InspectedSkill, inspectSource } from "#install";
import { type FoundInRegistry, type RegistryAnswer, searchRegistries } from "#sources";
import type { Log } from "#util";
import { Refusal } from "#util/pure";
import { defineCommand, printJson } from "../command.ts";
import { badUsage, flag } from "../flags.ts";
import { installPlaces } from "../install/install-flags.ts";
import { withSkillView } from "../open-view.ts";
import { renderRegistries } from "../render/registries.ts";
import { renderSearch } from "../render/search.ts";
import { homeFor, JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";

const DEFAULT_LIMIT = 10;
/** Each one is a source that is fetched. */
const MOST_AUDITED = 5;

/** `skills-mcp find <words>`: skills that are here, and those of the registries that the operator named. */
export const command = defineCommand({
  name: "find",
  usage: "<words>",
  summary: "find skills here and in the registries of your settings",
  order: 75,
  bundle: "manage",
  examples: ["find read pdf files", "find read pdf files --inspect"],
  flags: {
    ...JSON_FLAG,
    limit: flag.number("<n>", [1, 50], `maximum number of results of each place (default ${DEFAULT_LIMIT})`),
    inspect: flag.switch(
      `fetch the sources of the first ${MOST_AUDITED} of each registry and audit them; installs nothing`,
    ),
    here: flag.switch("ask no registry"),
    ...VIEW_FLAGS,
  },
  takes: "any",
  async run({ given, positionals, terminal, log }) {
    const query = positionals.join(" ").trim();
    if (query === "") throw badUsage("<words>", "find needs words: skills-mcp find <words>.");
    const { limit = DEFAULT_LIMIT } = given;
    const home = homeFor(given["user-dir"]);
    const here = await withSkillView(given, log, ({ search }) => search.search(query, limit));
    const registries = given.here ? [] : await registriesOf(home, log);
    const places = installPlaces(given, log);
    const answers = await searchRegistries(registries, { query, limit }, places);
    const asked = given.inspect ? await Promise.all(answers.map((one) => audited(one, places))) : answers;
    if (given.json)
      printJson(terminal, { query, here: { results: here.results, total: here.total }, registries: asked });
    else {
      terminal.print(renderSearch(here, terminal));
      terminal.print(renderRegistries(asked, { isAsked: !given.here, look: terminal }));
    }
    return answers.length > 0 && answers.every(({ problem }) => problem !== undefined) && here.total === 0
      ? 1
      : 0;
  },
});

/** Only the operator's own file names registries: a project must not choose which hosts get what is searched for. */
async function registriesOf(home: string, log: Log): Promise<readonly string[]> {
  const { own, problems } = await readFileSettings({ cwd: process.cwd(), home }, log);
  refuseProblems(problems);
  const value = own.get("registries")?.value;
  return Array.isArray(value) ? value.map(String) : [];
}

export interface AuditedResult extends FoundInRegistry {
  /** What the audit of this program says of the files that `add` would install now. */
  readonly audit?: { readonly skills: readonly InspectedSkill[] } | { readonly problem: string };
}

async function audited(
  answer: RegistryAnswer,
  places: ReturnType<typeof installPlaces>,
): Promise<RegistryAnswer & { readonly results: readonly AuditedResult[] }> {
  const results: AuditedResult[] = [];
  for (const [at, result] of answer.results.entries()) {
    if (at >= MOST_AUDITED) results.push(result);
    else results.push({ ...result, audit: await inspected(result, places) });
  }
  return { ...answer, results };
}

async function inspected(
  { source, skill }: FoundInRegistry,
  places: ReturnType<typeof installPlaces>,
): Promise<NonNullable<AuditedResult["audit"]>> {
  try {
    const skills = await inspectSource(source, skill === undefined ? [] : [skill], places);
    return skills.length > 0 ? { skills } : { problem: `${source} has no such skill.` };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { problem: error.message };
  }
}
