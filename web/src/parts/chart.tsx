import { useEffect, useRef } from "preact/hooks";
import { useDashboard } from "../state/context.ts";

export interface ChartSeries {
  readonly label: string;
  /** What is said of each day. */
  readonly values: readonly number[];
  /** How high each bar is, where it stands behind another one; otherwise as high as what is said. */
  readonly heights?: readonly number[];
  /** A custom property of the style sheet, such as `--accent`. */
  readonly color: string;
}

/** Bars for each day, one series before the other. A click on a day opens it. */
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
