import { useMemo } from "preact/hooks";
import { Icon } from "../icons/icon.tsx";
import { formatNumber } from "../parts/format.ts";
import type { Facts } from "./facts.ts";
import { countValues, FILTERS, type FilterName, type RowFilter, type Rows } from "./rows.ts";
import { isStatus, STATUS } from "./status.ts";

const LABELS: Readonly<Record<FilterName, string>> = {
  status: "Status",
  provider: "Provider",
  location: "Location",
  source: "Source",
  plugin: "Plugin",
  kind: "Kind",
  used: "Used",
  findings: "Findings",
};

const VALUES: Readonly<Record<string, string>> = {
  never: "not in 30 days",
  used: "in 30 days",
  unknown: "not known: an agent reads it itself",
  errors: "with errors",
  warnings: "with warnings",
  none: "none",
};

const NO_COUNTS: ReadonlyMap<string, number> = new Map();

/** What a value of a filter is called. */
function labelOf(name: FilterName, value: string): string {
  if (name === "status" && isStatus(value)) return STATUS[value].label;
  return name === "used" || name === "findings" ? (VALUES[value] ?? value) : value;
}

/** A chip for each filter with at least two values. One that is set has a button that clears it. */
export function Filters({
  rows,
  facts,
  filter,
  onChange,
}: {
  readonly rows: Rows;
  readonly facts: Facts;
  readonly filter: RowFilter;
  readonly onChange: (changes: Readonly<Partial<Record<FilterName, string | undefined>>>) => void;
}) {
  const chosen = Object.keys(filter).length;
  // Every row is counted, so not again for each key that is typed.
  const counts = useMemo(() => countValues(rows, facts, filter), [rows, facts, filter]);
  return (
    <div class="filters" role="group" aria-label="Filters">
      {FILTERS.map((name) => (
        <FilterChip
          key={name}
          name={name}
          value={filter[name]}
          counts={counts.get(name) ?? NO_COUNTS}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
      {chosen > 1 ? (
        <button
          type="button"
          class="link"
          onClick={() => onChange(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}
        >
          Clear filters
        </button>
      ) : null}
    </div>
  );
}

function FilterChip({
  name,
  value,
  counts,
  onChange,
}: {
  readonly name: FilterName;
  readonly value: string | undefined;
  readonly counts: ReadonlyMap<string, number>;
  readonly onChange: (value: string | undefined) => void;
}) {
  if (counts.size < 2 && value === undefined) return null;
  const values = [...counts].sort((a, b) => b[1] - a[1]);
  return (
    <span class={value === undefined ? "filter-chip" : "filter-chip chosen"}>
      <label>
        <span>{LABELS[name]}</span>
        <select value={value ?? ""} onChange={(event) => onChange(event.currentTarget.value || undefined)}>
          <option value="">All</option>
          {values.map(([each, count]) => (
            <option key={each} value={each}>
              {`${labelOf(name, each)} (${formatNumber(count)})`}
            </option>
          ))}
          {value !== undefined && !counts.has(value) ? (
            <option value={value}>{labelOf(name, value)}</option>
          ) : null}
        </select>
      </label>
      {value === undefined ? null : (
        <button
          type="button"
          aria-label={`Clear the filter ${LABELS[name]}`}
          onClick={() => onChange(undefined)}
        >
          <Icon name="cross" size={12} />
        </button>
      )}
    </span>
  );
}
