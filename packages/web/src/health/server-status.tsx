import type { ComponentChildren } from "preact";
import type { HealthAnswer } from "#server/wire";
import { age, count, formatNumber } from "../parts/format.ts";
import { Panel } from "../parts/panel.tsx";

const WATCHERS: Readonly<Record<HealthAnswer["freshness"]["watcher"], string>> = {
  on: "Watching for changes.",
  off: "Folders are not watched.",
  limited:
    "The system watch limit is reached, so some changes are found only by the periodic scan. Raise fs.inotify.max_user_watches.",
};

/** The server itself: watcher, scripts, clients and event delivery. */
export function ServerStatus({ health, now }: { readonly health: HealthAnswer; readonly now: number }) {
  const { freshness, sandbox, server, usage, version } = health;
  const seconds = freshness.intervalMs === undefined ? undefined : Math.round(freshness.intervalMs / 1000);
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    [
      "Watcher",
      <>
        {WATCHERS[freshness.watcher]}{" "}
        {seconds === undefined ? "Periodic scans are off." : `Full scan every ${seconds} s.`}
      </>,
    ],
    ["Scripts", sandboxText(sandbox)],
    ...(server === undefined
      ? []
      : [
          ["Sessions", `${formatNumber(server.sessions)} open, ${count(server.streams, "stream")}`] as const,
          [
            "Protocol versions",
            `2025-11-25 and older: ${count(server.eras["legacy"] ?? 0, "session")}; 2026-07-28: ${count(server.eras["modern"] ?? 0, "request")}`,
          ] as const,
          ...(server.fleet === undefined ? [] : [["Replicas", fleetText(server.fleet)] as const]),
        ]),
    ["Events", eventsText(usage, now)],
    ["Version", version],
  ];
  return (
    <Panel title="Server">
      <dl class="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function fleetText({
  state,
  reason,
  replica,
  revision,
  replicas,
  differ,
  queued,
}: NonNullable<NonNullable<HealthAnswer["server"]>["fleet"]>): string {
  if (state === "degraded")
    return `Redis does not answer${reason === undefined ? "" : ` (${reason})`}: ${replica} goes on alone, ${count(queued.writes, "write")} queued.`;
  if (replicas.length === 0) return `Only ${replica}, at revision ${revision}.`;
  if (!differ) return `${replica} and ${count(replicas.length, "other")} serve revision ${revision}.`;
  const others = replicas.map((each) => `${each.replica} ${each.revision}`).join(", ");
  return `They serve different skills: ${replica} ${revision}, ${others}.`;
}

function sandboxText(sandbox: HealthAnswer["sandbox"]): string {
  if (sandbox === "off") return "Script execution is off.";
  if (sandbox.kind === "none") return `No sandbox: ${sandbox.reason ?? ""}`;
  return `Sandboxed with ${sandbox.kind}.`;
}

function eventsText(usage: HealthAnswer["usage"], now: number): string {
  if (usage === undefined) return "No usage since the server started.";
  const { queued, delivered, dropped, failure, lastDelivery } = usage;
  if (failure !== undefined)
    return `Delivery is failing (first failure ${age(failure.since, now)}): ${failure.reason} ${count(queued, "event")} queued.`;
  const sent = lastDelivery === undefined ? "" : ` (last ${age(lastDelivery, now)})`;
  return `${formatNumber(delivered)} delivered${sent}, ${formatNumber(queued)} queued, ${formatNumber(dropped)} dropped.`;
}
