import type { ComponentChildren } from "preact";
import type { HealthAnswer } from "../../../src/http/api/wire.ts";
import { age, count, number } from "../parts/format.ts";
import { Panel } from "../parts/panel.tsx";

const WATCHERS: Readonly<Record<HealthAnswer["freshness"]["watcher"], string>> = {
  on: "Changes are noticed at once.",
  off: "Folders are not watched.",
  limited:
    "The system allows no more watches, so some changes are only found periodically. Raise fs.inotify.max_user_watches.",
};

/** How the server itself does: watching, scripts, clients, and where events go. */
export function Machinery({ health, now }: { readonly health: HealthAnswer; readonly now: number }) {
  const { freshness, sandbox, server, usage, version } = health;
  const seconds = freshness.intervalMs === undefined ? undefined : Math.round(freshness.intervalMs / 1000);
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    [
      "Watcher",
      <>
        {WATCHERS[freshness.watcher]}{" "}
        {seconds === undefined
          ? "The disk is not looked at periodically."
          : `The disk is also looked at every ${seconds} s.`}
      </>,
    ],
    ["Scripts", sandboxText(sandbox)],
    ...(server === undefined
      ? []
      : [
          ["Sessions", `${number(server.sessions)} open, ${count(server.streams, "stream")}`] as const,
          [
            "Protocol eras",
            `${number(server.eras["legacy"] ?? 0)} sessions up to 2025-11-25, ${number(server.eras["modern"] ?? 0)} requests since 2026-07-28`,
          ] as const,
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

function sandboxText(sandbox: HealthAnswer["sandbox"]): string {
  if (sandbox === "off") return "Off: no script is run.";
  if (sandbox.kind === "none") return `No sandbox: ${sandbox.reason ?? ""}`;
  return `They run inside ${sandbox.kind}.`;
}

function eventsText(usage: HealthAnswer["usage"], now: number): string {
  if (usage === undefined) return "Nothing was used since the server started.";
  const { queued, delivered, dropped, failure, lastDelivery } = usage;
  if (failure !== undefined)
    return `The endpoint does not take events since ${age(failure.since, now)}: ${failure.reason} ${number(queued)} wait.`;
  const sent = lastDelivery === undefined ? "" : `, the last ${age(lastDelivery, now)}`;
  return `${number(delivered)} delivered${sent}, ${number(queued)} waiting, ${number(dropped)} given up.`;
}
