import { useMemo, useRef, useState } from "preact/hooks";
import { SEEN, type SeenAnswer, type SkillColumns } from "#server/wire";
import { Chip } from "../parts/badge.tsx";
import { count } from "../parts/format.ts";
import { Empty, Loading, ResourceView } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { createRows, type Rows } from "../skills/rows.ts";
import { useDashboard } from "../state/context.ts";
import { routeHash } from "../state/route.ts";
import { useResource } from "../state/use-resource.ts";
import { readMatrix, SIGNS, shownRows, WAYS } from "./cells.ts";
import { Matrix, type Place } from "./matrix.tsx";
import { SeenWhy } from "./seen-why.tsx";

/** Skills and agents: what each of them sees of each. */
export function SeenView() {
  const { client, generation, navigation } = useDashboard();
  const isAll = navigation.route.params.get("agents") === "all";
  const columns = useResource("skills", generation, (signal) =>
    client.get<SkillColumns>("skills", {}, signal),
  );
  const asked: Readonly<Record<string, string>> = isAll ? {} : { agents: "here" };
  const seen = useResource(`seen ${isAll}`, generation, (signal) =>
    client.get<SeenAnswer>("seen", asked, signal),
  );
  const rows = useMemo(() => columns.value && createRows(columns.value), [columns.value?.tag]);
  return (
    <div class="page seen-view">
      <PageHeader
        title="Seen by"
        actions={
          <Chip
            isOn={isAll}
            onClick={() => navigation.change({ agents: isAll ? undefined : "all" }, { replace: true })}
          >
            All agents
          </Chip>
        }
      >
        What the model of each agent has of each skill before it asks. Choose a cell for the reason.
      </PageHeader>
      <ResourceView resource={seen} what="who sees which skill">
        {(value) =>
          rows === undefined ? (
            <Loading what="the skills" />
          ) : rows.count + value.more.length === 0 ? (
            <Empty title="No skills yet" icon="skills">
              <p>
                <a href={routeHash("skills")}>Write or install one</a>, and this page shows which agents see
                it.
              </p>
            </Empty>
          ) : (
            <Board answer={value} rows={rows} />
          )
        }
      </ResourceView>
    </div>
  );
}

function Board({ answer, rows }: { readonly answer: SeenAnswer; readonly rows: Rows }) {
  const { navigation } = useDashboard();
  const { params } = navigation.route;
  const state = readMatrix(params);
  const names = useMemo(
    () => [...Array.from({ length: rows.count }, (_, row) => rows.name(row)), ...answer.more],
    [rows, answer],
  );
  const shown = useMemo(() => shownRows(answer, names, state), [answer, names, JSON.stringify(state)]);
  const [chosen, setChosen] = useState<Place | undefined>(undefined);
  const grid = useRef<HTMLDivElement>(null);
  const change = (changes: Readonly<Record<string, string | undefined>>): void =>
    navigation.change(changes, { replace: true });
  const isThere = chosen !== undefined && answer.agents[chosen.agent] !== undefined;
  return (
    <>
      <div class="seen-filters">
        <input
          type="search"
          aria-label="Filter the skills"
          placeholder="Filter the skills"
          value={params.get("q") ?? ""}
          data-search
          onInput={(event) => change({ q: event.currentTarget.value || undefined })}
        />
        {WAYS.map((way) => (
          <Chip
            key={way}
            isOn={state.way === way}
            onClick={() => change({ way: state.way === way ? undefined : way })}
          >
            <span class={`sign way-${way}`} aria-hidden="true">
              {SIGNS[way]}
            </span>
            {SEEN[way]}
          </Chip>
        ))}
      </div>
      <p class="muted seen-count" role="status">
        {count(shown.length, "skill")}, {count(answer.agents.length, "agent")}
      </p>
      {shown.length === 0 ? (
        <Empty title="No skill matches" icon="search">
          <button type="button" onClick={() => change({ q: undefined, way: undefined })}>
            Show all
          </button>
        </Empty>
      ) : (
        <Matrix
          {...{ answer, names, rows, shown, state }}
          box={grid}
          chosen={chosen}
          onChoose={setChosen}
          onSort={(sort) => change({ sort })}
        />
      )}
      {isThere ? (
        <SeenWhy
          answer={answer}
          rows={rows}
          names={names}
          place={chosen}
          onClose={() => {
            setChosen(undefined);
            grid.current?.focus();
          }}
        />
      ) : null}
    </>
  );
}
