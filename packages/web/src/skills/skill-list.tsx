import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Icon } from "../icons/icon.tsx";
import { formatNumber } from "../parts/format.ts";
import { drawCell } from "./cells.tsx";
import type { Facts } from "./facts.ts";
import type { Rows } from "./rows.ts";
import { STATUS } from "./status.ts";
import { type Column, type Lines, nextPlace, slotOf, type View, viewAt } from "./table.ts";

/** Extra rows above and below the viewport, so that fast scrolling shows no gap. */
const SPARE_ROWS = 4;

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
  const { list, active, selected, onActive, onOpen, onSelect, onGroup } = props;
  const { lines } = list;
  const box = useRef<HTMLDivElement>(null);
  const { height, view, updateView, updateSize } = useView(box);
  useLayoutEffect(updateSize, [lines.length]);
  useActiveInView(box, active, height);

  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? height) / height) - 1);
    const to = placeAfter(event.key, active, page, lines.length - 1);
    const row = lines[active] ?? -1;
    if (to !== undefined) onActive(nextPlace(lines, active, to));
    else if (event.key === "Enter" && row >= 0) onOpen(row);
    else if ((event.key === " " || event.key === "x") && row >= 0) onSelect?.(row, event.shiftKey);
    else return;
    event.preventDefault();
  };
  // One listener for all lines: a row that scrolls into view needs none of its own.
  const onClick = (event: MouseEvent): void => {
    const target = event.target instanceof Element ? event.target : null;
    const place = Number(target?.closest<HTMLElement>("[data-place]")?.dataset["place"] ?? -1);
    const row = lines[place];
    if (row === undefined) return;
    if (row < 0) return onGroup(list.groups[-1 - row]?.label ?? "");
    onActive(place);
    if (onSelect !== undefined && target?.closest(".select") !== null) onSelect(row, event.shiftKey);
    else onOpen(row);
  };

  const activeRow = lines[active] ?? -1;
  const isDrawn = active >= view.first && active < view.first + view.count;
  return (
    <div
      class={selected.size === 0 ? "skill-list" : "skill-list selecting"}
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
      onClick={onClick}
    >
      <div class="all" role="presentation" style={{ height: `${lines.length * height}px` }}>
        <div class="drawn" role="presentation" style={{ transform: `translateY(${view.first * height}px)` }}>
          <DrawnLines {...props} view={view} />
        </div>
      </div>
    </div>
  );
}

/** Where a key leads to; undefined for one that does not move. */
function placeAfter(key: string, active: number, page: number, last: number): number | undefined {
  const places: Readonly<Record<string, number>> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: last,
  };
  return places[key];
}

function DrawnLines({ view, ...props }: SkillListProps & { readonly view: View }) {
  const { rows, facts, columns, active, open, selected, onSelect } = props;
  const { lines } = props.list;
  const now = useMemo(() => Date.now() / 1000, [facts]);
  return (
    <>
      {lines.slice(view.first, view.first + view.count).map((row, index) => {
        const place = view.first + index;
        return row < 0 ? (
          <GroupHeading key={row} {...props} group={-1 - row} place={place} />
        ) : (
          // Elements that leave the view show the rows that enter it: scrolling creates none.
          <ListRow
            key={`slot ${slotOf(view, place)}`}
            rows={rows}
            facts={facts}
            columns={columns}
            row={row}
            place={place}
            size={lines.length}
            now={now}
            isActive={place === active}
            isOpen={row === open}
            isSelected={onSelect === undefined ? undefined : selected.has(row)}
          />
        );
      })}
    </>
  );
}

/** The lines in view, which follow the scroll position and the size of the box. */
export function useView(box: { readonly current: HTMLDivElement | null }) {
  const [height, setHeight] = useState(rowHeight);
  const [view, setView] = useState<View>({ first: 0, count: 40, base: 0 });
  const show = (size: number): void => {
    const element = box.current;
    if (element === null) return;
    const first = Math.max(0, Math.floor(element.scrollTop / size) - SPARE_ROWS);
    const count = Math.ceil(element.clientHeight / size) + 1 + 2 * SPARE_ROWS;
    setView((old) => viewAt(old, first, count));
  };
  const updateSize = (): void => {
    const size = rowHeight();
    setHeight(size);
    show(size);
  };
  useEffect(() => {
    const observer = new ResizeObserver(updateSize);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return { height, view, updateSize, updateView: () => show(height) };
}

/** The active row stays in view. */
export function useActiveInView(
  box: { readonly current: HTMLDivElement | null },
  active: number,
  height: number,
): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const top = active * height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + element.clientHeight)
      element.scrollTop = top + height - element.clientHeight;
  }, [active, height]);
}

/** Not an option of the list: it has a key of its own in no mode, and a screen reader hears the group in each row's place. */
function GroupHeading({
  list,
  closed,
  group,
  place,
}: SkillListProps & { readonly group: number; readonly place: number }) {
  const { label, rows } = list.groups[group] ?? { label: "", rows: [] };
  const isClosed = closed.has(label);
  return (
    <div class="row group-row" role="presentation" data-place={place}>
      <span class={isClosed ? "closed" : "opened"}>
        <Icon name={isClosed ? "right" : "down"} size={12} />
      </span>
      <strong>{label}</strong>
      <span class="muted">{formatNumber(rows.length)}</span>
    </div>
  );
}

interface RowProps {
  readonly rows: Rows;
  readonly facts: Facts;
  readonly columns: readonly Column[];
  readonly row: number;
  readonly place: number;
  /** How many lines the list has. */
  readonly size: number;
  readonly now: number;
  readonly isActive: boolean;
  readonly isOpen: boolean;
  /** Undefined where nothing can be selected. */
  readonly isSelected: boolean | undefined;
}

/** One row. Memoised: a row whose content is unchanged keeps its element. */
function ListRow(props: RowProps) {
  const { rows, facts, columns, row, place, size, now, isActive, isOpen, isSelected } = props;
  return useMemo(
    () => drawRow(props),
    [rows, facts, columns, row, place, size, now, isActive, isOpen, isSelected],
  );
}

/** As few elements as there are things to see: each costs time in every frame of a scroll. */
function drawRow({ rows, facts, columns, row, place, size, now, isActive, isOpen, isSelected }: RowProps) {
  const status = rows.status(row);
  const label = STATUS[status].label;
  return (
    <div
      {...(isActive ? { id: `row-${row}` } : {})}
      class={`row${isActive ? " active" : ""}${rows.isServed(row) ? "" : " unserved"}${isOpen ? " open" : ""}`}
      role="option"
      data-place={place}
      aria-selected={isSelected ?? isOpen}
      {...(isOpen ? { "aria-current": "true" as const } : {})}
      aria-posinset={place + 1}
      aria-setsize={size}
    >
      <span
        class={`select status-${status}${isSelected === undefined ? "" : isSelected ? " can checked" : " can"}`}
        title={label}
      >
        {isSelected === true ? <Icon name="check" size={12} /> : null}
      </span>
      {status === "ok" ? (
        <span class="cell name">{rows.name(row)}</span>
      ) : (
        <span class="cell name marked">
          <span>{rows.name(row)}</span>
          <span class={`badge status-${status}`}>{label}</span>
        </span>
      )}
      {columns.map((column) => drawCell({ column, rows, facts, row, now }))}
    </div>
  );
}
