import type { RelatedSkill, SkillDetail } from "../../../src/http/api/wire.ts";
import { Message } from "../parts/message.tsx";
import { skillHash } from "../state/route.ts";

/** Diagnostics of a skill, and the other skills with its name. */
export function Problems({ detail, onLine }: { readonly detail: SkillDetail; readonly onLine: () => void }) {
  const { diagnostics, related, file, source } = detail;
  if (diagnostics.length === 0 && related.length === 0) return null;
  return (
    <ul class="problems" aria-label="Problems">
      {diagnostics.map((diagnostic) => {
        const { severity, message, line, code } = diagnostic;
        const isHere = diagnostic.file === file && source !== undefined;
        return (
          <li key={`${diagnostic.file}${code}${line ?? ""}`} class={severity}>
            {line === undefined ? null : isHere ? (
              <button type="button" class="link" onClick={onLine}>
                Line {line}
              </button>
            ) : (
              <strong>Line {line}</strong>
            )}
            <span>
              <Message text={message} />
            </span>
            {diagnostic.file === file ? null : <code class="path">{diagnostic.file}</code>}
          </li>
        );
      })}
      {related.map((other) => (
        <li key={other.relation + other.file} class={other.relation === "shadowed-by" ? "warning" : "note"}>
          <span>{SENTENCES[other.relation]}</span>
          {other.relation === "same-folder" ? (
            <code class="path">{other.file}</code>
          ) : (
            <a href={skillHash(other.relation === "shadows" ? { file: other.file } : { name: other.name })}>
              {other.name}
            </a>
          )}
          <span class="muted">
            {other.provider} · {other.location}
          </span>
        </li>
      ))}
    </ul>
  );
}

const SENTENCES: Readonly<Record<RelatedSkill["relation"], string>> = {
  shadows: "Shadows",
  "shadowed-by": "Not served; shadowed by",
  "same-name": "Shares its name with",
  "same-folder": "Also found at",
};
