import type { PlanAnswer } from "#server/wire";
import { Badge } from "../parts/badge.tsx";
import { DiffView } from "../parts/diff-view.tsx";

type Planned = PlanAnswer["plan"][number];

const ACTIONS: Readonly<
  Record<Planned["action"], { readonly label: string; readonly tone?: "good" | "warn" | "bad" | "accent" }>
> = {
  add: { label: "new", tone: "accent" },
  update: { label: "update", tone: "accent" },
  keep: { label: "stays as it is" },
  remove: { label: "removed", tone: "warn" },
  conflict: { label: "conflict", tone: "bad" },
};

/** What a command would do: the files, the changes, and what the audit says about them. */
export function PlanView({ plan: { plan } }: { readonly plan: PlanAnswer }) {
  return (
    <ul class="plain">
      {plan.map(({ action, name, reason, files, findings = [], diff, commit }) => (
        <li key={name} class="planned">
          <div class="line">
            <Badge {...(ACTIONS[action].tone === undefined ? {} : { tone: ACTIONS[action].tone })}>
              {ACTIONS[action].label}
            </Badge>
            <strong>{name}</strong>
            {commit === undefined ? null : <code class="muted">{commit.slice(0, 12)}</code>}
            <span class="muted">{filesText(files)}</span>
          </div>
          {reason === undefined ? null : <p class="muted">{reason}</p>}
          {findings.map(({ rule, severity, file, line, message }) => (
            <p key={`${rule}${file}${line}`}>
              <Badge tone={severity === "high" || severity === "critical" ? "bad" : "warn"}>{severity}</Badge>{" "}
              {rule} <code class="path">{line === undefined ? file : `${file}:${line}`}</code> {message}
            </p>
          ))}
          {diff === undefined || diff === "" ? null : <DiffView diff={diff} label={`Changes of ${name}`} />}
        </li>
      ))}
    </ul>
  );
}

function filesText(files: Planned["files"]): string {
  const parts = (["added", "changed", "removed", "merged", "kept"] as const).flatMap((kind) =>
    files[kind].length === 0 ? [] : [`${files[kind].length} ${kind}`],
  );
  return parts.length === 0 ? "" : `files: ${parts.join(", ")}`;
}
