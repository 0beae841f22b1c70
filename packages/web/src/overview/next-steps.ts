import type { OverviewAnswer, ProblemsAnswer, UsageAnswer } from "#server/wire";
import { hasUsage } from "#server/wire";
import type { IconName } from "../icons/paths.ts";
import { count } from "../parts/format.ts";
import { routeHash } from "../state/route.ts";

export interface NextStep {
  readonly icon: IconName;
  readonly tone: "bad" | "warn" | "accent";
  readonly title: string;
  readonly why: string;
  /** Where it is done; absent: in the dialog that connects a client. */
  readonly href?: string;
}

export interface Known {
  readonly overview: OverviewAnswer;
  readonly counts: ProblemsAnswer["counts"] | undefined;
  readonly usage: UsageAnswer | undefined;
  /** Skills that wait for approval. */
  readonly waiting: number;
  /** Installed skills with a newer version, since the last check; undefined: nobody has checked. */
  readonly outdated: number | undefined;
}

const MOST_STEPS = 5;
/** A task that was searched for once may have been a slip. */
const OFTEN = 2;

/** What is worth doing now, the most urgent first; nothing when all is well. */
export function nextSteps({ overview, counts, usage, waiting, outdated = 0 }: Known): readonly NextStep[] {
  const failing = overview.repositories.filter(({ isFailing }) => isFailing);
  const missing = usage?.noMatch.find((search) => search.count >= OFTEN);
  const steps: readonly (NextStep | false | undefined)[] = [
    counts !== undefined &&
      counts.error > 0 && {
        icon: "alert",
        tone: "bad",
        title: `Fix ${count(counts.error, "error")}`,
        why: "Agents can't use these skills until they're fixed.",
        href: routeHash("health", { severity: "error" }),
      },
    failing.length > 0 && {
      icon: "sources",
      tone: "bad",
      title: `${failing.map(({ name }) => name).join(", ")} cannot be fetched`,
      why: "Agents get the last version that arrived.",
      href: routeHash("sources"),
    },
    isUnused({ overview, usage }) && {
      icon: "plug",
      tone: "accent",
      title: "Connect an agent",
      why: "Nobody uses these skills yet.",
    },
    waiting > 0 && {
      icon: "shield",
      tone: "warn",
      title: `Review ${count(waiting, "skill")}`,
      why: "New skills are not served until they are approved; of changed ones, agents get the approved version.",
      href: routeHash("review"),
    },
    outdated > 0 && {
      icon: "download",
      tone: "accent",
      title: `Update ${count(outdated, "skill")}`,
      why: "Their sources have newer versions.",
      href: routeHash("sources"),
    },
    missing !== undefined && {
      icon: "edit",
      tone: "accent",
      title: `Write a skill for “${missing.query}”`,
      why: `Agents searched for it ${missing.count} times in 30 days and found nothing.`,
      href: routeHash("usage"),
    },
    counts !== undefined &&
      counts.error === 0 &&
      counts.warning > 0 && {
        icon: "alert",
        tone: "warn",
        title: `Look at ${count(counts.warning, "warning")}`,
        why: "These skills are served, but something in them should be fixed.",
        href: routeHash("health", { severity: "warning" }),
      },
  ];
  return steps.filter((step): step is NextStep => step !== false && step !== undefined).slice(0, MOST_STEPS);
}

/** Whether no agent has used a skill, and none is in sight. */
export function isUnused({ overview, usage }: Pick<Known, "overview" | "usage">): boolean {
  return !isConnected(overview) && usage !== undefined && !hasUsage(usage);
}

/** Whether nothing but bundled examples is served: they are there to be looked at. */
export function hasOnlyExamples({ skills, examples }: OverviewAnswer): boolean {
  return examples > 0 && skills === examples;
}

/** Whether any agent uses this server, or is set up to start one. */
export function isConnected({ agents, configured = [] }: OverviewAnswer): boolean {
  return agents.length > 0 || configured.some((client) => client.isConnected);
}
