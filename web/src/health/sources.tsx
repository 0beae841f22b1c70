import type { HealthAnswer } from "../../../src/http/api/wire.ts";
import { age, count, formatNumber } from "../parts/format.ts";
import { Panel } from "../parts/panel.tsx";
import { Table } from "../parts/table.tsx";

/** Where skills come from: folders and repositories. */
export function SourcesPanel({ health, now }: { readonly health: HealthAnswer; readonly now: number }) {
  const { roots, git, freshness } = health;
  const there = roots.filter(({ exists }) => exists);
  const missing = roots.filter(({ exists }) => !exists);
  const scanned =
    freshness.lastRefresh === undefined ? undefined : `scanned ${age(freshness.lastRefresh, now)}`;
  return (
    <>
      <Panel title="Folders" note={scanned}>
        {there.length === 0 ? (
          <p class="muted">
            None of the searched folders exists. Create one of those below, or add one with{" "}
            <code>--skill-dir</code>.
          </p>
        ) : (
          <Table label="Folders" texts={["Folder", "Provider", "Location"]} numbers={["Skills"]}>
            {there.map(({ dir, provider, location, skills }) => (
              <tr key={dir}>
                <td>
                  <code class="path">{dir}</code>
                </td>
                <td>{provider}</td>
                <td>{location}</td>
                <td class="end">{formatNumber(skills)}</td>
              </tr>
            ))}
          </Table>
        )}
        {missing.length === 0 ? null : (
          <details>
            <summary>{count(missing.length, "searched folder")} not found</summary>
            <ul class="plain dense">
              {missing.map(({ dir, provider }) => (
                <li key={dir}>
                  <code class="path">{dir}</code> <span class="muted">{provider}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </Panel>
      {git.length === 0 ? null : (
        <Panel title="Repositories">
          <ul class="plain">
            {git.map(({ name, url, branch, commit, lastSync, syncing, failure, findings }) => (
              <li key={name}>
                <div class="line">
                  <strong>{name}</strong>
                  <span class={`badge status-${failure === undefined ? "ok" : "broken"}`}>
                    {failure === undefined ? (syncing ? "fetching" : "up to date") : "failing"}
                  </span>
                  <span class="muted">
                    {url} · {branch}
                  </span>
                </div>
                <p class="muted">
                  {commit === undefined ? "Not fetched yet" : <code>{commit.slice(0, 12)}</code>}
                  {lastSync === undefined ? "" : `, synced ${age(lastSync, now)}`}
                </p>
                {failure === undefined ? null : (
                  <p class="problem">
                    {failure.message} First failure {age(failure.since, now)}.
                  </p>
                )}
                {findings.length === 0 ? null : (
                  <details>
                    <summary>{count(findings.length, "file")} skipped</summary>
                    <ul class="plain dense">
                      {findings.map(({ code, path }) => (
                        <li key={path}>
                          <code class="path">{path}</code> <span class="muted">{code}</span>
                        </li>
                      ))}
                    </ul>
                  </details>
                )}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}
