import type { ModelAnswer } from "#server/wire";
import { count, formatNumber } from "../parts/format.ts";
import { partsOf } from "./token-parts.ts";

/** How the tokens of the first turn divide into parts. */
export function TokenBar({ answer }: { readonly answer: ModelAnswer }) {
  const parts = partsOf(answer);
  const { total } = answer.tokens;
  if (total === 0) return null;
  return (
    <figure class="token-bar">
      <div class="parts" aria-hidden="true">
        {parts.map(({ label, tokens, tone }) => (
          <i
            key={label}
            class={`tone-${tone}`}
            style={{ flexGrow: tokens }}
            title={`${label}: about ${formatNumber(tokens)} tokens`}
          />
        ))}
      </div>
      <figcaption>
        <ul>
          {parts.map(({ label, tokens, tone }) => (
            <li key={label}>
              <i class={`tone-${tone}`} aria-hidden="true" />
              {label} <strong>{formatNumber(tokens)}</strong>
              <span class="muted">{Math.round((100 * tokens) / total)}%</span>
            </li>
          ))}
        </ul>
        <span class="visually-hidden">About {count(total, "token")} in all.</span>
      </figcaption>
    </figure>
  );
}
