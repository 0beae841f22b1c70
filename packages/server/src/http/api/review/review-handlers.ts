import { strictObject, string } from "zod";
import type { ReviewTools } from "#trust";
import { escapeInvisibleCharacters } from "#util/pure";
import type { ReviewAnswer, ReviewDetailAnswer, WireReviewItem } from "../../../wire/review.ts";
import { badBody, required } from "../api-request.ts";
import type { Handlers } from "../create-api.ts";
import { json } from "../json-answer.ts";

/** What these show nobody has approved, so that they are for those who decide about it. */
export const ADMIN_READS: ReadonlySet<string> = new Set(["review", "review/skill"]);

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

const DECISION = strictObject({ name: string().min(1), digest: string().min(1) });

export function reviewWrites(open: OpenReview): Handlers {
  return {
    async "review/approve"({ subject }, body) {
      const { name, digest } = readDecision(body);
      const item = await (await open()).approveSeen(name, digest, subject ?? "dashboard");
      return json(item satisfies WireReviewItem);
    },
    async "review/revert"({ subject }, body) {
      const { name, digest } = readDecision(body);
      const item = await (await open()).revertSeen(name, digest, subject ?? "dashboard");
      return json(item satisfies WireReviewItem);
    },
  };
}

/** The digest of what was seen: nothing else is approved or withdrawn. */
function readDecision(body: unknown): { readonly name: string; readonly digest: string } {
  const read = DECISION.safeParse(body);
  if (read.success) return read.data;
  throw badBody('{"name": "pdf", "digest": "sha256:…"}');
}
