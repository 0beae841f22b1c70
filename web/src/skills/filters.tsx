import { formatNumber } from "../parts/format.ts";
import { countValues, FILTERS, type FilterName, type RowFilter, type Rows } from "./rows.ts";
import { isStatus, STATUS } from "./status.ts";

const LABELS: Readonly<Record<FilterName, string>> = {
  status: "Status",
  provider: "Provider",
  location: "Location",
  plugin: "Plugin",
  kind: "Kind",
};

/** One select for each filter with at least two values. */
export function Filters({
  rows,
  filter,
  onChange,
}: {
  readonly rows: Rows;
  readonly filter: RowFilter;
  readonly onChange: (name: FilterName, value: string | undefined) => void;
}) {
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <div class="filters" role="group" aria-label="Filters">
      {FILTERS.map((name) => {
        const counts = countValues(rows, name, filter);
        const chosen = filter[name];
        if (counts.size < 2 && chosen === undefined) return null;
        return (
          <label key={name} class={chosen === undefined ? "" : "chosen"}>
            <span>{LABELS[name]}</span>
            <select
              value={chosen ?? ""}
              onChange={(event) => onChange(name, event.currentTarget.value || undefined)}
            >
              <option value="">All</option>
              {[...counts]
                .sort((a, b) => b[1] - a[1])
                .map(([value, count]) => (
                  <option key={value} value={value}>
                    {`${isStatus(value) ? STATUS[value].label : value} (${formatNumber(count)})`}
                  </option>
                ))}
              {chosen !== undefined && !counts.has(chosen) ? <option value={chosen}>{chosen}</option> : null}
            </select>
          </label>
        );
      })}
      {isFiltered ? (
        <button
          type="button"
          class="small"
          onClick={() => {
            for (const name of FILTERS) onChange(name, undefined);
          }}
        >
          Clear filters
        </button>
      ) : null}
    </div>
  );
}
