import type { createAppReview } from "#trust";
import { defineCommand, printJson, type Terminal } from "../command.ts";
import { badUsage, type FlagValues, flag } from "../flags.ts";
import { DRY_RUN_FLAG } from "../install/install-flags.ts";
import { withSkillView } from "../open-view.ts";
import { renderApprovals, renderReverts, renderWaiting } from "../render/review.ts";
import { count } from "../render/text.ts";
import { JSON_FLAG, VIEW_FLAGS, YES_FLAG } from "../shared-flags.ts";

const FLAGS = {
  all: flag.switch("approve everything that is waiting"),
  revert: flag.switch("undo the last approval and serve the previous version again"),
  reject: flag.switch("keep what is served now, and do not ask about this version again"),
  diff: flag.switch("show a diff of each file"),
  ...DRY_RUN_FLAG,
  ...YES_FLAG,
  ...JSON_FLAG,
  ...VIEW_FLAGS,
};

type ApproveFlags = FlagValues<typeof FLAGS>;

/** `skills-mcp approve`: lists the skills that wait for approval; with names or `--all`, approves them. */
export const command = defineCommand({
  name: "approve",
  usage: "[name…]",
  summary: "review skills that are waiting for approval, and approve them",
  order: 210,
  bundle: "manage",
  examples: ["approve", "approve pdf --diff"],
  flags: FLAGS,
  takes: "any",
  run({ given, positionals: names, terminal, log }) {
    refuseContradictions(given, names);
    return withSkillView(given, log, async (services) => {
      const review = await services.review();
      if (given.reject) return reject(review, names, given, terminal);
      if (given.revert) return revert(review, names, given, terminal);
      if (names.length > 0 || given.all) return approve(review, names, given, terminal);
      const skills = await review.list();
      if (given.json) printJson(terminal, { skills });
      else terminal.print(renderWaiting(skills, terminal));
      return 0;
    });
  },
});

function refuseContradictions(given: ApproveFlags, names: readonly string[]): void {
  if (given.all && names.length > 0)
    throw badUsage("--all", "--all approves everything that waits: pass it or names, not both.");
  if (given.revert && given.reject)
    throw badUsage("--reject", "--reject and --revert contradict each other: pass one of them.");
  const way = given.revert ? "--revert" : given.reject ? "--reject" : undefined;
  if (way !== undefined && (given.all || names.length === 0))
    throw badUsage(way, `${way} takes one or more skill names: skills-mcp approve <name>… ${way}.`);
}

type ApprovalReview = Awaited<ReturnType<ReturnType<typeof createAppReview>>>;

async function approve(
  review: ApprovalReview,
  names: readonly string[],
  given: ApproveFlags,
  terminal: Terminal,
): Promise<number> {
  const plan = await review.plan(given.all ? "all" : names);
  const details = plan.map(({ detail }) => detail);
  const isAsked = asks(given, terminal);
  if (!given.json) {
    // A person who approves a skill by name sees its changes before the question.
    const withDiff = given.diff || (isAsked && !given.all);
    terminal.print(renderApprovals(details, withDiff, terminal.style));
  }
  const changes = plan.filter(({ detail }) => detail.state !== "approved");
  const isApplied =
    changes.length > 0 && (await decide(`Approve ${count(changes.length, "skill")}?`, given, terminal));
  if (isApplied) await review.approve(changes);
  if (given.json) printJson(terminal, { dryRun: !isApplied && changes.length > 0, skills: details });
  else if (changes.length > 0)
    terminal.print(
      isApplied ? `Approved ${count(changes.length, "skill")}; running servers pick it up.\n` : NOTHING,
    );
  return 0;
}

async function reject(
  review: ApprovalReview,
  names: readonly string[],
  given: ApproveFlags,
  terminal: Terminal,
): Promise<number> {
  const plan = await review.plan(names);
  const details = plan.map(({ detail }) => detail);
  if (!given.json) terminal.print(renderApprovals(details, given.diff, terminal.style));
  const isApplied = await decide(`Reject ${count(plan.length, "skill")}?`, given, terminal);
  if (isApplied) await review.reject(plan);
  if (given.json) printJson(terminal, { dryRun: !isApplied, skills: details });
  else terminal.print(isApplied ? `Rejected ${count(plan.length, "skill")}.\n` : NOTHING);
  return 0;
}

async function revert(
  review: ApprovalReview,
  names: readonly string[],
  given: ApproveFlags,
  terminal: Terminal,
): Promise<number> {
  const plan = await review.planRevert(names);
  if (!given.json) terminal.print(renderReverts(plan, terminal.style));
  const isApplied = await decide(`Roll back ${count(plan.length, "skill")}?`, given, terminal);
  if (isApplied) await review.revert(plan);
  if (given.json)
    printJson(terminal, {
      dryRun: !isApplied,
      skills: plan.map(({ name, from, to }) => ({ name, from, ...(to === undefined ? {} : { to }) })),
    });
  else
    terminal.print(
      isApplied ? `Rolled back ${count(plan.length, "skill")}; running servers pick it up.\n` : NOTHING,
    );
  return 0;
}

const NOTHING = "Nothing was changed.\n";

function asks({ yes, json, "dry-run": dryRun }: ApproveFlags, { ask }: Terminal): boolean {
  return ask !== undefined && !yes && !json && !dryRun;
}

/** Asks on a terminal. Elsewhere naming a skill approves it, and `--all` needs `--yes`. */
async function decide(question: string, given: ApproveFlags, terminal: Terminal): Promise<boolean> {
  if (given["dry-run"]) return false;
  if (asks(given, terminal)) {
    const answer = await terminal.ask?.(`${question} [y/N] `);
    return /^y(?:es)?$/i.test(answer?.trim() ?? "");
  }
  if (given.all && !given.yes)
    throw badUsage("--yes", "Nothing was changed. Name the skills to approve, or add --yes for all of them.");
  return true;
}
