import type { SearchAnswer, TryAnswer } from "#server/wire";
import { CodeView } from "../parts/code-view.tsx";
import { count } from "../parts/format.ts";
import { Panel } from "../parts/panel.tsx";
import { foundKey, libraryKey, skillHash } from "../state/route.ts";
import { SavePrompt } from "./save-prompt.tsx";

type Why = TryAnswer["why"][number];

const VERDICTS: Readonly<Record<SearchAnswer["verdict"], { readonly label: string; readonly tone: string }>> =
  {
    match: { label: "Clear match", tone: "ok" },
    ambiguous: { label: "Several matches", tone: "warning" },
    no_match: { label: "Nothing fits well", tone: "broken" },
  };

interface Named {
  /** Whose it is, where there are two of them: every panel has a name of its own. */
  readonly of: string | undefined;
}

const titleOf = (tool: string, of: string | undefined): string =>
  of === undefined ? tool : `${tool} in ${of}`;

/** What one client gets for a task: only the tools that it has, and why each skill has its place. */
export function Answers({
  answer,
  isCompared,
  profile,
}: {
  readonly answer: TryAnswer;
  /** `second`: beside another one that may be of the same client. */
  readonly isCompared: false | "first" | "second";
  readonly profile: string;
}) {
  const { client, find, allWords, getSkill, task } = answer;
  const title = client.title ?? client.client;
  const of =
    isCompared === false
      ? undefined
      : [title, profile, isCompared === "second" ? "compared" : ""].filter(Boolean).join(", ");
  const has = (name: string): boolean =>
    client.tools.some((tool) => tool === name || tool === name.replace(".", "_"));
  const names = answer.why.filter(({ isLibrary }) => !isLibrary).map(({ name }) => name);
  return (
    <div class="stack">
      <p class="tools-line">
        <strong>
          {title}
          {profile === "" ? "" : ` · profile ${profile}`}
        </strong>{" "}
        has{" "}
        {client.tools.map((tool) => (
          <code key={tool}>{tool}</code>
        ))}
      </p>
      <div class={of === undefined ? "answers" : "stack"}>
        <FindPanel answer={find} why={answer.why} hasFinder={has("find_skills")} title={title} of={of} />
        {has("skills.search") ? <AllWordsPanel answer={allWords} of={of} /> : null}
        {has("get_skill") || getSkill !== undefined ? <LibraryPanel answer={getSkill} of={of} /> : null}
        {of !== undefined ? null : (
          <Panel title="Keep this task" icon="check" note="as a test of the descriptions">
            <p class="muted">
              <code>skills-mcp eval</code> then tells whether the right skill is still found.
            </p>
            <SavePrompt
              key={task}
              task={task}
              names={names.slice(0, 10)}
              fits={find.verdict !== "no_match"}
            />
          </Panel>
        )}
      </div>
    </div>
  );
}

const SHOWN_BELOW = 3;

function FindPanel({
  answer,
  why,
  hasFinder,
  title,
  of,
}: {
  readonly answer: SearchAnswer;
  readonly why: readonly Why[];
  readonly hasFinder: boolean;
  readonly title: string;
} & Named) {
  const { results, nearest, verdict, confidence, total } = answer;
  const whyOf = (one: SearchAnswer["results"][number]): Why | undefined =>
    why.find(({ name, isLibrary }) =>
      one.skill_path === undefined ? !isLibrary && name === one.name : isLibrary && name === one.skill_path,
    );
  const shown = new Set(
    [...results, ...nearest].flatMap((one) => [one.skill_path ?? one.name, ...(one.copies ?? [])]),
  );
  const below = why.filter(({ name }) => !shown.has(name)).slice(0, SHOWN_BELOW);
  return (
    <Panel title={titleOf("find_skills", of)} note={`ranked, ${count(total, "match", "matches")}`}>
      {hasFinder ? null : (
        <p class="muted">
          {title} has no find_skills: its model reads the descriptions at turn 1. This is what a search would
          rank, as hooks and the command line do.
        </p>
      )}
      <p>
        <span class={`badge status-${VERDICTS[verdict].tone}`}>{VERDICTS[verdict].label}</span>{" "}
        {results.length === 0 ? null : (
          <span class="muted">
            Top result: about {Math.min(99, Math.round(confidence * 100))}% likely to be the right skill.
          </span>
        )}
      </p>
      <Hits found={results} whyOf={whyOf} />
      <div class="floor" role="separator" aria-label="The floor">
        <span>the floor: below it, nothing fits well</span>
      </div>
      {results.length === 0 && nearest.length === 0 ? (
        <p class="muted">No skill has anything to do with this task.</p>
      ) : null}
      <Hits found={nearest} whyOf={whyOf} />
      {below.length === 0 ? null : (
        <ul class="plain below">
          {below.map((one) => (
            <li key={one.name} class="line">
              <a href={skillHash({ name: one.isLibrary ? libraryKey(one.name) : one.name })}>{one.name}</a>
              <Evidence why={one} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const TURN_1 = {
  whole: "described at turn 1",
  cut: "described in part at turn 1",
  name: "named at turn 1",
  absent: "found by search only",
  native: "known to the client itself",
} as const;

/** What speaks for a skill: its words, its meaning, and how far it is from the floor. */
function Evidence({ why }: { readonly why: Why }) {
  const { coverage, meaning, aboveFloor, atTurn1 } = why;
  return (
    <span class="evidence">
      <span>words {Math.round(coverage * 100)}%</span>
      <span>meaning {Math.round(meaning * 100)}%</span>
      <span class={aboveFloor >= 0 ? "above" : "under"}>
        {aboveFloor >= 0 ? "+" : "−"}
        {Math.abs(aboveFloor).toFixed(1)} {aboveFloor >= 0 ? "above" : "below"} the floor
      </span>
      {atTurn1 === undefined ? null : <span>{TURN_1[atTurn1]}</span>}
    </span>
  );
}

function Hits({
  found,
  whyOf,
}: {
  readonly found: SearchAnswer["results"];
  readonly whyOf: (one: SearchAnswer["results"][number]) => Why | undefined;
}) {
  const best = found[0]?.score ?? 1;
  if (found.length === 0) return null;
  return (
    <ol class="hits">
      {found.map((one) => {
        const why = whyOf(one);
        return (
          <li key={foundKey(one)} data-item tabIndex={-1}>
            <ScoredLink id={foundKey(one)} name={one.name} score={one.score} best={best} />
            <p class="excerpt">{one.excerpt}</p>
            <Words words={one.matched} />
            {why === undefined ? null : <Evidence why={why} />}
            {one.copies === undefined ? null : <p class="muted">Copies: {one.copies.join(", ")}</p>}
          </li>
        );
      })}
    </ol>
  );
}

function AllWordsPanel({ answer, of }: { readonly answer: TryAnswer["allWords"] } & Named) {
  const { total, results } = answer;
  return (
    <Panel title={titleOf("skills.search", of)} note={`all words, ${count(total, "match", "matches")}`}>
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

function LibraryPanel({ answer, of }: { readonly answer: TryAnswer["getSkill"] } & Named) {
  if (answer === undefined) {
    return (
      <Panel title={titleOf("get_skill", of)} note="no library">
        <p class="muted">
          No library is configured. Set <code>SKILLS_DIR</code> or <code>--library</code> to a folder of
          Markdown files with keywords, and agents get your team’s rules for each task.
        </p>
      </Panel>
    );
  }
  if ("refused" in answer) {
    return (
      <Panel title={titleOf("get_skill", of)} note="refused">
        <p class="problem">{answer.message}</p>
      </Panel>
    );
  }
  if ("no_match" in answer) {
    return (
      <Panel title={titleOf("get_skill", of)} note="no match">
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
      <Panel title={titleOf("get_skill", of)} note="ambiguous">
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
    <Panel title={titleOf("get_skill", of)} note="served">
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
