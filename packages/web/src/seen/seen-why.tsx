import { useEffect, useRef } from "preact/hooks";
import { SEEN, type SeenAnswer, type SkillSeenAnswer } from "#server/wire";
import { Icon } from "../icons/icon.tsx";
import { ResourceView } from "../parts/notice.tsx";
import type { Rows } from "../skills/rows.ts";
import { useDashboard } from "../state/context.ts";
import { skillHash } from "../state/route.ts";
import { useResource } from "../state/use-resource.ts";
import { SIGNS } from "./cells.ts";
import type { Place } from "./matrix.tsx";
import { SeenActions } from "./seen-actions.tsx";

/** Why one agent sees one skill so, and what changes that. */
export function SeenWhy({
  answer,
  rows,
  names,
  place: { row, agent },
  onClose,
}: {
  readonly answer: SeenAnswer;
  readonly rows: Rows;
  readonly names: readonly string[];
  readonly place: Place;
  readonly onClose: () => void;
}) {
  const { client, generation } = useDashboard();
  const file = row < rows.count ? rows.file(row) : undefined;
  const name = names[row] ?? "";
  const meant = answer.agents[agent];
  const params: Readonly<Record<string, string>> = {
    ...(file === undefined ? { name } : { file }),
    client: meant?.client ?? "",
  };
  const seen = useResource(JSON.stringify(params), generation, (signal) =>
    client.get<SkillSeenAnswer>("skill/seen", params, signal),
  );
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus({ preventScroll: true }), [row, agent]);
  return (
    <aside
      class="seen-why panel"
      ref={box}
      tabIndex={-1}
      aria-label={`${name} in ${meant?.title ?? ""}`}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2>{file === undefined ? name : <a href={skillHash({ file })}>{name}</a>}</h2>
        <span class="muted">{meant?.title}</span>
        <span class="actions">
          <button type="button" class="small" aria-label="Close" onClick={onClose}>
            <Icon name="cross" size={14} />
          </button>
        </span>
      </header>
      <ResourceView resource={seen} what="the reason">
        {({ agents }) => {
          const one = agents.find(({ profile }) => profile === meant?.profile) ?? agents[0];
          if (one === undefined) return <p>This agent is gone.</p>;
          return (
            <>
              <p>
                <span class={`sign way-${one.seen}`} aria-hidden="true">
                  {SIGNS[one.seen]}
                </span>{" "}
                <strong>{SEEN[one.seen]}</strong> {one.text}
              </p>
              {one.note === undefined ? null : <p class="muted">{one.note}</p>}
              <SeenActions
                file={file}
                isServed={rows.isServed(row) && rows.provider(row) !== "library"}
                one={one}
              />
            </>
          );
        }}
      </ResourceView>
    </aside>
  );
}
