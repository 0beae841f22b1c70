import { useEffect, useRef } from "preact/hooks";
import { VIEWS, type View } from "../state/route.ts";
import { ALL_VIEWS } from "./side-nav.tsx";
import { isMac } from "./top-bar.tsx";
import { VIEW_TABLE } from "./view-table.ts";

type Key = readonly [keys: readonly string[], meaning: string];

const ANYWHERE: readonly Key[] = [
  [[isMac() ? "⌘ K" : "Ctrl K"], "Command palette"],
  [["/"], "Search"],
  [["j", "k"], "Next, previous item"],
  [["Enter"], "Open the item"],
  [["Esc"], "Close what is open"],
  [["z"], "Undo the last change"],
  [["?"], "These keys"],
];

const LISTS: readonly Key[] = [
  [["↑", "↓"], "Move in a list, also from its search field"],
  [["Page ↑", "Page ↓"], "Move by a page"],
  [["Home", "End"], "First, last item"],
  [["Space", "x"], "Select a skill; with Shift, all from the last one"],
  [["←", "→"], "Move between tabs, and between the days of a chart"],
];

/** Every key that the page knows. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const views: readonly Key[] = ALL_VIEWS.map((view: View) => [["g", VIEW_TABLE[view].key], VIEWS[view]]);
  return (
    <dialog ref={dialog} class="keys-help" aria-labelledby="keys-title" onClose={onClose}>
      <header>
        <h2 id="keys-title">Keyboard shortcuts</h2>
        <button type="button" class="small" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <div class="groups">
        <KeyGroup title="Anywhere" keys={ANYWHERE} />
        <KeyGroup title="Go to a view" keys={views} />
        <KeyGroup title="In lists, tabs and charts" keys={LISTS} />
      </div>
    </dialog>
  );
}

function KeyGroup({ title, keys }: { readonly title: string; readonly keys: readonly Key[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {keys.map(([names, meaning]) => (
          <div key={meaning}>
            <dt>{meaning}</dt>
            <dd>
              {names.map((name, index) => (
                <span key={name}>
                  {index === 0 ? "" : " "}
                  <kbd>{name}</kbd>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
