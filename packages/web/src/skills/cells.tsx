import { formatNumber } from "../parts/format.ts";
import type { Facts } from "./facts.ts";
import type { Rows } from "./rows.ts";
import { STATUS } from "./status.ts";
import type { Column } from "./table.ts";

const DAY_SECONDS = 86_400;

/** How long ago a day was, short enough for a column. */
function shortAge(days: number): string {
  if (days < 1) return "today";
  if (days < 2) return "yesterday";
  if (days < 60) return `${Math.floor(days)} d ago`;
  return days < 730 ? `${Math.floor(days / 30.4)} mo ago` : `${Math.floor(days / 365)} y ago`;
}

interface CellProps {
  readonly column: Column;
  readonly rows: Rows;
  readonly facts: Facts;
  readonly row: number;
  /** Seconds since 1970. */
  readonly now: number;
}

/** One value of a row. What is not known yet is empty, and takes its room already. */
export function drawCell(props: CellProps) {
  const { column, facts, row } = props;
  const isNone =
    (column === "uses" && facts.uses(row) === 0) || (column === "lastUsed" && facts.lastUsed(row) === "");
  const isOne = column === "uses" && facts.uses(row) === 1;
  return (
    <span key={column} class={`cell ${column}${isNone ? " none" : isOne ? " one" : ""}`}>
      {contentOf(props)}
    </span>
  );
}

function contentOf({ column, rows, facts, row, now }: CellProps) {
  switch (column) {
    case "description":
      return rows.description(row);
    case "status": {
      const status = rows.status(row);
      return <span class={`badge status-${status}`}>{STATUS[status].label}</span>;
    }
    case "provider": {
      const plugin = rows.plugin(row);
      const place = plugin === "" ? rows.location(row) : plugin;
      return `${rows.provider(row)}${place === "" ? "" : ` · ${place}`}`;
    }
    case "location":
      return rows.location(row);
    case "source":
      return facts.source(row) ?? "";
    case "tokens":
    case "uses": {
      const value = facts[column](row);
      return value === undefined ? "" : formatNumber(value);
    }
    case "lastUsed": {
      const day = facts.lastUsed(row);
      if (day === undefined) return "";
      return day === ""
        ? "never"
        : shortAge(Math.floor(now / DAY_SECONDS) - Date.parse(day) / 1000 / DAY_SECONDS);
    }
    case "changed": {
      const changed = facts.changed(row);
      return changed === undefined ? "" : shortAge((now - changed) / DAY_SECONDS);
    }
    case "findings":
      return drawFindings(facts.findings(row));
    default:
      return column satisfies never;
  }
}

function drawFindings(found: ReturnType<Facts["findings"]>) {
  if (found === undefined || found.errors + found.others === 0) return null;
  return (
    <>
      {found.errors === 0 ? null : (
        <span class="badge bad" title="Errors">
          {formatNumber(found.errors)}
          <span class="visually-hidden"> errors</span>
        </span>
      )}
      {found.others === 0 ? null : (
        <span class="badge warn" title="Warnings and advice">
          {formatNumber(found.others)}
          <span class="visually-hidden"> warnings</span>
        </span>
      )}
    </>
  );
}
