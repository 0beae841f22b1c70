import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Rows } from "./rows.ts";
import { STATUS } from "./status.ts";

/** Extra rows above and below the viewport, so that fast scrolling shows no gap. */
const SPARE_ROWS = 12;

/** The height of one row, defined in the style sheet. */
function rowHeight(): number {
  return Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue("--row"), 10) || 36;
}

/** A virtual list: only the rows in view are rendered. */
export function SkillList({
  rows,
  shown,
  active,
  open,
  onActive,
  onOpen,
}: {
  readonly rows: Rows;
  /** The rows in the order in which they are shown. */
  readonly shown: readonly number[];
  /** A place in `shown`. */
  readonly active: number;
  /** The row that is open beside the list. */
  readonly open: number | undefined;
  readonly onActive: (place: number) => void;
  readonly onOpen: (row: number) => void;
}) {
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

  useLayoutEffect(updateView, [shown.length]);
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
      End: shown.length - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) {
      event.preventDefault();
      onActive(Math.max(0, Math.min(shown.length - 1, to)));
    } else if (event.key === "Enter") {
      const row = shown[active];
      if (row !== undefined) onOpen(row);
    }
  };

  const visible = shown.slice(view.first, view.first + view.count);
  const activeRow = shown[active];
  const isDrawn = active >= view.first && active < view.first + view.count;
  return (
    <div
      class="skill-list"
      ref={box}
      id="skill-list"
      role="listbox"
      tabIndex={0}
      aria-label="Skills"
      {...(activeRow !== undefined && isDrawn ? { "aria-activedescendant": `row-${activeRow}` } : {})}
      onScroll={updateView}
      onKeyDown={onKeyDown}
    >
      <div class="all" role="presentation" style={{ height: `${shown.length * height}px` }}>
        <div class="drawn" role="presentation" style={{ transform: `translateY(${view.first * height}px)` }}>
          {visible.map((row, index) => {
            const place = view.first + index;
            return (
              <ListRow
                key={row}
                rows={rows}
                row={row}
                place={place}
                total={shown.length}
                isActive={place === active}
                isOpen={row === open}
                onOpen={() => {
                  onActive(place);
                  onOpen(row);
                }}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

function ListRow({
  rows,
  row,
  place,
  total,
  isActive,
  isOpen,
  onOpen,
}: {
  readonly rows: Rows;
  readonly row: number;
  readonly place: number;
  readonly total: number;
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}) {
  const status = rows.status(row);
  const plugin = rows.plugin(row);
  const origin = plugin === "" ? rows.location(row) : plugin;
  return (
    <div
      id={`row-${row}`}
      class={`row${isActive ? " active" : ""}${rows.isServed(row) ? "" : " unserved"}`}
      role="option"
      aria-selected={isOpen}
      aria-posinset={place + 1}
      aria-setsize={total}
      onClick={onOpen}
    >
      <span class={`dot status-${status}`} title={STATUS[status].label} />
      <span class="name">{rows.name(row)}</span>
      <span class="description">{rows.description(row)}</span>
      {status === "ok" ? null : <span class={`badge status-${status}`}>{STATUS[status].label}</span>}
      <span class="origin">
        {rows.provider(row)}
        {origin === "" ? "" : ` · ${origin}`}
      </span>
    </div>
  );
}
