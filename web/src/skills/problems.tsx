import type { SkillDetail, WireTwin } from "../../../src/http/api/wire.ts";
import { skillHash } from "../state/route.ts";

/** Diagnostics of a skill, and the other skills with its name. */
export function Problems({ detail, onLine }: { readonly detail: SkillDetail; readonly onLine: () => void }) {
  const { diagnostics, twins, file, source } = detail;
  if (diagnostics.length === 0 && twins.length === 0) return null;
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
            <span>{message}</span>
            {diagnostic.file === file ? null : <code class="path">{diagnostic.file}</code>}
          </li>
        );
      })}
      {twins.map((twin) => (
        <li key={twin.relation + twin.file} class={twin.relation === "hidden-by" ? "warning" : "note"}>
          <span>{SENTENCES[twin.relation]}</span>
          {twin.relation === "same-folder" ? (
            <code class="path">{twin.file}</code>
          ) : (
            <a href={skillHash(twin.relation === "hides" ? { file: twin.file } : { name: twin.name })}>
              {twin.name}
            </a>
          )}
          <span class="muted">
            {twin.provider} · {twin.location}
          </span>
        </li>
      ))}
    </ul>
  );
}

const SENTENCES: Readonly<Record<WireTwin["relation"], string>> = {
  hides: "Shadows",
  "hidden-by": "Not served; shadowed by",
  "same-name": "Shares its name with",
  "same-folder": "Also found at",
};
