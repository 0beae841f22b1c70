/** How many descriptions begin: with when to use the skill, in words that say nothing of this one. */
const WHEN =
  /^(?:(?:always |proactively )?use (?:this skill |this |it )?(?:proactively )?(?:when(?:ever)?|any ?time|if|for|to)|(?:this|the) skill (?:is|(?:should|must|can) be) used (?:when(?:ever)?|any ?time|if|for|to))(?: ?:)?\s+/i;

/** Who asks, and for what: `the user wants to`, `asked about`. */
const WHO =
  /^(?:(?:(?:the |a |your )?users?|you|someone|somebody|people|a person) (?:wants?|asks?|needs?|requests?|would like|are asked)(?: you| for help| help)?(?: to| for| about| with)?|asked (?:to|for|about))\s+/i;

/** `When the user wants to`: without who asks, `When` may begin anything. */
const WHEN_ALONE = /^when(?:ever)?\s+/i;

/** Without what stood before it, this would say the opposite. */
const NEGATION =
  /^(?:(?:do|does|did|is|are|was|were|can|could|should|would|must|has|have|need)(?: ?not\b|n['’]t\b)|cannot\b|not\b|no\b|never\b|nothing\b|only\b|unless\b|except\b|without\b|instead\b|nor\b)/i;

/**
 * A description without the opening that many skills share, for where it is cut: `Use when the user wants to fill a form` is
 * `fill a form`. What does not begin so, or would say something else without it, stays as it is.
 */
export function skipOpening(description: string): string {
  const afterWhen = description.replace(WHEN, "");
  const isWhen = afterWhen !== description;
  const asked = isWhen ? afterWhen : description.replace(WHEN_ALONE, "");
  const afterWho = asked.replace(WHO, "");
  const candidates = [...(afterWho === asked ? [] : [afterWho]), ...(isWhen ? [afterWhen] : [])];
  return candidates.find((text) => /\p{L}{3}/u.test(text) && !NEGATION.test(text)) ?? description;
}
