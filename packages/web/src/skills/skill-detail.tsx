import { useEffect, useRef } from "preact/hooks";
import type { SkillDetail } from "#server/wire";
import { count } from "../parts/format.ts";
import { Failure, Loading } from "../parts/notice.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { SeenTab } from "../seen/seen-tab.tsx";
import { useDashboard } from "../state/context.ts";
import { skillHash } from "../state/route.ts";
import { useResource } from "../state/use-resource.ts";
import { DetailHeader } from "./detail-header.tsx";
import { FilesTab } from "./files-tab.tsx";
import { OriginTab } from "./origin-tab.tsx";
import { Problems } from "./problems.tsx";
import { Repair } from "./repair.tsx";
import { SimilarTab } from "./similar-tab.tsx";
import { AgentTab, ChainTab, ReadTab, SourceTab } from "./text-tabs.tsx";
import { UsageTab } from "./usage-tab.tsx";

/** One skill: its text, what an agent gets, its problems and its usage. */
export function SkillDetailView({
  name,
  file,
  onClose,
}: {
  readonly name: string | null;
  readonly file: string | null;
  readonly onClose: () => void;
}) {
  const { client, generation } = useDashboard();
  const params = file === null ? { name: name ?? "" } : { file };
  const detail = useResource(JSON.stringify(params), generation, (signal) =>
    client.get<SkillDetail>("skill", params, signal),
  );
  const place = useRef<HTMLElement>(null);
  const isThere = detail.value !== undefined;
  // Keyboard users continue from here.
  useEffect(() => {
    if (isThere) place.current?.focus({ preventScroll: true });
  }, [name, file, isThere]);

  return (
    <article class="detail" ref={place} tabIndex={-1} aria-label={detail.value?.name ?? "Skill"}>
      {detail.error !== undefined ? (
        <div class="detail-missing">
          <button type="button" class="small" onClick={onClose}>
            Close
          </button>
          <Failure error={detail.error} />
          {detail.error.suggestions.length === 0 ? (
            <p class="muted">
              It may have been renamed or removed. The list shows every skill that was found.
            </p>
          ) : (
            <p>
              Did you mean{" "}
              {detail.error.suggestions.map((each) => (
                <a key={each} class="spaced" href={skillHash({ name: each })}>
                  {each}
                </a>
              ))}
            </p>
          )}
        </div>
      ) : detail.value === undefined ? (
        <Loading what="the skill" />
      ) : (
        <Detail detail={detail.value} onClose={onClose} />
      )}
    </article>
  );
}

function Detail({ detail, onClose }: { readonly detail: SkillDetail; readonly onClose: () => void }) {
  const { navigation } = useDashboard();
  const { params } = navigation.route;
  const tabs = [
    {
      id: "seen",
      label: "Seen by",
      isShown: true,
      render: () => <SeenTab detail={detail} />,
    },
    {
      id: "read",
      label: "Read",
      isShown: detail.body !== undefined,
      render: () => <ReadTab detail={detail} onFile={(path) => navigation.change({ tab: "files", path })} />,
    },
    {
      id: "agent",
      label: "Agent text",
      isShown: detail.agentText !== undefined,
      render: () => <AgentTab detail={detail} />,
    },
    {
      id: "source",
      label: "Source",
      isShown: true,
      render: () => <SourceTab detail={detail} line={Number(params.get("line")) || undefined} />,
    },
    {
      id: "files",
      label: `Files (${detail.files.length})`,
      isShown: detail.files.length > 0,
      render: () => <FilesTab detail={detail} />,
    },
    {
      id: "chain",
      label: `Inherits (${detail.parts.length - 1})`,
      isShown: detail.parts.length > 1,
      render: () => <ChainTab parts={detail.parts} />,
    },
    {
      id: "origin",
      label: "Origin",
      isShown: detail.kind === "skill",
      render: () => <OriginTab detail={detail} />,
    },
    {
      id: "similar",
      label: "Similar",
      isShown: detail.loadedBy.length > 0,
      render: () => <SimilarTab detail={detail} />,
    },
    {
      id: "usage",
      label: detail.usage.total === 0 ? "Usage" : `Usage (${detail.usage.total})`,
      isShown: detail.loadedBy.length > 0,
      render: () => <UsageTab detail={detail} />,
    },
  ].filter(({ isShown }) => isShown);
  return (
    <>
      <DetailHeader detail={detail} onClose={onClose} />
      <Problems detail={detail} onLine={(line) => navigation.change({ tab: "source", line: String(line) })} />
      <Repair detail={detail} />
      <Tabs
        tabs={tabs}
        chosen={params.get("tab") ?? ""}
        onChoose={(tab) =>
          navigation.change({ tab, path: undefined, line: undefined, edit: undefined }, { replace: true })
        }
        label={`${detail.name}: ${count(tabs.length, "part")}`}
      />
    </>
  );
}
