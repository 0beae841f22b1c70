import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { SEEN, type SeenAnswer } from "#server/wire";
import type { Rows } from "../skills/rows.ts";
import { useActiveInView, useView } from "../skills/skill-list.tsx";
import { slotOf } from "../skills/table.ts";
import { agentKey, atTurnOne, cellAt, type MatrixState, nextOrder, SIGNS } from "./cells.ts";

/** A cell: a row and an agent. */
export interface Place {
  readonly row: number;
  readonly agent: number;
}

export interface MatrixProps {
  readonly answer: SeenAnswer;
  readonly rows: Rows;
  readonly names: readonly string[];
  /** Rows in the order in which they are shown. */
  readonly shown: readonly number[];
  readonly state: MatrixState;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly chosen: Place | undefined;
  readonly onChoose: (place: Place) => void;
  readonly onSort: (sort: string | undefined) => void;
}

/** A grid of which only the rows in view are drawn. Arrow keys move, Enter chooses. */
export function Matrix(props: MatrixProps) {
  const { answer, names, shown, state, box, chosen, onChoose, onSort } = props;
  const { agents } = answer;
  const [at, setAt] = useState<{ readonly line: number; readonly agent: number }>({ line: 0, agent: 0 });
  const line = Math.min(at.line, shown.length - 1);
  const agent = Math.min(at.agent, agents.length - 1);
  const { height, view, updateView, updateSize } = useView(box);
  useLayoutEffect(updateSize, [shown.length]);
  useActiveInView(box, line, height);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== box.current) return;
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? height) / height) - 2);
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowDown: [line + 1, agent],
      ArrowUp: [line - 1, agent],
      PageDown: [line + page, agent],
      PageUp: [line - page, agent],
      ArrowRight: [line, agent + 1],
      ArrowLeft: [line, agent - 1],
      Home: event.ctrlKey ? [0, 0] : [line, 0],
      End: event.ctrlKey ? [shown.length - 1, agents.length - 1] : [line, agents.length - 1],
    };
    const to = moves[event.key];
    const row = shown[line];
    if (to !== undefined)
      setAt({
        line: Math.max(0, Math.min(shown.length - 1, to[0])),
        agent: Math.max(0, Math.min(agents.length - 1, to[1])),
      });
    else if ((event.key === "Enter" || event.key === " ") && row !== undefined) onChoose({ row, agent });
    else return;
    event.preventDefault();
  };
  // One listener for all cells: a row that scrolls into view needs none of its own.
  const onClick = (event: MouseEvent): void => {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-agent]") : null;
    const place = Number(cell?.closest<HTMLElement>("[data-line]")?.dataset["line"] ?? -1);
    const row = shown[place];
    if (cell === null || row === undefined) return;
    const chosenAgent = Number(cell.dataset["agent"]);
    setAt({ line: place, agent: chosenAgent });
    onChoose({ row, agent: chosenAgent });
  };
  const isDrawn = line >= view.first && line < view.first + view.count;
  const sorted = (key: string): "ascending" | "descending" | "none" =>
    state.sort !== key ? "none" : state.descending ? "descending" : "ascending";
  return (
    <div
      class="matrix"
      ref={box}
      role="grid"
      tabIndex={0}
      aria-label="What each agent sees of each skill"
      aria-rowcount={shown.length + 1}
      aria-colcount={agents.length + 1}
      style={{ "--agents": agents.length, "--lines": shown.length }}
      {...(isDrawn ? { "aria-activedescendant": `cell-${shown[line]}-${agent}` } : {})}
      onScroll={updateView}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <div class="matrix-line head" role="row" aria-rowindex={1}>
        <span class="name" role="columnheader" aria-sort={sorted("name")}>
          <button type="button" class="quiet" onClick={() => onSort(nextOrder(state, "name"))}>
            Skill
          </button>
        </span>
        {agents.map((each, index) => (
          <span
            key={agentKey(each)}
            role="columnheader"
            aria-sort={sorted(agentKey(each))}
            class="agent"
            aria-colindex={index + 2}
          >
            <button
              type="button"
              class="quiet"
              title={`${each.title}${each.profile === undefined ? "" : `, profile ${each.profile}`}: ${atTurnOne(each.counts)} skills at turn 1`}
              onClick={() => onSort(nextOrder(state, agentKey(each)))}
            >
              <span class="title">{each.title}</span>
              <span class="number">{atTurnOne(each.counts)}</span>
            </button>
          </span>
        ))}
      </div>
      <div class="all" role="presentation" style={{ height: `${shown.length * height}px` }}>
        <div class="drawn" role="presentation" style={{ transform: `translateY(${view.first * height}px)` }}>
          {shown.slice(view.first, view.first + view.count).map((row, index) => {
            const place = view.first + index;
            return (
              <Line
                key={`slot ${slotOf(view, place)}`}
                answer={answer}
                name={names[row] ?? ""}
                row={row}
                line={place}
                active={place === line ? agent : undefined}
                chosen={chosen?.row === row ? chosen.agent : undefined}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface LineProps {
  readonly answer: SeenAnswer;
  readonly name: string;
  readonly row: number;
  readonly line: number;
  /** The agent of the cell that has the focus, or that is open. */
  readonly active: number | undefined;
  readonly chosen: number | undefined;
}

/** One skill. Memoised: a line whose content is unchanged keeps its elements. */
function Line({ answer, name, row, line, active, chosen }: LineProps) {
  return useMemo(
    () => (
      <div class="matrix-line" role="row" data-line={line} aria-rowindex={line + 2}>
        <span class="name" role="rowheader" title={name}>
          {name}
        </span>
        {answer.agents.map((agent, index) => {
          const seen = cellAt(answer, index, row);
          return (
            <span
              key={agentKey(agent)}
              role="gridcell"
              id={`cell-${row}-${index}`}
              class={`cell way-${seen}${index === active ? " active" : ""}${index === chosen ? " chosen" : ""}`}
              data-agent={index}
              aria-colindex={index + 2}
              aria-label={`${name} in ${agent.title}: ${SEEN[seen]}`}
            >
              <span aria-hidden="true">{SIGNS[seen]}</span>
            </span>
          );
        })}
      </div>
    ),
    [answer, name, row, line, active, chosen],
  );
}
