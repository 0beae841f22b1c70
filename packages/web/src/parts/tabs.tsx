import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly render: () => ComponentChildren;
}

/** Tabs with arrow-key navigation. */
export function Tabs({
  tabs,
  chosen,
  onChoose,
  label,
}: {
  readonly tabs: readonly Tab[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  readonly label: string;
}) {
  const prefix = useId();
  const list = useRef<HTMLDivElement>(null);
  const current = tabs.find(({ id }) => id === chosen) ?? tabs[0];

  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const place = tabs.findIndex((tab) => tab === current);
    const next = tabs[(place + step + tabs.length) % tabs.length];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onChoose(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };

  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => {
          const isCurrent = tab === current;
          return (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${prefix}-tab-${tab.id}`}
              data-tab={tab.id}
              aria-selected={isCurrent}
              aria-controls={`${prefix}-panel`}
              tabIndex={isCurrent ? 0 : -1}
              onClick={() => onChoose(tab.id)}
            >
              {tab.label}
            </button>
          );
        })}
      </div>
      <div
        class="tab-panel"
        role="tabpanel"
        id={`${prefix}-panel`}
        aria-labelledby={`${prefix}-tab-${current?.id ?? ""}`}
      >
        {current?.render()}
      </div>
    </>
  );
}
