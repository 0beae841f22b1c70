import type { SearchAnswer, TryAnswer, TryGetSkillAnswer } from "../../../src/http/api/wire.ts";
import { CodeView } from "../parts/code-view.tsx";
import { count } from "../parts/format.ts";
import { Panel } from "../parts/panel.tsx";
import { foundKey, libraryKey, skillHash } from "../state/route.ts";

const VERDICTS: Readonly<Record<SearchAnswer["verdict"], { readonly label: string; readonly tone: string }>> =
  {
    match: { label: "Clear match", tone: "ok" },
    ambiguous: { label: "Several matches", tone: "warning" },
    no_match: { label: "No clear match", tone: "broken" },
  };

export function FindPanel({ answer }: { readonly answer: SearchAnswer }) {
  const { results, verdict, confidence, total } = answer;
  const best = results[0]?.score ?? 1;
  return (
    <Panel title="find_skills" note={`ranked, ${count(total, "match", "matches")}`}>
      <p>
        <span class={`badge status-${VERDICTS[verdict].tone}`}>{VERDICTS[verdict].label}</span>{" "}
        {results.length === 0 ? null : (
          <span class="muted">
            Top result: about {Math.min(99, Math.round(confidence * 100))}% likely to be the right skill.
          </span>
        )}
      </p>
      <ol class="hits">
        {results.map((found) => (
          <li key={foundKey(found)}>
            <ScoredLink id={foundKey(found)} name={found.name} score={found.score} best={best} />
            <p class="excerpt">{found.excerpt}</p>
            <Words words={found.matched} />
          </li>
        ))}
      </ol>
      {results.length === 0 ? <p class="muted">No skill matches any word of this task.</p> : null}
    </Panel>
  );
}

export function AllWordsPanel({ answer }: { readonly answer: TryAnswer["allWords"] }) {
  const { total, results } = answer;
  return (
    <Panel title="skills.search" note={`all words, ${count(total, "match", "matches")}`}>
      <ol class="hits">
        {results.map(({ installName, meta, skillPath, excerpt }) => (
          <li key={skillPath}>
            <strong>{meta.name}</strong>{" "}
            {meta.name === installName ? null : <span class="muted">{installName}</span>}
            <p class="excerpt">{excerpt}</p>
            <code class="path">{skillPath}</code>
          </li>
        ))}
      </ol>
      {total === 0 ? <p class="muted">No skill contains every word of this task. Try fewer words.</p> : null}
    </Panel>
  );
}

export function LibraryPanel({ answer }: { readonly answer: TryGetSkillAnswer | undefined }) {
  if (answer === undefined) {
    return (
      <Panel title="get_skill" note="no library">
        <p class="muted">
          No library is configured. Set <code>SKILLS_DIR</code> or <code>--library</code> to a folder of
          Markdown files with keywords, and agents get your team’s rules for each task.
        </p>
      </Panel>
    );
  }
  if ("refused" in answer) {
    return (
      <Panel title="get_skill" note="refused">
        <p class="problem">{answer.message}</p>
      </Panel>
    );
  }
  if ("no_match" in answer) {
    return (
      <Panel title="get_skill" note="no match">
        <p>{answer.message}</p>
        {answer.suggestions.length === 0 ? null : (
          <ul class="hits">
            {answer.suggestions.map((found) => (
              <li key={foundKey(found)}>
                <a href={skillHash({ name: foundKey(found) })}>{found.name}</a>
                <p class="excerpt">{found.description}</p>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    );
  }
  if ("ambiguous" in answer) {
    return (
      <Panel title="get_skill" note="ambiguous">
        <p>{answer.message}</p>
        <ul class="hits">
          {answer.candidates.map(({ skill_path, score, description, matched_keywords }) => (
            <li key={skill_path}>
              <ScoredLink id={libraryKey(skill_path)} name={skill_path} score={score} best={1} />
              <p class="excerpt">{description}</p>
              <Words words={matched_keywords} />
            </li>
          ))}
        </ul>
      </Panel>
    );
  }
  const { skill_path, score, matched_keywords, content } = answer;
  return (
    <Panel title="get_skill" note="served">
      <ScoredLink id={libraryKey(skill_path)} name={skill_path} score={score} best={1} />
      <Words words={matched_keywords} />
      <CodeView text={content} label="Answer of get_skill" />
    </Panel>
  );
}

function ScoredLink({
  id,
  name,
  score,
  best,
}: Readonly<Record<"id" | "name", string> & Record<"score" | "best", number>>) {
  const share = Math.max(0, Math.min(1, best === 0 ? 0 : score / best));
  return (
    <div class="line">
      <a href={skillHash({ name: id })}>{name}</a>
      <span class="score">
        <span class="meter" aria-hidden="true">
          <i style={{ width: `${share * 100}%` }} />
        </span>
        {score.toFixed(score >= 10 ? 1 : 2)}
      </span>
    </div>
  );
}

function Words({ words }: { readonly words: readonly string[] }) {
  if (words.length === 0) return <p class="muted">No exact word match.</p>;
  return (
    <p class="words">
      <span class="muted">matched</span>
      {words.map((word) => (
        <mark key={word}>{word}</mark>
      ))}
    </p>
  );
}
