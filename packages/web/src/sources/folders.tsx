import type { SourcesAnswer } from "#server/wire";
import { age, count, formatNumber } from "../parts/format.ts";
import { Panel } from "../parts/panel.tsx";
import { Path } from "../parts/path.tsx";
import { Table } from "../parts/table.tsx";

/** The folders that are searched, and the locks beside them. */
export function FoldersPanel({
  folders,
  locks,
  lastScan,
  now,
}: Pick<SourcesAnswer, "folders" | "locks"> & {
  readonly lastScan: string | undefined;
  readonly now: number;
}) {
  const there = folders.filter(({ exists }) => exists);
  const missing = folders.filter(({ exists }) => !exists);
  return (
    <Panel
      title="Folders"
      icon="folder"
      {...(lastScan === undefined ? {} : { note: `scanned ${age(lastScan, now)}` })}
    >
      {there.length === 0 ? (
        <p class="muted">
          None of the searched folders exists. Create one of those below, or add one with{" "}
          <code>--skill-dir</code>.
        </p>
      ) : (
        <Table label="Folders" texts={["Folder", "Provider", "Location"]} numbers={["Skills"]}>
          {there.map(({ dir, provider, location, plugin, skills }) => (
            <tr key={dir + (plugin ?? "")}>
              <td>
                <Path path={dir} /> <span class="muted">{plugin}</span>
              </td>
              <td>{provider}</td>
              <td>{location}</td>
              <td class="end">{formatNumber(skills)}</td>
            </tr>
          ))}
        </Table>
      )}
      {locks.map(({ file, problem }) => (
        <p key={file} class={problem === undefined ? "muted" : "problem"}>
          Lock: <Path path={file} /> {problem}
        </p>
      ))}
      {missing.length === 0 ? null : (
        <details>
          <summary>{count(missing.length, "searched folder")} not found</summary>
          <ul class="plain dense">
            {missing.map(({ dir, provider }) => (
              <li key={dir}>
                <Path path={dir} /> <span class="muted">{provider}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Panel>
  );
}
