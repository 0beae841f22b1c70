import { array, strictObject, string } from "zod";
import type { ReviewTools } from "#trust";
import { escapeInvisibleCharacters } from "#util/pure";
import type { ReviewAnswer, ReviewDetailAnswer } from "../../../wire/review.ts";
import { badBody, required } from "../api-request.ts";
import type { Handlers } from "../create-api.ts";
import { json } from "../json-answer.ts";

/** What nobody has approved yet, and the files of agents: for those who may decide about them or change them. */
export const ADMIN_READS: ReadonlySet<string> = new Set(["review", "review/skill", "connect", "skill/text"]);

/** Opens the review of skills, whose code is loaded when it is first needed. */
type OpenReview = () => Promise<ReviewTools>;

export function reviewReads(open: OpenReview): Handlers {
  return {
    async review() {
      return json({ skills: await (await open()).list(true) } satisfies ReviewAnswer);
    },
    async "review/skill"({ query }) {
      const detail = await (await open()).detail(required(query, "name"));
      // Whoever decides must see what a model would read.
      return json({ ...detail, diff: escapeInvisibleCharacters(detail.diff) } satisfies ReviewDetailAnswer);
    },
  };
}

const MOST_AT_ONCE = 1_000;
const DECISION = strictObject({
  skills: array(strictObject({ name: string().min(1), digest: string().min(1) }))
    .min(1)
    .max(MOST_AT_ONCE),
});

/** Each decides about all skills of a request or none, and can be taken back by another one. */
export function reviewWrites(open: OpenReview): Handlers {
  const decide =
    (action: "approveSeen" | "revertSeen" | "rejectSeen" | "reopenSeen"): Handlers[string] =>
    async ({ subject }, body) => {
      const tools = await open();
      const skills = await tools[action](readDecision(body), subject ?? "dashboard");
      return json({ skills } satisfies ReviewAnswer);
    };
  return {
    "review/approve": decide("approveSeen"),
    "review/revert": decide("revertSeen"),
    "review/reject": decide("rejectSeen"),
    "review/reopen": decide("reopenSeen"),
  };
}

/** With the digest of what was seen: nothing else is decided about. */
function readDecision(body: unknown): readonly { readonly name: string; readonly digest: string }[] {
  const read = DECISION.safeParse(body);
  if (read.success) return read.data.skills;
  throw badBody('{"skills": [{"name": "pdf", "digest": "sha256:…"}]}');
}
