import { useEffect, useRef, useState } from "preact/hooks";
import type { Rows } from "./rows.ts";

/** The rows that are selected. Rows are numbers of one list: in a new list, the same files stay selected. */
export function useSelection(rows: Rows, lines: readonly number[]) {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const last = useRef<number | undefined>(undefined);
  const listed = useRef(rows);
  useEffect(() => {
    const before = listed.current;
    listed.current = rows;
    last.current = undefined;
    setSelected((now) => sameFiles(now, before, rows));
  }, [rows]);
  return {
    selected,
    set: (chosen: readonly number[]): void => setSelected(new Set(chosen)),
    /** One row or, with `range`, everything from the last one. */
    toggle(row: number, range: boolean): void {
      const next = new Set(selected);
      const from = range && last.current !== undefined ? lines.indexOf(last.current) : -1;
      const to = lines.indexOf(row);
      if (from >= 0 && to >= 0) {
        const between = lines.slice(Math.min(from, to), Math.max(from, to) + 1);
        for (const each of between) if (each >= 0) next.add(each);
      } else if (!next.delete(row)) next.add(row);
      last.current = row;
      setSelected(next);
    },
  };
}

function sameFiles(selected: ReadonlySet<number>, before: Rows, now: Rows): ReadonlySet<number> {
  return new Set([...selected].flatMap((row) => now.byFile(before.file(row)) ?? []));
}
