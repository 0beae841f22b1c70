import { useEffect, useRef } from "preact/hooks";
import { useDashboard } from "../state/context.ts";

export interface ChartSeries {
  readonly label: string;
  /** The value of each day, as shown in the tooltip. */
  readonly values: readonly number[];
  /** Bar heights for a stacked series; the values by default. */
  readonly heights?: readonly number[];
  /** A custom property of the style sheet, such as `--accent`. */
  readonly color: string;
}

/** A bar chart by day. A click selects a day. */
export function DayChart({
  days,
  series,
  label,
  onDay,
}: {
  readonly days: readonly string[];
  readonly series: readonly ChartSeries[];
  readonly label: string;
  readonly onDay?: (day: string) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { isDark } = useDashboard();
  const choose = useRef(onDay);
  choose.current = onDay;

  useEffect(() => {
    const target = box.current;
    if (target === null) return undefined;
    let close: (() => void) | undefined;
    let isCurrent = true;
    void import("./draw-chart.ts").then(({ drawChart }) => {
      if (isCurrent) close = drawChart(target, { days, series, onDay: (day) => choose.current?.(day) });
    });
    return () => {
      isCurrent = false;
      close?.();
    };
  }, [days, series, isDark]);

  return (
    <figure class="chart">
      <div ref={box} role="img" aria-label={label} class={onDay === undefined ? "" : "clickable"} />
      <figcaption>
        {series.map(({ label: name, color }) => (
          <span key={name}>
            <i style={{ background: `var(${color})` }} /> {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
