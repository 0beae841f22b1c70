import type { Client } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { createApi, resourceNames } from "../../src/http/api/create-api.ts";
import type { Services } from "../../src/services.ts";
import { plainLists, START } from "../http/api/plain-lists.ts";

export interface Doors {
  readonly services: Services;
  readonly client: Client;
  readonly url: string;
}

/** What a caller guesses: names of skills, paths in a library, and files. */
export interface Guesses {
  readonly skills: readonly string[];
  readonly paths: readonly string[];
  readonly files: readonly string[];
}

type Ask = readonly [door: string, ask: () => Promise<unknown>];

/** Everything that the server says at each of its doors, as text. A refusal is an answer, too. */
export async function walkDoors(
  { services, client, url }: Doors,
  guesses: Guesses,
): Promise<ReadonlyMap<string, string>> {
  const asks = [
    ...toolAsks(client, guesses),
    ...protocolAsks(client, guesses),
    ...webAsks(services, url, guesses),
  ];
  const answers = new Map<string, string>();
  for (const [door, ask] of asks) {
    const answer = await ask().catch((error: unknown) => String(error));
    answers.set(door, typeof answer === "string" ? answer : JSON.stringify(answer));
  }
  return answers;
}

const CONTEXT = "canary team pdf";

function toolAsks(client: Client, { skills, paths, files }: Guesses): readonly Ask[] {
  const call = (name: string, args: Record<string, unknown>): Ask => [
    `${name} ${JSON.stringify(args)}`,
    () => client.callTool({ name, arguments: args }),
  ];
  return [
    ["tools/list", () => client.listTools(undefined, { cacheMode: "refresh" })],
    ...skills.map((name) => call("skill", { name })),
    ...skills.flatMap((skill) => files.map((path) => call("read_skill_file", { skill, path }))),
    call("find_skills", { task: CONTEXT, limit: 25 }),
    call("get_skill", { context: CONTEXT }),
    ...paths.map((path) => call("get_skill", { context: "", skill_path: path })),
    call("list_skills", {}),
    ...paths.flatMap((skill_path) => files.map((file) => call("get_asset", { skill_path, file }))),
    ...paths.map((skill_path) => call("run_script", { skill_path, file: "run.sh", args: {} })),
  ];
}

function protocolAsks(client: Client, { skills, paths, files }: Guesses): readonly Ask[] {
  const read = (uri: string): Ask => [`read ${uri}`, () => client.readResource({ uri })];
  const extension = new SkillsClient(client);
  return [
    ["prompts/list", () => client.listPrompts()],
    ...[...skills, ...paths].map(
      (name): Ask => [`prompt ${name}`, () => client.getPrompt({ name, arguments: {} })],
    ),
    ["resources/list", () => client.listResources()],
    ["resources/templates/list", () => client.listResourceTemplates()],
    ...skills.flatMap((name) => files.map((file) => read(`skill://file/${name}/${file}`))),
    ...paths.flatMap((name) => [
      read(`library://${name}`),
      ...files.map((file) => read(`library://${name}/${file}`)),
    ]),
    ...["name", "file"].map(
      (name): Ask => [
        `complete ${name}`,
        () =>
          client.complete({
            ref: { type: "ref/resource", uri: "skill://{provider}/{name}/{+file}" },
            argument: { name, value: "" },
            context: { arguments: { provider: "file", name: skills[0] ?? "" } },
          }),
      ],
    ),
    ["extension", () => extension.list()],
    ...skills.map(
      (name): Ask => [`directory ${name}`, () => extension.readDirectory(`skill://file/${name}`)],
    ),
  ];
}

const READER = new Set(["skills:read"]);

/**
 * What a caller with `skills:read` gets from every resource of the dashboard's API, by the table of its router: with every
 * parameter that one of them has.
 */
export function apiAsks(services: Services, { skills, paths, files }: Guesses): readonly Ask[] {
  const options = { lists: plainLists(), start: START, clients: () => [] };
  const api = createApi(services, options);
  const ask = (resource: string, parameters: Readonly<Record<string, string>> = {}): Ask => {
    const query = new URLSearchParams(parameters);
    return [
      ["api", resource, parameters["name"], parameters["path"]]
        .filter((part) => part !== undefined)
        .join(" "),
      async () => {
        const caller = { subject: "someone", scopes: READER, needsKey: false };
        const admitted = api({ method: "GET", path: `/api/v1/${resource}`, query, headers: {}, ...caller });
        const answer = "answer" in admitted ? await admitted.answer(undefined) : admitted;
        return String(answer.body);
      },
    ];
  };
  const searched = { q: "canary secret", task: CONTEXT, client: "claude-code" };
  return resourceNames(services, options).reads.flatMap((resource) => [
    ask(resource, searched),
    ...[...skills, ...paths].flatMap((name) =>
      files.map((path) => ask(resource, { ...searched, name, path })),
    ),
  ]);
}

function webAsks(services: Services, url: string, guesses: Guesses): readonly Ask[] {
  const { skills, files } = guesses;
  const get = (path: string): Ask => [
    `GET ${path}`,
    async () => Buffer.from(await (await fetch(`${url}${path}`)).arrayBuffer()).toString("latin1"),
  ];
  return [
    // What the catalog tools and `publish` answer with.
    ["catalog list", () => services.catalog.listCatalog({ query: "", includeBody: true })],
    ["catalog search", () => services.catalog.searchAllWords({ query: "canary", limit: 50 })],
    get("/mcp/server-card"),
    get("/.well-known/ai-catalog.json"),
    ...[".well-known/agent-skills", ".well-known/skills"].flatMap((folder) => [
      get(`/${folder}/index.json`),
      ...skills.flatMap((name) => [
        get(`/${folder}/${name}.tar.gz`),
        ...files.map((file) => get(`/${folder}/${name}/${file}`)),
      ]),
    ]),
    ...apiAsks(services, guesses),
  ];
}
