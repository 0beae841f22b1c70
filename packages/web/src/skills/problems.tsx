import type { SkillDetail } from "#server/wire";
import { count } from "../parts/format.ts";
import { Message } from "../parts/message.tsx";
import { Path } from "../parts/path.tsx";
import { skillHash } from "../state/route.ts";

type SkillProblem = SkillDetail["diagnostics"][number];

type RelatedSkill = SkillDetail["related"][number];

/** More of them would push the text of the skill off the screen. */
const SHOWN = 3;

/** Diagnostics of a skill, and the other skills with its name. */
export function Problems({
  detail,
  onLine,
}: {
  readonly detail: SkillDetail;
  readonly onLine: (line: number) => void;
}) {
  const { diagnostics, related } = detail;
  if (diagnostics.length === 0 && related.length === 0) return null;
  // One that would be alone behind the button is shown at once.
  const shown = diagnostics.length === SHOWN + 1 ? diagnostics : diagnostics.slice(0, SHOWN);
  const more = diagnostics.slice(shown.length);
  return (
    <>
      <ul class="problems" aria-label="Problems">
        {shown.map((one) => (
          <Problem key={keyOf(one)} problem={one} detail={detail} onLine={onLine} />
        ))}
        {related.map((other) => (
          <Related key={other.relation + other.file} other={other} />
        ))}
      </ul>
      {more.length === 0 ? null : (
        <details class="more-problems">
          <summary>{count(more.length, "more finding")}</summary>
          <ul class="problems" aria-label="More problems">
            {more.map((one) => (
              <Problem key={keyOf(one)} problem={one} detail={detail} onLine={onLine} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function keyOf({ file, code, line, message }: SkillProblem): string {
  return `${file}${code}${line ?? ""}${message}`;
}

function Problem({
  problem: { severity, message, line, file },
  detail,
  onLine,
}: {
  readonly problem: SkillProblem;
  readonly detail: SkillDetail;
  readonly onLine: (line: number) => void;
}) {
  const isHere = file === detail.file && detail.source !== undefined;
  return (
    <li class={severity === "advice" ? "note" : severity}>
      {line === undefined ? null : isHere ? (
        <button type="button" class="link" onClick={() => onLine(line)}>
          Line {line}
        </button>
      ) : (
        <strong>Line {line}</strong>
      )}
      <span>
        <Message text={message} />
      </span>
      {file === detail.file ? null : <Path path={file} />}
    </li>
  );
}

function Related({ other }: { readonly other: RelatedSkill }) {
  const { relation, file, name, provider, location } = other;
  return (
    <li class={relation === "shadowed-by" ? "warning" : "note"}>
      <span>{SENTENCES[relation]}</span>
      {relation === "same-folder" ? (
        <Path path={file} />
      ) : (
        <a href={skillHash(relation === "shadows" ? { file } : { name })}>{name}</a>
      )}
      <span class="muted">
        {provider} · {location}
      </span>
    </li>
  );
}

const SENTENCES: Readonly<Record<RelatedSkill["relation"], string>> = {
  shadows: "Shadows",
  "shadowed-by": "Not served; shadowed by",
  "same-name": "Shares its name with",
  "same-folder": "Also found at",
};
