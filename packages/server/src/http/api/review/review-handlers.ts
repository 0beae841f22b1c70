import { strictObject, string } from "zod";
import { escapeHiddenCharacters } from "#util/pure";
import type { App } from "../../../create-app.ts";
import type { ReviewAnswer, ReviewDetailAnswer, WireReviewItem } from "../../../wire/review.ts";
import { badBody, required } from "../api-request.ts";
import type { Handlers } from "../create-api.ts";
import { json } from "../json-answer.ts";

/** What these show nobody has approved, so that they are for those who decide about it. */
export const ADMIN_READS: ReadonlySet<string> = new Set(["review", "review/skill"]);

export function reviewReads(app: App): Handlers {
  return {
    async review() {
      return json({ skills: await (await app.review()).list(true) } satisfies ReviewAnswer);
    },
    async "review/skill"({ query }) {
      const detail = await (await app.review()).detail(required(query, "name"));
      // Whoever decides must see what a model would read.
      return json({ ...detail, diff: escapeHiddenCharacters(detail.diff) } satisfies ReviewDetailAnswer);
    },
  };
}

const DECISION = strictObject({ name: string().min(1), digest: string().min(1) });

export function reviewWrites(app: App): Handlers {
  return {
    async "review/approve"({ subject }, body) {
      const { name, digest } = readDecision(body);
      const item = await (await app.review()).approveSeen(name, digest, subject ?? "dashboard");
      return json(item satisfies WireReviewItem);
    },
    async "review/revert"({ subject }, body) {
      const { name, digest } = readDecision(body);
      const item = await (await app.review()).revertSeen(name, digest, subject ?? "dashboard");
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
