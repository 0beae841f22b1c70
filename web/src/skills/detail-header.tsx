import { useState } from "preact/hooks";
import { clientOf, configOf } from "../../../src/connect/client-lines.ts";
import type { SkillDetail } from "../../../src/http/api/wire.ts";
import { ApiError } from "../api/client.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { mayChange, useDashboard } from "../state/context.ts";
import { STATUS } from "./status.ts";

export function DetailHeader({
  detail,
  onClose,
}: {
  readonly detail: SkillDetail;
  readonly onClose: () => void;
}) {
  const { name, description, kind, status, provider, location, plugin, file, loadedBy } = detail;
  const isBroken = kind === "broken";
  const config = configOf(clientOf("cursor"), { kind: "local", args: ["--include", name] }, 2);
  return (
    <header class="detail-header">
      <div class="title">
        <h2>{name}</h2>
        <span class={`badge status-${status}`} title={STATUS[status].meaning}>
          {STATUS[status].label}
        </span>
        <span class="actions">
          <Toggle detail={detail} />
          <button type="button" class="small" aria-label="Close this skill" onClick={onClose}>
            Close
          </button>
        </span>
      </div>
      {isBroken ? null : <p class="detail-description">{description}</p>}
      <dl>
        {provider === "" ? null : (
          <>
            <dt>From</dt>
            <dd>{[provider, location, plugin].filter((part) => part !== "").join(" · ")}</dd>
          </>
        )}
        {detail.repository === undefined ? null : (
          <>
            <dt>Repository</dt>
            <dd>
              <code class="path">{detail.repository.url}</code> · {detail.repository.path || "."} ·{" "}
              <code title={detail.repository.commit}>{detail.repository.commit.slice(0, 12)}</code>
            </dd>
          </>
        )}
        <dt>File</dt>
        <dd>
          <code class="path">{file}</code> <CopyButton text={file} what="the path" />
        </dd>
        {loadedBy.length === 0 ? null : (
          <>
            <dt>{kind === "library" ? "Path" : "Names"}</dt>
            <dd>
              {loadedBy.map((each) => (
                <code key={each}>{each}</code>
              ))}{" "}
              <CopyButton text={name} what="the name" />
              {kind === "library" ? null : (
                <>
                  {" "}
                  <CopyButton
                    text={config}
                    what="client config for this skill only"
                    label="Copy client config"
                  />
                </>
              )}
            </dd>
          </>
        )}
        {detail.invocation === undefined ? null : (
          <>
            <dt>Invocation</dt>
            <dd>{detail.invocation}</dd>
          </>
        )}
        {detail.hostFields.length === 0 ? null : (
          <>
            <dt>For hosts</dt>
            <dd title="Shown, not enforced">
              {detail.hostFields.map((each) => (
                <code key={each}>{each}</code>
              ))}
            </dd>
          </>
        )}
        {detail.keywords.length === 0 ? null : (
          <>
            <dt>Keywords</dt>
            <dd>
              {detail.keywords.map((each) => (
                <code key={each}>{each}</code>
              ))}
            </dd>
          </>
        )}
      </dl>
    </header>
  );
}

/** Enables or disables a skill, for callers with the admin scope. */
function Toggle({ detail }: { readonly detail: SkillDetail }) {
  const { client, session, navigation, notify } = useDashboard();
  const [isBusy, setBusy] = useState(false);
  const { kind, status, name } = detail;
  // The next commit of a repository would undo it.
  const canToggle = kind === "skill" && status !== "shadowed" && detail.repository === undefined;
  if (!canToggle || !mayChange(session)) return null;
  const isOff = status === "disabled";

  const toggle = async (): Promise<void> => {
    setBusy(true);
    try {
      const result = await client.post<{ readonly name: string; readonly file: string }>(
        isOff ? "skills/enable" : "skills/disable",
        { name },
      );
      notify(`${isOff ? "Enabled" : "Disabled"} ${result.name}.`);
      // A disabled skill is addressed by its file, because its name may now resolve to another skill.
      navigation.change(
        isOff ? { open: result.name, file: undefined } : { open: undefined, file: result.file },
        { replace: true },
      );
    } catch (error) {
      notify(error instanceof ApiError ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <button type="button" class="small" disabled={isBusy} onClick={() => void toggle()}>
      {isOff ? "Enable" : "Disable"}
    </button>
  );
}
