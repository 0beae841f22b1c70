import { readFileSync } from "node:fs";
import { estimateTokens } from "#server";
import { type Bench, grouped, type Section } from "../bench.ts";
import { type BenchRow, rowOf } from "../report/row.ts";
import { ourServer } from "../servers.ts";
import { startServer } from "../stdio-client.ts";
import type { Corpus } from "../workspace.ts";

const SECTION = "Description";
const FLOOR = "every name and description in full";
const CLIENTS = [
  { id: "claude-code", name: "claude-code", title: "Claude Code", limit: 512 },
  { id: "other", name: "bench", title: "other clients", limit: 5_000 },
] as const;

/** What a client's model has to read of `tools/list`. Tokens are counted as the dashboard counts them. */
export const measureDescription: Section = async (bench) => {
  const rows: BenchRow[] = [];
  for (const size of bench.options.sizes) {
    bench.progress(`description: ${grouped(size)} skills`);
    const corpus = bench.workspace.readOnlyCorpus(size);
    const full = fullList(corpus);
    for (const client of CLIENTS) rows.push(...(await measureClient(bench, size, corpus, full, client)));
  }
  return rows;
};

async function measureClient(
  { options: { bin }, workspace }: Bench,
  size: number,
  { dir }: Corpus,
  full: string,
  client: (typeof CLIENTS)[number],
): Promise<readonly BenchRow[]> {
  const server = startServer(ourServer(bin, dir), workspace);
  try {
    await server.initialize(client.name);
    const answer = await server.request("tools/list", {});
    const { tools } = answer as { tools: readonly { name: string; description: string }[] };
    const description = tools.find(({ name }) => name === "skill")?.description ?? "";
    const forClient = `${client.title}, ${grouped(size)} skills`;
    const row = (
      id: string,
      name: string,
      unit: string,
      ours: number,
      floor: number,
      limit?: number,
    ): BenchRow =>
      rowOf(SECTION, {
        id: `description.${id}.${client.id}.${size}`,
        name: `${name}, ${forClient}`,
        unit,
        floorName: FLOOR,
        samples: { ours: [ours], floor: [floor] },
        ...(limit === undefined ? {} : { limit, limitOf: "ours" }),
      });
    return [
      row("tokens", "description", "tokens", estimateTokens(description), estimateTokens(full), client.limit),
      row("bytes", "tools/list", "bytes", Buffer.byteLength(JSON.stringify(answer)), Buffer.byteLength(full)),
    ];
  } finally {
    await server.kill();
  }
}

function fullList({ skills }: Corpus): string {
  return skills
    .map(
      ({ name, file }) =>
        `- ${name}: ${/^description: "(.*)"$/m.exec(readFileSync(file, "utf8"))?.[1] ?? ""}`,
    )
    .join("\n");
}
