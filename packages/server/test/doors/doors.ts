import type { Client } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { createApi } from "../../src/http/api/create-api.ts";
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

const SCOPES = new Set(["skills:read"]);

function webAsks(services: Services, url: string, { skills, paths, files }: Guesses): readonly Ask[] {
  const get = (path: string): Ask => [
    `GET ${path}`,
    async () => Buffer.from(await (await fetch(`${url}${path}`)).arrayBuffer()).toString("latin1"),
  ];
  const api = createApi(services, { lists: plainLists(), start: START, clients: () => [] });
  const ask = (address: string): Ask => [
    `api ${address}`,
    async () => {
      const { pathname: path, searchParams: query } = new URL(`/api/v1/${address}`, "http://localhost");
      const request = {
        method: "GET",
        path,
        query,
        headers: {},
        subject: "someone",
        scopes: SCOPES,
        needsKey: false,
      };
      const admitted = api(request);
      const answer = "answer" in admitted ? await admitted.answer(undefined) : admitted;
      return String(answer.body);
    },
  ];
  const names = [...skills, ...paths];
  return [
    // What the catalog tools and `publish` answer with.
    ["catalog list", () => services.catalog.listCatalog({ query: "", includeBody: true })],
    ["catalog search", () => services.catalog.searchAllWords({ query: "canary", limit: 50 })],
    ...[".well-known/agent-skills", ".well-known/skills"].flatMap((folder) => [
      get(`/${folder}/index.json`),
      ...skills.flatMap((name) => [
        get(`/${folder}/${name}.tar.gz`),
        ...files.map((file) => get(`/${folder}/${name}/${file}`)),
      ]),
    ]),
    ...["session", "skills", "search?q=canary", `try?task=${encodeURIComponent(CONTEXT)}`, "description"].map(
      ask,
    ),
    ...["health", "findings", "usage", "review", `review/skill?name=${skills[0] ?? ""}`].map(ask),
    ...names.map((name) => ask(`skill?name=${encodeURIComponent(name)}`)),
    ...names.flatMap((name) =>
      files.map((file) => ask(`file?name=${encodeURIComponent(name)}&path=${file}`)),
    ),
  ];
}
