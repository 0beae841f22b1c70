import { useEffect, useState } from "preact/hooks";
import type { SourcesAnswer, UpdatesAnswer } from "#server/wire";
import { messageOf } from "../api/client.ts";
import { Icon } from "../icons/icon.tsx";
import { count } from "../parts/format.ts";
import { ResourceView } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { mayChange, useDashboard } from "../state/context.ts";
import { readUpdates, saveUpdates } from "../state/known-updates.ts";
import { useResource } from "../state/use-resource.ts";
import { AddPanel, OperatorPanel } from "./add-panel.tsx";
import { FoldersPanel } from "./folders.tsx";
import { InstalledPanel } from "./installed-panel.tsx";
import { RepositoriesPanel } from "./repositories.tsx";

/** Where skills come from: repositories, installed skills and folders. */
export function SourcesView() {
  const { client, session, generation, navigation } = useDashboard();
  const [now] = useState(() => Date.now());
  const sources = useResource("sources", generation, (signal) =>
    client.get<SourcesAnswer>("sources", {}, signal),
  );
  const { updates, isChecking, check } = useUpdates();
  const part = navigation.route.params.get("part");
  const mayWrite = mayChange(session);
  return (
    <div class="page">
      <PageHeader
        title="Sources"
        actions={
          mayWrite ? (
            <button type="button" disabled={isChecking} onClick={() => void check()}>
              <Icon name="refresh" size={14} />
              {isChecking ? "Asking the sources …" : "Check for updates"}
            </button>
          ) : undefined
        }
      >
        Where the skills come from. Sources of installed skills are contacted only when you check for updates.
      </PageHeader>
      <ResourceView resource={sources} what="sources">
        {(value) => (
          <>
            <InstalledPanel sources={value} updates={updates} now={now} />
            <RepositoriesPanel repositories={value.repositories} now={now} />
            {!mayWrite ? null : value.mayInstall ? <AddPanel isFirst={part === "add"} /> : <OperatorPanel />}
            <FoldersPanel folders={value.folders} locks={value.locks} lastScan={value.lastScan} now={now} />
          </>
        )}
      </ResourceView>
    </div>
  );
}

/** Asks the sources for newer versions, and remembers the answer for this tab. */
function useUpdates(): {
  readonly updates: UpdatesAnswer | undefined;
  readonly isChecking: boolean;
  readonly check: () => Promise<void>;
} {
  const { client, navigation, notify } = useDashboard();
  const [updates, setUpdates] = useState(readUpdates);
  const [isChecking, setChecking] = useState(false);
  const check = async (): Promise<void> => {
    setChecking(true);
    try {
      const answer = await client.post<UpdatesAnswer>("sources/check");
      saveUpdates(answer);
      setUpdates(answer);
      const outdated = answer.skills.filter(({ isOutdated }) => isOutdated).length;
      notify(outdated === 0 ? "Everything is up to date." : `${count(outdated, "skill")} can be updated.`);
    } catch (error) {
      notify(messageOf(error));
    } finally {
      setChecking(false);
    }
  };
  // The command palette leads here with the wish to check.
  const isWanted = navigation.route.params.get("check") === "now";
  useEffect(() => {
    if (!isWanted) return;
    navigation.change({ check: undefined }, { replace: true });
    void check();
  }, [isWanted]);
  return { updates, isChecking, check };
}
