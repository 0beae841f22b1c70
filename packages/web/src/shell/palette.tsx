import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import type { SkillColumns } from "#server/wire";
import { Icon } from "../icons/icon.tsx";
import type { IconName } from "../icons/paths.ts";
import { createRows } from "../skills/rows.ts";
import { useDashboard } from "../state/context.ts";
import { routeHash, skillHash, VIEWS } from "../state/route.ts";
import { useResource } from "../state/use-resource.ts";
import { rankGroups } from "./rank-commands.ts";
import { ALL_VIEWS } from "./side-nav.tsx";
import { VIEW_TABLE } from "./view-table.ts";

export interface Command {
  readonly label: string;
  readonly icon: IconName;
  readonly hint?: string;
  readonly keys?: string;
  readonly run: () => void;
}

const MOST_SKILLS = 30;
const MOST_OTHERS = 8;

interface Group {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** Everything that can be opened or done, by typing a part of its name. */
export function Palette({
  actions,
  onClose,
}: {
  readonly actions: readonly Command[];
  readonly onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const prefix = useId();
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  useEffect(() => dialog.current?.showModal(), []);
  const groups = useGroups(typed, actions);
  const all = groups.flatMap(({ commands }) => commands);
  const place = Math.min(active, Math.max(0, all.length - 1));
  useEffect(() => {
    document.getElementById(`${prefix}-${place}`)?.scrollIntoView({ block: "nearest" });
  }, [place, prefix]);

  const choose = (command: Command | undefined): void => {
    if (command === undefined) return;
    dialog.current?.close();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setActive((place + step + all.length) % Math.max(1, all.length));
    else if (event.key === "Enter") choose(all[place]);
    else return;
    event.preventDefault();
  };

  let index = -1;
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Command palette"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current?.close();
      }}
    >
      <div class="ask">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Search skills, views and actions"
          aria-expanded="true"
          aria-controls={`${prefix}-list`}
          {...(all.length === 0 ? {} : { "aria-activedescendant": `${prefix}-${place}` })}
          placeholder="Search skills, views and actions"
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </div>
      <div id={`${prefix}-list`} role="listbox" aria-label="Results">
        {groups.map(({ title, commands }) => (
          <div key={title} role="group" aria-label={title}>
            <div class="group-title" aria-hidden="true">
              {title}
            </div>
            {commands.map((command) => {
              index += 1;
              const own = index;
              return (
                <div
                  key={own}
                  id={`${prefix}-${own}`}
                  role="option"
                  aria-selected={own === place}
                  onPointerMove={() => setActive(own)}
                  onClick={() => choose(command)}
                >
                  <Icon name={command.icon} />
                  <span class="what">{command.label}</span>
                  {command.hint === undefined ? null : <span class="hint">{command.hint}</span>}
                  {command.keys === undefined ? null : <kbd>{command.keys}</kbd>}
                </div>
              );
            })}
          </div>
        ))}
        {all.length === 0 ? (
          <div class="none" role="option" aria-selected="false" aria-disabled="true">
            Nothing here is called like that.
          </div>
        ) : null}
      </div>
      <p class="foot">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> to move
        </span>
        <span>
          <kbd>Enter</kbd> to open
        </span>
        <span>
          <kbd>Esc</kbd> to close
        </span>
      </p>
    </dialog>
  );
}

function useGroups(typed: string, actions: readonly Command[]): readonly Group[] {
  const { client, navigation, generation } = useDashboard();
  const columns = useResource("palette", generation, (signal) =>
    client.get<SkillColumns>("skills", {}, signal),
  );
  const rows = useMemo(
    () => (columns.value === undefined ? undefined : createRows(columns.value)),
    [columns.value],
  );
  const views = ALL_VIEWS.map((view): Command => {
    const { icon, key } = VIEW_TABLE[view];
    return { label: VIEWS[view], icon, keys: `g ${key}`, run: () => navigation.go(routeHash(view)) };
  });
  const skills = useMemo((): readonly Command[] => {
    if (rows === undefined) return [];
    return Array.from({ length: rows.count }, (_, row) => {
      const key = rows.key(row);
      const hash = skillHash(key === undefined ? { file: rows.file(row) } : { name: key });
      return {
        label: rows.name(row),
        icon: "skills",
        hint: rows.description(row),
        run: () => navigation.go(hash),
      };
    });
  }, [rows]);
  const tasks: readonly Command[] =
    typed.trim() === ""
      ? []
      : [
          {
            label: `Try “${typed.trim()}” as a task`,
            icon: "try",
            run: () => navigation.go(routeHash("try", { task: typed.trim() })),
          },
        ];
  const isTyped = typed.trim() !== "";
  const textOf = ({ label }: Command): string => label;
  const groups = rankGroups(
    [
      { title: "Skills", kind: "opens", items: isTyped ? skills : [], textOf, most: MOST_SKILLS },
      { title: "Views", kind: "opens", items: views, textOf, most: MOST_OTHERS },
      { title: "Actions", kind: "acts", items: actions, textOf, most: MOST_OTHERS },
    ],
    typed,
  );
  return [
    ...groups.map(({ title, items }) => ({ title, commands: items })),
    ...(tasks.length === 0 ? [] : [{ title: "Task", commands: tasks }]),
  ];
}
