import type { SearchAnswer, SkillDetail } from "#server/wire";
import { commandText } from "#util/pure";
import { Empty, ResourceView } from "../parts/notice.tsx";
import { TerminalLine } from "../parts/terminal-line.tsx";
import { useDashboard } from "../state/context.ts";
import { foundKey, libraryKey, skillHash } from "../state/route.ts";
import { useResource } from "../state/use-resource.ts";

const MOST = 6;

/** Whatever else an agent finds that searches for what this skill says of itself. */
export function SimilarTab({ detail }: { readonly detail: SkillDetail }) {
  const { client, generation } = useDashboard();
  const { name, description, kind } = detail;
  const own = kind === "library" ? libraryKey(name) : name;
  const found = useResource(`${own} ${description}`, generation, (signal) =>
    client.get<SearchAnswer>("search", { q: description.slice(0, 1_000), limit: String(MOST + 1) }, signal),
  );
  return (
    <ResourceView resource={found} what="similar skills">
      {({ results }) => {
        const self = results.find((one) => foundKey(one) === own);
        const others = results.filter((one) => one !== self).slice(0, MOST);
        const copies = self?.copies ?? [];
        const best = self?.score ?? results[0]?.score ?? 1;
        if (others.length === 0 && copies.length === 0)
          return (
            <Empty title="No similar skills" icon="check">
              <p>A search for this description finds this skill alone.</p>
            </Empty>
          );
        return (
          <div class="stack">
            <p class="muted">
              A search for this description finds these skills too. The nearer they are, the more likely an
              agent takes one for the other: make both descriptions say when to use which.
            </p>
            <ol class="hits">
              {others.map((one) => {
                const share = Math.max(0, Math.min(1, best === 0 ? 0 : one.score / best));
                return (
                  <li key={foundKey(one)}>
                    <div class="line">
                      <a href={skillHash({ name: foundKey(one) })}>{one.name}</a>
                      <span class="score">
                        <span class="meter" aria-hidden="true">
                          <i style={{ width: `${share * 100}%` }} />
                        </span>
                        {Math.round(share * 100)}%
                      </span>
                    </div>
                    <p class="excerpt">{one.description}</p>
                  </li>
                );
              })}
            </ol>
            {copies.length === 0 ? null : <p>Copies or forks of it: {copies.join(", ")}</p>}
            <TerminalLine command={commandText(["eval", "--skill", name, "--suggest"])} />
          </div>
        );
      }}
    </ResourceView>
  );
}
