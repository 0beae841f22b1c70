import { useState } from "preact/hooks";
import type { AudiencesAnswer } from "#server/wire";
import { Icon } from "../icons/icon.tsx";
import { count } from "../parts/format.ts";
import { Menu } from "../parts/menu.tsx";
import { TerminalLine } from "../parts/terminal-line.tsx";
import { useAudiences } from "../state/use-audiences.ts";
import type { Rows } from "./rows.ts";
import { bulkCommand, EVERYONE, type State, useToggle, type Whom } from "./use-changes.ts";

/** A menu that asks for whom. */
export function WhomMenu({
  verb,
  audiences,
  onChoose,
  disabled,
  onlySome = false,
}: {
  readonly verb: "Enable" | "Disable";
  readonly audiences: AudiencesAnswer | undefined;
  readonly onChoose: (whom: Whom) => void;
  readonly disabled?: boolean;
  /** Not for everyone. */
  readonly onlySome?: boolean;
}) {
  const { agents = [], profiles = [] } = audiences ?? {};
  const groups = [
    ...(onlySome
      ? []
      : [{ items: [{ label: "For everyone (renames the file)", onChoose: () => onChoose(EVERYONE) }] }]),
    {
      title: "For one agent",
      items: agents.map(({ name, title }) => ({
        label: `For ${title}`,
        onChoose: () => onChoose({ agent: name, said: `for ${title}` }),
      })),
    },
    ...(profiles.length === 0
      ? []
      : [
          {
            title: "In one profile",
            items: profiles.map(({ name }) => ({
              label: `In ${name}`,
              onChoose: () => onChoose({ profile: name, said: `in the profile ${name}` }),
            })),
          },
        ]),
  ];
  return (
    <Menu label={`${verb} …`} groups={groups} class={disabled === true ? "small busy" : "small"}>
      {verb}
      <Icon name="down" size={12} />
    </Menu>
  );
}

/** What can be done with the rows that are selected, and the command that does the same. */
export function BulkBar({
  rows,
  selected,
  onClear,
}: {
  readonly rows: Rows;
  readonly selected: ReadonlySet<number>;
  readonly onClear: () => void;
}) {
  const { isBusy, toggle } = useToggle();
  // To disable for everyone renames files, also for agents that read them from disk: it is never the default.
  const [chosen, setWhom] = useState<Whom>();
  const whom = chosen ?? EVERYONE;
  const [pointedAt, setPointedAt] = useState<State>();
  const all = [...selected];
  const isForAll = whom.said === "";
  /** Only what can change is sent: all of it is done or nothing. */
  const fitting = (to: State): readonly number[] =>
    all.filter((row) => {
      const status = rows.status(row);
      if (status === "broken" || status === "shadowed" || rows.provider(row) === "library") return false;
      return isForAll ? rows.isServed(row) === (to === "disabled") : rows.isServed(row);
    });
  const change = async (to: State): Promise<void> => {
    if ((await toggle(fitting(to).map(rows.file), to, whom)) !== undefined) onClear();
  };
  const shown = pointedAt ?? (fitting("disabled").length > 0 ? "disabled" : "enabled");
  const affected = fitting(shown);
  const button = (to: State) => (
    <button
      type="button"
      class="small"
      disabled={isBusy || fitting(to).length === 0 || (to === "disabled" && chosen === undefined)}
      onClick={() => void change(to)}
      onFocus={() => setPointedAt(to)}
      onMouseEnter={() => setPointedAt(to)}
    >
      {VERBS[to]}
    </button>
  );
  return (
    <section class="bulk" aria-label="Selected skills">
      <div class="line">
        <strong role="status">{count(all.length, "skill")} selected</strong>
        <WhomSelect whom={chosen} onChoose={setWhom} />
        {button("disabled")}
        {button("enabled")}
        <button type="button" class="small quiet" onClick={onClear}>
          Clear
        </button>
      </div>
      {affected.length === 0 ? (
        <p class="muted">None of them can be enabled or disabled here.</p>
      ) : shown === "disabled" && chosen === undefined ? (
        <p class="muted">Choose for whom to disable them.</p>
      ) : (
        <>
          {shown === "disabled" && chosen === EVERYONE ? (
            <p class="muted">
              This renames <code>SKILL.md</code> to <code>.SKILL.md</code>, so agents that read the folder
              themselves no longer see the skill either.
            </p>
          ) : null}
          <TerminalLine command={bulkCommand(affected.map(rows.name), shown, whom)} />
        </>
      )}
    </section>
  );
}

const VERBS = { disabled: "Disable", enabled: "Enable" } as const;

/** Everyone, an agent or a profile. */
function WhomSelect({
  whom,
  onChoose,
}: {
  readonly whom: Whom | undefined;
  readonly onChoose: (whom: Whom | undefined) => void;
}) {
  const { agents = [], profiles = [] } = useAudiences() ?? {};
  const choices: ReadonlyMap<string, Whom> = new Map([
    ["everyone", EVERYONE],
    ...agents.map(
      ({ name, title }) => [`agent ${name}`, { agent: name, said: `for ${title}` }] as [string, Whom],
    ),
    ...profiles.map(
      ({ name }) => [`profile ${name}`, { profile: name, said: `in the profile ${name}` }] as [string, Whom],
    ),
  ]);
  const chosen = [...choices].find(([, each]) => each.said === whom?.said)?.[0] ?? "";
  return (
    <select
      aria-label="For whom"
      value={chosen}
      onChange={(event) => onChoose(choices.get(event.currentTarget.value))}
    >
      <option value="">for whom?</option>
      <option value="everyone">for everyone</option>
      <optgroup label="For one agent">
        {agents.map(({ name, title }) => (
          <option key={name} value={`agent ${name}`}>{`for ${title}`}</option>
        ))}
      </optgroup>
      {profiles.length === 0 ? null : (
        <optgroup label="In one profile">
          {profiles.map(({ name }) => (
            <option key={name} value={`profile ${name}`}>{`in the profile ${name}`}</option>
          ))}
        </optgroup>
      )}
    </select>
  );
}
