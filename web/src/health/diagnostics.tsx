import type { WireDiagnostic } from "../../../src/http/api/wire.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { count } from "../parts/format.ts";
import { Empty } from "../parts/notice.tsx";
import { Panel } from "../parts/panel.tsx";
import { skillHash } from "../state/route.ts";

/** What each kind is called; one that is new here goes by its code. */
const KINDS: Readonly<Record<string, string>> = {
  "no-front-matter": "No front matter",
  "front-matter-unreadable": "Front matter that cannot be read",
  "front-matter-recovered": "Front matter that is not valid YAML",
  "front-matter-unclosed": "Front matter without an end",
  "front-matter-language": "Front matter in another language",
  "front-matter-too-long": "Front matter that is too long",
  "text-before-front-matter": "Text before the front matter",
  "missing-name": "No name",
  "missing-description": "No description",
  "missing-keywords": "No keywords",
  "name-replaced": "A name that cannot be typed",
  "library-field": "A field of the wrong kind",
  "not-utf8": "Not UTF-8",
  "not-a-file": "Not a regular file",
  "too-large": "Too large",
  unreadable: "Cannot be read",
  "root-missing": "A folder that is not there",
  "broken-link": "A link that leads nowhere",
  "both-enabled-and-disabled": "Enabled and disabled at once",
  "file-name-case": "A file name in the wrong case",
};

/** Shown of each kind at first; thousands of the same are one problem. */
const SHOWN = 20;

/** Everything that is wrong with content, by kind, errors first. */
export function Diagnostics({ diagnostics }: { readonly diagnostics: readonly WireDiagnostic[] }) {
  if (diagnostics.length === 0) {
    return (
      <Panel title="Problems">
        <Empty title="Nothing is wrong">
          <p>Every file that was found is served.</p>
        </Empty>
      </Panel>
    );
  }
  const groups = new Map<string, WireDiagnostic[]>();
  for (const diagnostic of diagnostics) {
    const key = `${diagnostic.severity} ${diagnostic.code}`;
    groups.set(key, [...(groups.get(key) ?? []), diagnostic]);
  }
  const ordered = [...groups.values()].sort(
    ([a], [b]) => Number(b?.severity === "error") - Number(a?.severity === "error"),
  );
  return (
    <Panel title="Problems" note={count(diagnostics.length, "problem")}>
      {ordered.map((group) => {
        const [first] = group;
        if (first === undefined) return null;
        const { severity, code } = first;
        return (
          <details key={severity + code} class={`group ${severity}`} open={group.length <= SHOWN}>
            <summary>
              <span class={`badge status-${severity === "error" ? "broken" : "warning"}`}>{severity}</span>{" "}
              {KINDS[code] ?? code} <span class="muted">{group.length}</span>
            </summary>
            <ul class="plain">
              {group.slice(0, SHOWN * 10).map((each) => (
                <Problem key={`${each.file}:${each.line ?? ""}`} diagnostic={each} />
              ))}
            </ul>
          </details>
        );
      })}
    </Panel>
  );
}

function Problem({ diagnostic }: { readonly diagnostic: WireDiagnostic }) {
  const { file, line, message } = diagnostic;
  const place = line === undefined ? file : `${file}:${line}`;
  const isMarkdown = file.endsWith(".md");
  return (
    <li>
      <div class="line">
        {isMarkdown ? (
          <a class="path" href={skillHash({ file })}>
            {place}
          </a>
        ) : (
          <code class="path">{place}</code>
        )}
        <CopyButton text={place} what="the path" />
      </div>
      <p>{message}</p>
    </li>
  );
}
