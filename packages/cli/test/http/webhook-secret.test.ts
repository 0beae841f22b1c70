import { expect, test } from "vitest";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { webhookSecret } from "../../src/http/webhook-secret.ts";

const SECRET = "0123456789abcdef";

test("webhook secret: comes from a variable or a file", async () => {
  const file = createSandbox().write("secret", `${SECRET}\n`);
  expect(await webhookSecret({})).toBeUndefined();
  expect(await webhookSecret({ SKILLS_WEBHOOK_SECRET: "  " })).toBeUndefined();
  expect(await webhookSecret({ SKILLS_WEBHOOK_SECRET: ` ${SECRET}` })).toBe(SECRET);
  expect(await webhookSecret({ SKILLS_WEBHOOK_SECRET_FILE: file })).toBe(SECRET);
});

test("webhook secret: one that is short, missing or given twice is refused, and never shown", async () => {
  const sandbox = createSandbox();
  const empty = sandbox.write("empty", "\n");
  const both = { SKILLS_WEBHOOK_SECRET: SECRET, SKILLS_WEBHOOK_SECRET_FILE: empty };
  const cases = [
    [{ SKILLS_WEBHOOK_SECRET: "canary" }, /^SKILLS_WEBHOOK_SECRET has 6 characters, but needs at least 16/],
    [{ SKILLS_WEBHOOK_SECRET_FILE: empty }, /^SKILLS_WEBHOOK_SECRET_FILE has 0 characters/],
    [{ SKILLS_WEBHOOK_SECRET_FILE: sandbox.path("no") }, /cannot be read: it does not exist\.$/],
    [{ SKILLS_WEBHOOK_SECRET_FILE: sandbox.home }, /cannot be read: it is no small file\.$/],
    [both, /are both set; unset one of them\.$/],
  ] as const;
  for (const [environment, words] of cases) {
    const refusal = await webhookSecret(environment).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ detail: { code: "bad-usage" }, message: expect.stringMatching(words) });
    expect(String(refusal)).not.toMatch(/canary|0123456789/);
  }
});
