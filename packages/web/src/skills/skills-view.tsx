import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RowFindingsAnswer, SkillColumns, SkillFactsAnswer } from "#server/wire";
import { Empty, ResourceView } from "../parts/notice.tsx";
import { mayChange, useDashboard } from "../state/context.ts";
import { useResource } from "../state/use-resource.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { createFacts, type Facts } from "./facts.ts";
import { Filters } from "./filters.tsx";
import { FirstSkill } from "./first-skill.tsx";
import { createRows, FILTERS, filterRows, orderFound, type RowFilter, type Rows } from "./rows.ts";
import { SkillDetailView } from "./skill-detail.tsx";
import { SkillList } from "./skill-list.tsx";
import { Summary } from "./summary.tsx";
import { groupRows, nextPlace, readTable, sortRows } from "./table.ts";
import { TableControls, TableHead } from "./table-controls.tsx";
import { useSearch } from "./use-search.ts";
import { useSelection } from "./use-selection.ts";

/** Every skill of every source, with a detail pane. */
export function SkillsView() {
  const { client, generation } = useDashboard();
  const columns = useResource("skills", generation, (signal) =>
    client.get<SkillColumns>("skills", {}, signal),
  );
  return (
    <ResourceView resource={columns} what="the skills">
      {(value) => (value.count === 0 ? <FirstSkill /> : <Skills columns={value} />)}
    </ResourceView>
  );
}

/** What is known of the rows: first what is quick, then what is checked. */
function useFacts(tag: string): Facts {
  const { client, generation } = useDashboard();
  const facts = useResource(`facts ${tag}`, generation, (signal) =>
    client.get<SkillFactsAnswer>("skills/facts", {}, signal),
  ).value;
  const isThere = facts !== undefined;
  const findings = useResource(isThere ? `findings ${tag}` : undefined, generation, (signal) =>
    client.get<RowFindingsAnswer>("skills/findings", {}, signal),
  ).value;
  return useMemo(() => createFacts(tag, facts, findings), [tag, facts, findings]);
}

function Skills({ columns }: { readonly columns: SkillColumns }) {
  const rows = useMemo(() => createRows(columns), [columns.tag]);
  const facts = useFacts(columns.tag);
  const { navigation, session } = useDashboard();
  const { params } = navigation.route;
  const query = params.get("q") ?? "";
  const name = params.get("open");
  const file = params.get("file");
  const found = useSearch(query);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const { table, filter, shown, list } = useShown({ rows, facts, query, ranked: found.ranked, closed });
  const { lines } = list;
  // A link that opens a skill also finds it in the list.
  const [active, setActive] = useState(() => {
    const row = file === null ? rows.byKey(name ?? "") : rows.byFile(file);
    return row === undefined ? 0 : Math.max(0, lines.indexOf(row));
  });
  const search = useRef<HTMLInputElement>(null);
  const last = Math.min(active, Math.max(0, lines.length - 1));
  const place = nextPlace(lines, last, last);
  const openRow = file === null ? (name === null ? undefined : rows.byKey(name)) : rows.byFile(file);
  const isOpen = name !== null || file !== null;
  // Whatever opened it, the keys go on from the open skill.
  useEffect(() => {
    const at = openRow === undefined ? -1 : lines.indexOf(openRow);
    if (at >= 0) setActive(at);
  }, [openRow]);
  const selection = useSelection(rows, lines);
  const canSelect = mayChange(session);

  const open = useCallback(
    (row: number) => {
      const key = rows.key(row);
      const wanted =
        key === undefined ? { open: undefined, file: rows.file(row) } : { open: key, file: undefined };
      navigation.change({ ...wanted, tab: undefined, path: undefined, line: undefined, edit: undefined });
    },
    [rows, navigation],
  );
  const close = useCallback(() => {
    navigation.change({
      open: undefined,
      file: undefined,
      tab: undefined,
      path: undefined,
      line: undefined,
      edit: undefined,
    });
    document.querySelector<HTMLElement>("#skill-list")?.focus();
  }, [navigation]);
  useEscape({ search, isOpen, close });
  const change = (changes: Readonly<Record<string, string | undefined>>): void => {
    setActive(0);
    navigation.change(changes, { replace: true });
  };

  const onSearchKey = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setActive(nextPlace(lines, place, place + (event.key === "ArrowDown" ? 1 : -1)));
    } else if (event.key === "Enter") {
      const row = lines[place] ?? -1;
      if (row >= 0) open(row);
    }
  };

  return (
    <div class={`skills${isOpen ? " with-detail" : ""}`}>
      <h1 class="visually-hidden">Skills</h1>
      <section class="browse" aria-label="All skills">
        <div class="search">
          <input
            ref={search}
            data-search
            type="search"
            placeholder="Search by name, words or task"
            aria-label="Search skills"
            {...(shown.length === 0 ? {} : { "aria-controls": "skill-list" })}
            aria-keyshortcuts="/"
            autocomplete="off"
            spellcheck={false}
            value={query}
            onFocus={rows.prepareTexts}
            onInput={(event) => change({ q: event.currentTarget.value })}
            onKeyDown={onSearchKey}
          />
          <kbd aria-hidden="true">/</kbd>
        </div>
        <div class="controls-bar">
          <Filters rows={rows} facts={facts} filter={filter} onChange={change} />
          <TableControls table={table} onChange={change} />
        </div>
        <p class="summary" role="status">
          <Summary rows={rows} facts={facts} shown={shown} query={query} found={found} />
        </p>
        <div
          class="table"
          data-columns={table.columns.join(" ")}
          style={{ "--columns": tracks(table.columns) }}
        >
          <TableHead
            table={table}
            allSelected={
              canSelect ? shown.length > 0 && shown.every((row) => selection.selected.has(row)) : undefined
            }
            onSelectAll={(select) => selection.set(select ? shown : [])}
            onChange={change}
          />
          {shown.length === 0 ? (
            <Empty title="No matching skills" icon="search">
              <p>Try fewer words, or clear the filters.</p>
            </Empty>
          ) : (
            <SkillList
              rows={rows}
              facts={facts}
              columns={table.columns}
              list={list}
              closed={closed}
              active={place}
              open={openRow}
              selected={selection.selected}
              onSelect={canSelect ? selection.toggle : undefined}
              onActive={setActive}
              onOpen={open}
              onGroup={(label) => setClosed(toggled(closed, label))}
            />
          )}
        </div>
        {selection.selected.size === 0 ? null : (
          <BulkBar rows={rows} selected={selection.selected} onClear={() => selection.set([])} />
        )}
      </section>
      {isOpen ? <SkillDetailView name={name} file={file} onClose={close} /> : null}
    </div>
  );
}

/** The widths of the columns. */
const TRACKS: Readonly<Record<string, string>> = {
  description: "minmax(0, 1fr)",
  status: "92px",
  provider: "minmax(84px, 128px)",
  location: "76px",
  source: "minmax(100px, 190px)",
  tokens: "58px",
  uses: "46px",
  lastUsed: "76px",
  changed: "76px",
  findings: "76px",
};

function tracks(columns: readonly string[]): string {
  const widths = columns.map((column) => TRACKS[column] ?? "auto");
  const name = columns.includes("description") ? "minmax(140px, 270px)" : "minmax(140px, 1fr)";
  return [name, ...widths].join(" ");
}

function toggled(set: ReadonlySet<string>, label: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(label)) next.add(label);
  return next;
}

/** The rows that the address asks for, in its order and groups. */
function useShown({
  rows,
  facts,
  query,
  ranked,
  closed,
}: {
  readonly rows: Rows;
  readonly facts: Facts;
  readonly query: string;
  readonly ranked: readonly string[];
  readonly closed: ReadonlySet<string>;
}) {
  const { params } = useDashboard().navigation.route;
  const filterKey = FILTERS.map((each) => params.get(each) ?? "").join("\0");
  const filter = useMemo(
    (): RowFilter =>
      Object.fromEntries(
        FILTERS.flatMap((each) => {
          const value = params.get(each);
          return value === null ? [] : [[each, value]];
        }),
      ),
    [filterKey],
  );
  const tableKey = ["sort", "group", "cols"].map((each) => params.get(each) ?? "").join("\0");
  const table = useMemo(() => readTable(params), [tableKey]);
  const passed = useMemo(() => filterRows(rows, facts, filter), [rows, facts, filter]);
  const found = useMemo(
    () => orderFound(rows, passed, query, ranked),
    [rows, passed, query, ranked.join("\0")],
  );
  const shown = useMemo(() => sortRows(rows, facts, found, table), [rows, facts, found, table]);
  const list = useMemo(
    () => groupRows(rows, facts, shown, table.group, closed),
    [rows, facts, shown, table, closed],
  );
  return { table, filter, shown, list };
}

/** Esc closes the open skill, then leaves the search. */
function useEscape({
  search,
  isOpen,
  close,
}: {
  readonly search: { readonly current: HTMLInputElement | null };
  readonly isOpen: boolean;
  readonly close: () => void;
}): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || document.querySelector("dialog[open]") !== null) return;
      if (isOpen) {
        event.preventDefault();
        close();
      } else if (event.target === search.current) {
        document.querySelector<HTMLElement>("#skill-list")?.focus();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [isOpen, close, search]);
}
