import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../icons/icon.tsx";
import { formatNumber } from "../parts/format.ts";
import { Cell } from "./cells.tsx";
import type { Facts } from "./facts.ts";
import type { Rows } from "./rows.ts";
import { STATUS } from "./status.ts";
import { type Column, type Lines, nextPlace } from "./table.ts";

/** Extra rows above and below the viewport, so that fast scrolling shows no gap. */
const SPARE_ROWS = 6;

/** The height of one row, defined in the style sheet. */
function rowHeight(): number {
  return Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue("--row"), 10) || 36;
}

export interface SkillListProps {
  readonly rows: Rows;
  readonly facts: Facts;
  readonly columns: readonly Column[];
  /** The rows and headings in the order in which they are shown. */
  readonly list: Lines;
  readonly closed: ReadonlySet<string>;
  /** A place in the lines. */
  readonly active: number;
  /** The row that is open beside the list. */
  readonly open: number | undefined;
  readonly selected: ReadonlySet<number>;
  /** Undefined where nothing can be changed. */
  readonly onSelect: ((row: number, range: boolean) => void) | undefined;
  readonly onActive: (place: number) => void;
  readonly onOpen: (row: number) => void;
  readonly onGroup: (label: string) => void;
}

/** A virtual list: only the rows in view are rendered. */
export function SkillList(props: SkillListProps) {
  const { list, active, onActive, onOpen, onSelect } = props;
  const { lines } = list;
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(rowHeight);
  const [view, setView] = useState({ first: 0, count: 40 });

  const updateView = (): void => {
    const element = box.current;
    if (element === null) return;
    const size = rowHeight();
    const first = Math.max(0, Math.floor(element.scrollTop / size) - SPARE_ROWS);
    const count = Math.ceil(element.clientHeight / size) + 2 * SPARE_ROWS;
    setHeight(size);
    setView((old) => (old.first === first && old.count === count ? old : { first, count }));
  };

  useLayoutEffect(updateView, [lines.length]);
  useEffect(() => {
    const observer = new ResizeObserver(updateView);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);

  // The active row stays in view.
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const top = active * height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + element.clientHeight)
      element.scrollTop = top + height - element.clientHeight;
  }, [active, height]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? height) / height) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: lines.length - 1,
    };
    const to = steps[event.key];
    const row = lines[active] ?? -1;
    if (to !== undefined) onActive(nextPlace(lines, active, to));
    else if (event.key === "Enter" && row >= 0) onOpen(row);
    else if ((event.key === " " || event.key === "x") && row >= 0) onSelect?.(row, event.shiftKey);
    else return;
    event.preventDefault();
  };

  const visible = lines.slice(view.first, view.first + view.count);
  const activeRow = lines[active] ?? -1;
  const isDrawn = active >= view.first && active < view.first + view.count;
  const now = Date.now() / 1000;
  return (
    <div
      class="skill-list"
      ref={box}
      id="skill-list"
      data-list
      role="listbox"
      tabIndex={0}
      aria-label="Skills"
      aria-multiselectable={onSelect !== undefined}
      {...(activeRow >= 0 && isDrawn ? { "aria-activedescendant": `row-${activeRow}` } : {})}
      onScroll={updateView}
      onKeyDown={onKeyDown}
    >
      <div class="all" role="presentation" style={{ height: `${lines.length * height}px` }}>
        <div class="drawn" role="presentation" style={{ transform: `translateY(${view.first * height}px)` }}>
          {visible.map((row, index) =>
            row < 0 ? (
              <GroupHeading key={row} {...props} group={-1 - row} />
            ) : (
              // Elements that leave the view show the rows that enter it: fast scrolling creates none.
              <ListRow
                key={`at ${(view.first + index) % view.count}`}
                {...props}
                row={row}
                place={view.first + index}
                now={now}
              />
            ),
          )}
        </div>
      </div>
    </div>
  );
}

/** Not an option of the list: it has a key of its own in no mode, and a screen reader hears the group in each row's place. */
function GroupHeading({ list, closed, onGroup, group }: SkillListProps & { readonly group: number }) {
  const { label, rows } = list.groups[group] ?? { label: "", rows: [] };
  const isClosed = closed.has(label);
  return (
    <div class="row group-row" role="presentation" onClick={() => onGroup(label)}>
      <span class={isClosed ? "closed" : "opened"}>
        <Icon name={isClosed ? "right" : "down"} size={12} />
      </span>
      <strong>{label}</strong>
      <span class="muted">{formatNumber(rows.length)}</span>
    </div>
  );
}

function ListRow({
  rows,
  facts,
  columns,
  list,
  row,
  place,
  now,
  active,
  open,
  selected,
  onSelect,
  onActive,
  onOpen,
}: SkillListProps & { readonly row: number; readonly place: number; readonly now: number }) {
  const status = rows.status(row);
  const isSelected = selected.has(row);
  const kinds = [
    "row",
    place === active ? "active" : "",
    rows.isServed(row) ? "" : "unserved",
    row === open ? "open" : "",
  ];
  return (
    <div
      id={`row-${row}`}
      class={kinds.filter(Boolean).join(" ")}
      role="option"
      aria-selected={onSelect === undefined ? row === open : isSelected}
      {...(row === open ? { "aria-current": "true" as const } : {})}
      aria-posinset={place + 1}
      aria-setsize={list.lines.length}
      onClick={() => {
        onActive(place);
        onOpen(row);
      }}
    >
      <span
        class={onSelect === undefined ? "select" : "select can"}
        onClick={(event) => {
          if (onSelect === undefined) return;
          event.stopPropagation();
          onActive(place);
          onSelect(row, event.shiftKey);
        }}
      >
        <span class={`dot status-${status}`} title={STATUS[status].label} />
        {onSelect === undefined ? null : (
          <span class={isSelected ? "box checked" : "box"} aria-hidden="true">
            {isSelected ? <Icon name="check" size={12} /> : null}
          </span>
        )}
      </span>
      <span class="cell name">
        <span>{rows.name(row)}</span>
        {status === "ok" ? null : <span class={`badge status-${status}`}>{STATUS[status].label}</span>}
      </span>
      {columns.map((column) => (
        <Cell key={column} column={column} rows={rows} facts={facts} row={row} now={now} />
      ))}
    </div>
  );
}
