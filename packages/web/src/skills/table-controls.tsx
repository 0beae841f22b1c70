import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../icons/icon.tsx";
import {
  COLUMN_HINTS,
  COLUMNS,
  type Column,
  columnsParam,
  GROUPS,
  nextSort,
  SORTS,
  type SortKey,
  type TableState,
} from "./table.ts";

const SORT_LABELS: Readonly<Record<SortKey, string>> = {
  name: "Name",
  provider: COLUMNS.provider,
  source: COLUMNS.source,
  tokens: COLUMNS.tokens,
  uses: COLUMNS.uses,
  lastUsed: COLUMNS.lastUsed,
  changed: COLUMNS.changed,
  findings: COLUMNS.findings,
};

const GROUP_LABELS = {
  provider: "Provider",
  source: "Source",
  location: "Location",
  plugin: "Plugin",
  status: "Status",
} as const;

type Change = (changes: Readonly<Record<string, string | undefined>>) => void;

/** Sorting, grouping and the choice of columns. */
export function TableControls({
  table,
  onChange,
}: {
  readonly table: TableState;
  readonly onChange: Change;
}) {
  const { sort, descending, group } = table;
  return (
    <div class="table-controls">
      <span class="filter-chip">
        <label>
          <span>Sort</span>
          <select
            value={sort ?? ""}
            onChange={(event) => {
              const key = SORTS.find((each) => each === event.currentTarget.value);
              const plain = { ...table, sort: undefined };
              onChange({ sort: key === undefined ? undefined : nextSort(plain, key) });
            }}
          >
            <option value="">As listed</option>
            {SORTS.map((key) => (
              <option key={key} value={key}>
                {SORT_LABELS[key]}
              </option>
            ))}
          </select>
        </label>
        {sort === undefined ? null : (
          <button
            type="button"
            aria-label={descending ? "Sort from the smallest" : "Sort from the largest"}
            onClick={() => onChange({ sort: descending ? sort : `-${sort}` })}
          >
            {descending ? "↓" : "↑"}
          </button>
        )}
      </span>
      <span class="filter-chip">
        <label>
          <span>Group</span>
          <select
            value={group ?? ""}
            onChange={(event) => onChange({ group: event.currentTarget.value || undefined })}
          >
            <option value="">None</option>
            {GROUPS.map((key) => (
              <option key={key} value={key}>
                {GROUP_LABELS[key]}
              </option>
            ))}
          </select>
        </label>
      </span>
      <ColumnChoice
        columns={table.columns}
        onChange={(columns) => onChange({ cols: columnsParam(columns) })}
      />
    </div>
  );
}

function ColumnChoice({
  columns,
  onChange,
}: {
  readonly columns: readonly Column[];
  readonly onChange: (columns: readonly Column[]) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return undefined;
    const onOutside = (event: Event): void => {
      if (event.target instanceof Node && box.current?.contains(event.target) !== true) setOpen(false);
    };
    addEventListener("pointerdown", onOutside);
    addEventListener("focusin", onOutside);
    return () => {
      removeEventListener("pointerdown", onOutside);
      removeEventListener("focusin", onOutside);
    };
  }, [isOpen]);
  return (
    <div
      class="column-choice"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        event.stopPropagation();
        setOpen(false);
        box.current?.querySelector("button")?.focus();
      }}
    >
      <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Columns
        <Icon name="down" size={12} />
      </button>
      {isOpen ? (
        <fieldset>
          <legend class="visually-hidden">Columns</legend>
          {(Object.keys(COLUMNS) as Column[]).map((column) => (
            <label key={column} title={COLUMN_HINTS[column]}>
              <input
                type="checkbox"
                checked={columns.includes(column)}
                onChange={(event) =>
                  onChange(
                    event.currentTarget.checked
                      ? [...columns, column]
                      : columns.filter((each) => each !== column),
                  )
                }
              />
              {COLUMNS[column]}
            </label>
          ))}
        </fieldset>
      ) : null}
    </div>
  );
}

/** The headings above the list; a click sorts. */
export function TableHead({
  table,
  allSelected,
  onSelectAll,
  onChange,
}: {
  readonly table: TableState;
  /** Undefined where nothing can be selected. */
  readonly allSelected: boolean | undefined;
  readonly onSelectAll: (select: boolean) => void;
  readonly onChange: Change;
}) {
  const heading = (key: Column | "name", label: string) => {
    const sortable = SORTS.find((each) => each === key);
    if (sortable === undefined)
      return (
        <span key={key} class={`cell ${key}`}>
          {label}
        </span>
      );
    const isSorted = table.sort === sortable;
    const direction = isSorted ? (table.descending ? "↓" : "↑") : "";
    return (
      <button
        key={key}
        type="button"
        class={`cell ${key}`}
        aria-pressed={isSorted}
        aria-label={`Sort by ${label.toLowerCase()}${isSorted ? (table.descending ? ", largest first" : ", smallest first") : ""}`}
        title={key === "name" ? undefined : COLUMN_HINTS[key]}
        onClick={() => onChange({ sort: nextSort(table, sortable) })}
      >
        {label}
        {direction === "" ? null : <span aria-hidden="true">{direction}</span>}
      </button>
    );
  };
  return (
    <div class="row head">
      {allSelected === undefined ? (
        <span class="select" />
      ) : (
        <label class="select" title="Select all that are shown">
          <input
            type="checkbox"
            checked={allSelected}
            aria-label="Select all skills that are shown"
            onChange={(event) => onSelectAll(event.currentTarget.checked)}
          />
        </label>
      )}
      {heading("name", "Name")}
      {table.columns.map((column) => heading(column, COLUMNS[column]))}
    </div>
  );
}
