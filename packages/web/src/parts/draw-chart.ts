import uPlot from "uplot";
import type { ChartSeries } from "./chart.tsx";

export interface DrawOptions {
  readonly days: readonly string[];
  readonly series: readonly ChartSeries[];
  readonly onDay: (day: string) => void;
}

const HEIGHT = 170;

export interface DrawnChart {
  /** Points at a day, as the mouse would; undefined: at none. */
  show(place: number | undefined): void;
  close(): void;
}

/** Draws into an element and follows its width. */
export function drawChart(target: HTMLElement, { days, series, onDay }: DrawOptions): DrawnChart {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const font = `11px ${style.fontFamily}`;
  const times = days.map((day) => Date.parse(day) / 1000);
  const bars = uPlot.paths.bars?.({ size: [0.72, 46], align: 0 });
  const axis = {
    stroke: color("--muted"),
    font,
    ticks: { show: false },
    grid: { stroke: color("--line"), width: 1 },
  };
  const chart = new uPlot(
    {
      width: target.clientWidth || 600,
      height: HEIGHT,
      padding: [10, 12, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
      tzDate: (time) => uPlot.tzDate(new Date(time * 1000), "UTC"),
      scales: {
        x: { time: true, range: (_chart, min, max) => [min - 43_200, max + 43_200] },
        y: { range: (_chart, _min, max) => [0, Math.max(4, max * 1.1)] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          values: (_chart, ticks) => ticks.map((tick) => shortDay(new Date(tick * 1000))),
          incrs: [1, 2, 3, 7, 14, 30, 60, 120, 365].map((count) => count * 86_400),
          space: 56,
          size: 26,
        },
        {
          ...axis,
          size: 38,
          space: 24,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000],
        },
      ],
      series: [
        {},
        ...series.map(({ label, color: name }) => ({
          label,
          fill: color(name),
          stroke: color(name),
          width: 0,
          points: { show: false },
          ...(bars === undefined ? {} : { paths: bars }),
        })),
      ],
      hooks: { setCursor: [showValues] },
    },
    [times, ...series.map(({ values, heights }) => [...(heights ?? values)])],
    target,
  );

  const tip = document.createElement("div");
  tip.className = "chart-tip";
  tip.hidden = true;
  chart.over.append(tip);

  function showValues(self: uPlot): void {
    const { idx, left = -1 } = self.cursor;
    const isShown = idx !== null && idx !== undefined && left >= 0;
    tip.hidden = !isShown;
    if (!isShown) return;
    const values = series.map(
      ({ label, values: each }) => `${label}: ${(each[idx] ?? 0).toLocaleString("en-US")}`,
    );
    tip.textContent = [dayText(days[idx] ?? ""), ...values].join("\n");
    const isRight = left + tip.offsetWidth + 16 > self.over.clientWidth;
    tip.style.left = `${Math.max(0, isRight ? left - tip.offsetWidth - 12 : left + 12)}px`;
  }

  const onClick = (): void => {
    const { idx } = chart.cursor;
    const day = idx === null || idx === undefined ? undefined : days[idx];
    if (day !== undefined) onDay(day);
  };
  chart.over.addEventListener("click", onClick);
  const observer = new ResizeObserver(() => {
    if (target.clientWidth > 0) chart.setSize({ width: target.clientWidth, height: HEIGHT });
  });
  observer.observe(target);
  return {
    show(place) {
      const time = place === undefined ? undefined : times[place];
      chart.setCursor({ left: time === undefined ? -10 : chart.valToPos(time, "x"), top: 0 });
    },
    close() {
      observer.disconnect();
      chart.destroy();
    },
  };
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const WEEKDAYS = "Sun Mon Tue Wed Thu Fri Sat".split(" ");

/** `3 Nov` */
function shortDay(date: Date): string {
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ""}`;
}

/** `Tue 3 Nov 2026` */
function dayText(day: string): string {
  const date = new Date(day);
  if (Number.isNaN(date.getTime())) return day;
  return `${WEEKDAYS[date.getUTCDay()] ?? ""} ${shortDay(date)} ${date.getUTCFullYear()}`;
}
