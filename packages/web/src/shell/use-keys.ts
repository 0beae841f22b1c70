import { useEffect, useRef } from "preact/hooks";
import { routeHash, type View } from "../state/route.ts";
import { VIEW_TABLE } from "./view-table.ts";

export interface KeyActions {
  go(hash: string): void;
  palette(): void;
  help(): void;
  /** Takes back the last change, if its message is still there. */
  undo(): void;
}

/** How long after `g` a letter means a view. */
const SEQUENCE_MS = 1_500;

/**
 * The keys that work everywhere. A view takes part with attributes: `data-search` is its search field, `data-list` a list
 * that has arrow keys of its own, and `data-item` what `j` and `k` move the focus between.
 */
export function useKeys(actions: KeyActions): void {
  const current = useRef(actions);
  current.current = actions;
  useEffect(() => {
    let pendingUntil = 0;
    const onKey = (event: KeyboardEvent): void => {
      const { key } = event;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && key.toLowerCase() === "k") {
        event.preventDefault();
        current.current.palette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || document.querySelector("dialog[open], [role=menu]") !== null) return;
      if (pendingUntil > event.timeStamp) {
        pendingUntil = 0;
        const view = viewOf(key);
        if (view === undefined) return;
        event.preventDefault();
        current.current.go(routeHash(view));
      } else if (key === "g") pendingUntil = event.timeStamp + SEQUENCE_MS;
      else if (act(key, current.current)) event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

function act(key: string, actions: KeyActions): boolean {
  if (key === "?") actions.help();
  else if (key === "z") actions.undo();
  else if (key === "/") search(actions);
  else if (key === "j" || key === "k") return move(key === "j" ? 1 : -1);
  else return false;
  return true;
}

function search({ palette }: KeyActions): void {
  const field = document.querySelector<HTMLInputElement>("main [data-search]");
  if (field === null) return palette();
  field.focus();
  return field.select();
}

function move(step: 1 | -1): boolean {
  const list = document.querySelector<HTMLElement>("main [data-list]");
  if (list !== null) {
    list.focus();
    const key = step === 1 ? "ArrowDown" : "ArrowUp";
    list.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    return true;
  }
  const items = [...document.querySelectorAll<HTMLElement>("main [data-item]")].filter(
    (item) => item.offsetParent !== null,
  );
  const place = items.findIndex(
    (item) => item === document.activeElement || item.contains(document.activeElement),
  );
  const next = items[place === -1 ? (step === 1 ? 0 : items.length - 1) : place + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return next !== undefined;
}

function viewOf(key: string): View | undefined {
  return (Object.keys(VIEW_TABLE) as View[]).find((view) => VIEW_TABLE[view].key === key);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !["checkbox", "radio", "range"].includes(target.type))
  );
}
