import { SEEN, type SeenAnswer } from "#server/wire";

export type SeenAs = keyof typeof SEEN;

/** All ways to see a skill, the most first. */
export const WAYS = Object.keys(SEEN) as readonly SeenAs[];

/** What stands in a cell; shapes, because colours alone say nothing to some. */
export const SIGNS: Readonly<Record<SeenAs, string>> = {
  whole: "●",
  cut: "◐",
  name: "○",
  search: "⌕",
  native: "◆",
  unlisted: "–",
  hidden: "×",
};

/** What an agent has of a row. */
export function cellAt({ agents, columns }: SeenAnswer, agent: number, row: number): SeenAs {
  const column = columns[agents[agent]?.column ?? -1];
  const [seen] = (column?.values[column.at[row] ?? -1] ?? "hidden").split(" ");
  return WAYS.find((way) => way === seen) ?? "hidden";
}

/** How many skills the model of an agent reads of at its first turn. */
export function atTurnOne(counts: SeenAnswer["agents"][number]["counts"]): number {
  return counts.whole + counts.cut + counts.name;
}

/** How the rows are filtered and sorted, as the address has it: `q=pdf&way=cut&sort=-codex`. */
export interface MatrixState {
  readonly query: string;
  /** Only rows that some agent sees so. */
  readonly way: SeenAs | undefined;
  /** `name`, or the key of an agent; undefined: as the list of skills. */
  readonly sort: string | undefined;
  readonly descending: boolean;
}

export function readMatrix(params: URLSearchParams): MatrixState {
  const sorted = params.get("sort") ?? "";
  return {
    query: (params.get("q") ?? "").trim().toLowerCase(),
    way: WAYS.find((way) => way === params.get("way")),
    sort: sorted.replace(/^-/, "") || undefined,
    descending: sorted.startsWith("-"),
  };
}

/** What a click on a heading leads to: sorted, the other way round, as it was. */
export function nextOrder({ sort, descending }: MatrixState, key: string): string | undefined {
  if (sort !== key) return key;
  return descending ? undefined : `-${key}`;
}

/** Identifies an agent in addresses. */
export function agentKey({ client, profile }: SeenAnswer["agents"][number]): string {
  return profile === undefined ? client : `${client}@${profile}`;
}

/** The rows that are shown, in their order. */
export function shownRows(
  answer: SeenAnswer,
  names: readonly string[],
  state: MatrixState,
): readonly number[] {
  const { query, way, sort, descending } = state;
  const words = query.split(/\s+/);
  const rows = names.flatMap((name, row) => {
    const key = name.toLowerCase();
    if (!words.every((word) => key.includes(word))) return [];
    const isSo = way === undefined || answer.agents.some((_, agent) => cellAt(answer, agent, row) === way);
    return isSo ? [row] : [];
  });
  if (sort === undefined) return rows;
  const agent = answer.agents.findIndex((one) => agentKey(one) === sort);
  if (agent < 0 && sort !== "name") return rows;
  const rank = (row: number): number | string =>
    agent < 0 ? (names[row] ?? "").toLowerCase() : WAYS.indexOf(cellAt(answer, agent, row));
  const sign = descending ? -1 : 1;
  const keys = new Map(rows.map((row) => [row, rank(row)]));
  return rows.toSorted((a, b) => {
    const [one, other] = [keys.get(a) ?? 0, keys.get(b) ?? 0];
    return one < other ? -sign : one > other ? sign : a - b;
  });
}
