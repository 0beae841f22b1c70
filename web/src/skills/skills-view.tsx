import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { SkillColumns } from "../../../src/http/api/wire.ts";
import { count, formatNumber } from "../parts/format.ts";
import { Empty, ResourceView } from "../parts/notice.tsx";
import { useDashboard } from "../state/context.ts";
import { useResource } from "../state/use-resource.ts";
import { Filters } from "./filters.tsx";
import { FirstSkill } from "./first-skill.tsx";
import { createRows, FILTERS, filterRows, orderFound, type RowFilter, type Rows } from "./rows.ts";
import { SkillDetailView } from "./skill-detail.tsx";
import { SkillList } from "./skill-list.tsx";
import { type RankedSearch, useSearch } from "./use-search.ts";

/** Every skill of every source, with a detail pane. */
export function SkillsView() {
  const { client, generation } = useDashboard();
  const columns = useResource("skills", generation, (signal) =>
    client.get<SkillColumns>("skills", {}, signal),
  );
  return (
    <ResourceView resource={columns} what="the skills">
      {(value) => <Skills columns={value} />}
    </ResourceView>
  );
}

function Skills({ columns }: { readonly columns: SkillColumns }) {
  const rows = useMemo(() => createRows(columns), [columns]);
  const { navigation } = useDashboard();
  const { params } = navigation.route;
  const query = params.get("q") ?? "";
  const name = params.get("open");
  const file = params.get("file");
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
  const found = useSearch(query);
  const passed = useMemo(() => filterRows(rows, filter), [rows, filter]);
  const shown = useMemo(
    () => orderFound(rows, passed, query, found.ranked),
    [rows, passed, query, found.ranked.join("\0")],
  );
  // A link that opens a skill also finds it in the list.
  const [active, setActive] = useState(() => {
    const row = file === null ? rows.byKey(name ?? "") : rows.byFile(file);
    return row === undefined ? 0 : Math.max(0, shown.indexOf(row));
  });
  const search = useRef<HTMLInputElement>(null);
  const place = Math.min(active, Math.max(0, shown.length - 1));
  const openRow = file === null ? (name === null ? undefined : rows.byKey(name)) : rows.byFile(file);
  const isOpen = name !== null || file !== null;

  const open = useCallback(
    (row: number) => {
      const key = rows.key(row);
      const wanted =
        key === undefined ? { open: undefined, file: rows.file(row) } : { open: key, file: undefined };
      navigation.change({ ...wanted, tab: undefined, path: undefined });
    },
    [rows, navigation],
  );
  const close = useCallback(() => {
    navigation.change({ open: undefined, file: undefined, tab: undefined, path: undefined });
    document.querySelector<HTMLElement>("#skill-list")?.focus();
  }, [navigation]);
  useKeys({ search, isOpen, close });

  const onSearchKey = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setActive(Math.max(0, Math.min(shown.length - 1, place + step)));
    } else if (event.key === "Enter") {
      const row = shown[place];
      if (row !== undefined) open(row);
    }
  };

  if (rows.count === 0) return <FirstSkill />;
  return (
    <div class={`skills${isOpen ? " with-detail" : ""}`}>
      <section class="browse" aria-label="All skills">
        <h1 class="visually-hidden">Skills</h1>
        <div class="search">
          <input
            ref={search}
            type="search"
            placeholder="Search by name, words or task"
            aria-label="Search skills"
            {...(shown.length === 0 ? {} : { "aria-controls": "skill-list" })}
            aria-keyshortcuts="/"
            autocomplete="off"
            spellcheck={false}
            value={query}
            onInput={(event) => {
              setActive(0);
              navigation.change({ q: event.currentTarget.value }, { replace: true });
            }}
            onKeyDown={onSearchKey}
          />
          <kbd aria-hidden="true">/</kbd>
        </div>
        <Filters
          rows={rows}
          filter={filter}
          onChange={(each, value) => {
            setActive(0);
            navigation.change({ [each]: value }, { replace: true });
          }}
        />
        <p class="summary" role="status">
          <Summary rows={rows} shown={shown.length} query={query} found={found} />
        </p>
        {shown.length === 0 ? (
          <Empty title="No matching skills">
            <p>Try fewer words, or clear the filters.</p>
          </Empty>
        ) : (
          <SkillList
            rows={rows}
            shown={shown}
            active={place}
            open={openRow}
            onActive={setActive}
            onOpen={open}
          />
        )}
      </section>
      {isOpen ? <SkillDetailView name={name} file={file} onClose={close} /> : null}
    </div>
  );
}

function Summary({
  rows,
  shown,
  query,
  found,
}: {
  readonly rows: Rows;
  readonly shown: number;
  readonly query: string;
  readonly found: RankedSearch;
}) {
  const { answer, ranked, isSearching } = found;
  if (query.trim() === "") {
    return (
      <>
        {shown === rows.count
          ? count(shown, "skill")
          : `${formatNumber(shown)} of ${count(rows.count, "skill")}`}
      </>
    );
  }
  if (isSearching || answer === undefined) return <>Searching …</>;
  const verdict = { match: "a clear match", ambiguous: "several equal matches", no_match: "no clear match" }[
    answer.verdict
  ];
  return (
    <>
      {formatNumber(shown)} found · {ranked.length} ranked by find_skills: {verdict}
    </>
  );
}

/** `/` goes to the search from anywhere; Esc closes the open skill, then leaves the search. */
function useKeys({
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
      const { target } = event;
      const isTyping =
        target instanceof HTMLInputElement ||
        target instanceof HTMLTextAreaElement ||
        target instanceof HTMLSelectElement;
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
      if (document.querySelector("dialog[open]") !== null) return;
      if (event.key === "/" && !isTyping && !hasModifier) {
        event.preventDefault();
        search.current?.focus();
        search.current?.select();
      } else if (event.key === "Escape" && isOpen) {
        event.preventDefault();
        close();
      } else if (event.key === "Escape" && target === search.current) {
        document.querySelector<HTMLElement>("#skill-list")?.focus();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [isOpen, close, search]);
}
