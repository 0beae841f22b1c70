import { useEffect, useRef, useState } from "preact/hooks";
import { useDashboard } from "../state/context.ts";
import type { DrawnChart } from "./draw-chart.ts";
import { formatNumber } from "./format.ts";

export interface ChartSeries {
  readonly label: string;
  /** The value of each day, as shown in the tooltip. */
  readonly values: readonly number[];
  /** Bar heights for a stacked series; the values by default. */
  readonly heights?: readonly number[];
  /** A custom property of the style sheet, such as `--accent`. */
  readonly color: string;
}

/**
 * A bar chart by day. A click selects a day; with the keyboard, arrow keys move between the days, whose values are read out,
 * and Enter selects one.
 */
export function DayChart({
  days,
  series,
  label,
  unit,
  onDay,
}: {
  readonly days: readonly string[];
  readonly series: readonly ChartSeries[];
  /** What the chart says, for those who do not see it. */
  readonly label: string;
  /** What is counted. */
  readonly unit: string;
  readonly onDay?: (day: string) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnChart | undefined>(undefined);
  const { isDark } = useDashboard();
  const [at, setAt] = useState(days.length - 1);
  const place = Math.max(0, Math.min(at, days.length - 1));
  const choose = useRef(onDay);
  choose.current = onDay;

  useEffect(() => {
    const target = box.current;
    if (target === null) return undefined;
    let isCurrent = true;
    void import("./draw-chart.ts").then(({ drawChart }) => {
      if (isCurrent)
        drawn.current = drawChart(target, { days, series, onDay: (day) => choose.current?.(day) });
    });
    return () => {
      isCurrent = false;
      drawn.current?.close();
      drawn.current = undefined;
    };
  }, [days, series, isDark]);

  const move = (to: number): void => {
    const next = Math.max(0, Math.min(days.length - 1, to));
    setAt(next);
    drawn.current?.show(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to: Readonly<Record<string, number>> = {
      ArrowRight: place + 1,
      ArrowUp: place + 1,
      ArrowLeft: place - 1,
      ArrowDown: place - 1,
      PageUp: place + 7,
      PageDown: place - 7,
      Home: 0,
      End: days.length - 1,
    };
    const next = to[event.key];
    const day = days[place];
    if (next !== undefined) move(next);
    else if (event.key === "Enter" && day !== undefined && onDay !== undefined) onDay(day);
    else return;
    event.preventDefault();
  };

  return (
    <figure class="chart">
      <div
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, days.length - 1)}
        aria-valuenow={place}
        aria-valuetext={valueText(days[place], series, place)}
        class={onDay === undefined ? "" : "clickable"}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          if (event.currentTarget.matches(":focus-visible")) move(place);
        }}
        onBlur={() => drawn.current?.show(undefined)}
      />
      <figcaption>
        <span>
          {unit} per day{onDay === undefined ? "" : "; choose a day for details"}
        </span>
        {series.length < 2
          ? null
          : series.map(({ label: name, color }) => (
              <span key={name}>
                <i style={{ background: `var(${color})` }} /> {name}
              </span>
            ))}
      </figcaption>
    </figure>
  );
}

function valueText(day: string | undefined, series: readonly ChartSeries[], place: number): string {
  const values = series.map(({ label, values: each }) => `${label} ${formatNumber(each[place] ?? 0)}`);
  return [day ?? "no day", ...values].join(", ");
}
