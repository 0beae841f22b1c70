import type { WireDiagnostic } from "../../../src/http/api/wire.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { count } from "../parts/format.ts";
import { Empty } from "../parts/notice.tsx";
import { Panel } from "../parts/panel.tsx";
import { skillHash } from "../state/route.ts";

/** A title for each diagnostic code; an unknown code is shown as it is. */
const KINDS: Readonly<Record<string, string>> = {
  "no-front-matter": "No front matter",
  "front-matter-unreadable": "Unreadable front matter",
  "front-matter-recovered": "Invalid YAML, recovered",
  "front-matter-unclosed": "Unclosed front matter",
  "front-matter-language": "Front matter is not YAML",
  "front-matter-too-long": "Front matter too long",
  "text-before-front-matter": "Text before the front matter",
  "missing-name": "Missing name",
  "missing-description": "Missing description",
  "missing-keywords": "Missing keywords",
  "name-replaced": "Name replaced",
  "library-field": "Field of the wrong type",
  "not-utf8": "Not UTF-8",
  "not-a-file": "Not a regular file",
  "too-large": "File too large",
  unreadable: "Unreadable file",
  "root-missing": "Folder not found",
  "root-not-a-folder": "Not a folder",
  "outside-library": "Link out of the library",
  "hidden-skills": "Files that no skill serves",
  "scan-limit": "Scan limit reached",
  "plugins-file": "Unreadable plugin list",
  "plugin-entry": "Invalid plugin entry",
  "settings-file": "Unreadable settings file",
  "synonyms-file": "Invalid synonyms file",
  "broken-link": "Broken link",
  "both-enabled-and-disabled": "Both enabled and disabled",
  "file-name-case": "Wrong case in file name",
};

/** A larger group starts collapsed: thousands of the same kind are one problem. */
const SHOWN = 20;

/** All diagnostics by kind, errors first. */
export function Diagnostics({ diagnostics }: { readonly diagnostics: readonly WireDiagnostic[] }) {
  if (diagnostics.length === 0) {
    return (
      <Panel title="Problems">
        <Empty title="No problems">
          <p>Every skill file was read without errors or warnings.</p>
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
                <ProblemItem key={`${each.file}:${each.line ?? ""}`} diagnostic={each} />
              ))}
            </ul>
          </details>
        );
      })}
    </Panel>
  );
}

function ProblemItem({ diagnostic }: { readonly diagnostic: WireDiagnostic }) {
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
