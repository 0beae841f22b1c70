import { useState } from "preact/hooks";
import type { SourcesAnswer } from "#server/wire";
import { messageOf } from "../api/client.ts";
import { Badge } from "../parts/badge.tsx";
import { age, count } from "../parts/format.ts";
import { Panel } from "../parts/panel.tsx";
import { TerminalLine } from "../parts/terminal-line.tsx";
import { mayChange, useDashboard } from "../state/context.ts";

type RepositoryState = SourcesAnswer["repositories"][number];

/** Repositories whose skills are served as they are there. */
export function RepositoriesPanel({
  repositories,
  now,
}: {
  readonly repositories: readonly RepositoryState[];
  readonly now: number;
}) {
  const { client, session, notify, reload } = useDashboard();
  const [isBusy, setBusy] = useState(false);
  if (repositories.length === 0) return null;
  const fetchNow = async (): Promise<void> => {
    setBusy(true);
    try {
      const { success, message } = await client.post<{ success: boolean; message?: string }>("refresh");
      notify(success ? "Fetched." : (message ?? "A repository could not be fetched."));
      reload();
    } catch (error) {
      notify(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Panel
      title="Repositories"
      icon="sources"
      note={count(repositories.length, "repository", "repositories")}
      actions={
        mayChange(session) ? (
          <button type="button" class="small" disabled={isBusy} onClick={() => void fetchNow()}>
            {isBusy ? "Fetching …" : "Fetch now"}
          </button>
        ) : undefined
      }
    >
      <ul class="plain source-list">
        {repositories.map((repository) => (
          <Repository key={repository.url + repository.branch} repository={repository} now={now} />
        ))}
      </ul>
      <TerminalLine command="skills-mcp refresh" />
    </Panel>
  );
}

function Repository({ repository, now }: { readonly repository: RepositoryState; readonly now: number }) {
  const { name, url, branch, commit, lastSync, syncing, failure, findings } = repository;
  return (
    <li>
      <div class="line">
        <strong>{name}</strong>
        <Badge tone={failure === undefined ? "good" : "bad"}>
          {failure === undefined ? (syncing ? "fetching" : "in sync") : "failing"}
        </Badge>
        <span class="muted">
          {commit === undefined ? "not fetched yet" : <code>{commit.slice(0, 12)}</code>}
          {lastSync === undefined ? "" : `, synced ${age(lastSync, now)}`}
        </span>
      </div>
      <p class="muted">
        <span class="path">{url}</span> · {branch}
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
  );
}
