import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../icons/icon.tsx";
import type { IconName } from "../icons/paths.ts";

interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  /** Of a choice among several: whether it is the current one. */
  readonly isChosen?: boolean;
  readonly onChoose: () => void;
}

interface MenuGroup {
  readonly title?: string;
  readonly items: readonly MenuItem[];
}

/** A button that opens a list of actions or choices. Arrow keys move, Esc closes. */
export function Menu({
  label,
  groups,
  class: kind = "quiet",
  children,
}: {
  readonly label: string;
  readonly groups: readonly MenuGroup[];
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const itemsOf = (): HTMLElement[] => [
    ...(box.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? []),
  ];
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };

  useEffect(() => {
    if (!isOpen) return undefined;
    const items = itemsOf();
    (items.find((item) => item.getAttribute("aria-checked") === "true") ?? items[0])?.focus();
    const onOutside = (event: Event): void => {
      if (event.target instanceof Node && box.current?.contains(event.target) !== true) setOpen(false);
    };
    addEventListener("pointerdown", onOutside);
    addEventListener("focusin", onOutside);
    return () => {
      removeEventListener("pointerdown", onOutside);
      removeEventListener("focusin", onOutside);
    };
  }, [isOpen]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOpen) return;
    const items = itemsOf();
    const place = items.indexOf(document.activeElement as HTMLElement);
    const to: Readonly<Record<string, number>> = {
      ArrowDown: place + 1,
      ArrowUp: place - 1,
      Home: 0,
      End: items.length - 1,
    };
    const next = to[event.key];
    if (event.key === "Escape") close();
    else if (next !== undefined) items[(next + items.length) % items.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="menu" ref={box} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        class={kind}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen ? (
        <div class="menu-items" role="menu" aria-label={label}>
          {groups.map(({ title, items }, index) => (
            <div key={title ?? index} role="group" {...(title === undefined ? {} : { "aria-label": title })}>
              {title === undefined ? null : (
                <div class="menu-title" aria-hidden="true">
                  {title}
                </div>
              )}
              {items.map(({ label: text, icon, isChosen, onChoose }) => (
                <button
                  key={text}
                  type="button"
                  tabIndex={-1}
                  {...(isChosen === undefined
                    ? { role: "menuitem" as const }
                    : { role: "menuitemradio" as const, "aria-checked": isChosen })}
                  onClick={() => {
                    close();
                    onChoose();
                  }}
                >
                  {icon === undefined ? null : <Icon name={icon} />}
                  {text}
                  {isChosen === true ? <Icon name="check" /> : null}
                </button>
              ))}
            </div>
          ))}
        </div>
      ) : null}
    </div>
  );
}
