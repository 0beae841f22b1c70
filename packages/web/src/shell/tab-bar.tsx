import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../icons/icon.tsx";
import type { View } from "../state/route.ts";
import { ALL_VIEWS, type ViewBadges, ViewLink } from "./side-nav.tsx";

const TABS: readonly View[] = ["overview", "skills", "try", "health"];

/** On a phone: the views at the bottom, those that do not fit behind “More”. */
export function TabBar({ current, badges }: { readonly current: View; readonly badges: ViewBadges }) {
  const [isOpen, setOpen] = useState(false);
  const isInMore = !TABS.includes(current);
  const [hidden] = ALL_VIEWS.flatMap((view) => (TABS.includes(view) ? [] : (badges[view] ?? [])));
  return (
    <>
      <nav class="tabbar" aria-label="Views">
        {TABS.map((view) => (
          <ViewLink key={view} view={view} isCurrent={view === current} badge={badges[view]} isShort />
        ))}
        <button
          type="button"
          aria-haspopup="dialog"
          {...(isInMore ? { "aria-current": "true" as const } : {})}
          onClick={() => setOpen(true)}
        >
          <Icon name="more" />
          More
          {hidden === undefined ? null : (
            <span class={`badge ${hidden.tone}`}>
              {hidden.text}
              <span class="visually-hidden"> {hidden.meaning}</span>
            </span>
          )}
        </button>
      </nav>
      {isOpen ? <MoreSheet current={current} badges={badges} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function MoreSheet({
  current,
  badges,
  onClose,
}: {
  readonly current: View;
  readonly badges: ViewBadges;
  readonly onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = (): void => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-label="More views"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <ul class="plain">
        {ALL_VIEWS.filter((view) => !TABS.includes(view)).map((view) => (
          <li key={view}>
            <ViewLink view={view} isCurrent={view === current} badge={badges[view]} onClick={close} />
          </li>
        ))}
        <li>
          <button type="button" onClick={close}>
            <Icon name="cross" />
            Close
          </button>
        </li>
      </ul>
    </dialog>
  );
}
