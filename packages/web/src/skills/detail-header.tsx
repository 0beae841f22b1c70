import { connectJson } from "#agents/pure";
import type { SkillDetail } from "#server/wire";
import { Icon } from "../icons/icon.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Path } from "../parts/path.tsx";
import { mayChange, startOf, useDashboard } from "../state/context.ts";
import { useAudiences } from "../state/use-audiences.ts";
import { WhomMenu } from "./bulk-bar.tsx";
import { STATUS } from "./status.ts";
import { useToggle, type Whom } from "./use-changes.ts";

export function DetailHeader({
  detail,
  onClose,
}: {
  readonly detail: SkillDetail;
  readonly onClose: () => void;
}) {
  const { name, description, kind, status, provider, location, plugin, file, loadedBy } = detail;
  const isBroken = kind === "broken";
  const { command } = startOf(useDashboard().session);
  const config = connectJson("cursor", { kind: "local", command: [...command, "--include", name] });
  return (
    <header class="detail-header">
      <div class="title">
        <h2>{name}</h2>
        <span class={`badge status-${status}`} title={STATUS[status].meaning}>
          {STATUS[status].label}
        </span>
        {detail.label === undefined ? null : <span class="badge">{detail.label}</span>}
        <span class="actions">
          <Toggle detail={detail} />
          <button type="button" class="small" aria-label="Close this skill" onClick={onClose}>
            <Icon name="cross" size={14} />
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
          <Path path={file} /> <CopyButton text={file} what="the path" />
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

/** Enables or disables a skill for everyone, one agent or one profile. */
function Toggle({ detail }: { readonly detail: SkillDetail }) {
  const { session, navigation } = useDashboard();
  const audiences = useAudiences();
  const { isBusy, toggle } = useToggle();
  const { kind, status, file } = detail;
  if (kind !== "skill" || status === "shadowed" || !mayChange(session)) return null;
  const isOff = status === "disabled";

  const change = async (to: "enabled" | "disabled", whom: Whom): Promise<void> => {
    const answer = await toggle([file], to, whom);
    const [result] = answer?.skills ?? [];
    if (result === undefined || whom.said !== "") return;
    // A disabled skill is addressed by its file, because its name may now resolve to another skill.
    navigation.change(
      to === "enabled" ? { open: result.name, file: undefined } : { open: undefined, file: result.file },
      { replace: true },
    );
  };
  if (isOff)
    return (
      <button
        type="button"
        class="small"
        disabled={isBusy}
        onClick={() => void change("enabled", { said: "" })}
      >
        Enable
      </button>
    );
  return (
    <WhomMenu
      verb="Disable"
      audiences={audiences}
      disabled={isBusy}
      // The next commit of a repository would undo it for everyone.
      onlySome={detail.repository !== undefined}
      onChoose={(whom) => void change("disabled", whom)}
    />
  );
}
