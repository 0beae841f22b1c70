import { type ConfigProblem, FLAG_SETTINGS } from "#config";
import type { ServerPlan } from "#server";
import { selectTools } from "#server";
import { whyWithheld } from "#skills";
import { ownFolderIn } from "#util";
import { Refusal } from "#util/pure";
import type { ReadFlags } from "./file-flags.ts";
import { planServer, type ServeOptions } from "./plan-server.ts";
import type { SHARED_SERVER_FLAGS } from "./server-flags.ts";
import { disabledProblems } from "./settings-problems.ts";
import { homeFor, type ViewFlags } from "./shared-flags.ts";

type Read = ReadFlags<typeof SHARED_SERVER_FLAGS>;

/**
 * Plans a server on stdio, which an agent started: whatever is wrong in the settings files becomes a part of the plan. Flags that
 * are wrong on the command line are a `Refusal`.
 */
export function planDespiteProblems(read: Read, options: ServeOptions): ServerPlan {
  const { given }: { readonly given: Read["given"] & ViewFlags } = read;
  const ownFolder = ownFolderIn(homeFor(given["user-dir"]));
  const problems = problemsInForce([...read.problems, ...disabledProblems(ownFolder)], given);
  if (whyWithheld("skills", problems).length > 0) return withProblems(planNothing(read, options), problems);
  try {
    return withProblems(planServer(given, options, {}), problems);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return withoutFiles(read, options, problems, error);
  }
}

/** The problems of settings, and what they withhold with these flags: where a profile is chosen, it may be a wrong one. */
export function problemsInForce(
  problems: readonly ConfigProblem[],
  { profile, projectProfile }: Pick<ViewFlags, "profile" | "projectProfile">,
): readonly ConfigProblem[] {
  if ((profile ?? projectProfile) === undefined) return problems;
  return problems.map((problem) =>
    problem.withholds?.includes("profiles") === true ? { ...problem, withholds: ["skills"] } : problem,
  );
}

/** The plan without the file whose settings mean nothing, such as a profile that there is not. */
function withoutFiles(
  read: Read,
  options: ServeOptions,
  problems: readonly ConfigProblem[],
  refusal: Refusal,
): ServerPlan {
  const { detail, message } = refusal;
  const flag = detail.code === "bad-usage" ? detail.flag?.slice(2) : undefined;
  const key = FLAG_SETTINGS[flag ?? ""]?.key ?? "";
  const { withoutProject, ownPlace, written, given } = read;
  const attempts = [
    withoutProject && {
      plan: () => planServer(withoutProject.given, options, {}),
      problem: { place: withoutProject.placeOf(key), message: `${key}: ${message}` },
    },
    ownPlace && {
      // Profiles of the file that the command line names.
      plan: () => planServer({ ...written, ...profilesOf(given) }, options, {}),
      problem: { place: ownPlace(key), message: `${key}: ${message}`, withholds: ["skills"] as const },
    },
  ];
  for (const attempt of attempts) {
    try {
      if (attempt !== undefined) return withProblems(attempt.plan(), [...problems, attempt.problem]);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  throw refusal;
}

const profilesOf = ({ profiles }: ViewFlags) => (profiles === undefined ? {} : { profiles });

/** A plan of which nothing is served, so that no profile and no library need be known. */
function planNothing({ given, written }: Read, options: ServeOptions): ServerPlan {
  const none = { profile: undefined, projectProfile: undefined };
  try {
    return planServer({ ...given, ...none }, options, {});
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    selectTools(written.tools, options.defaultTools);
    return planServer({ ...written, ...none, tools: [] }, options, {});
  }
}

/** The plan of a server that tells what is wrong. */
export function withProblems(plan: ServerPlan, problems: readonly ConfigProblem[]): ServerPlan {
  if (problems.length === 0) return plan;
  const wrongSettings = { wrongSettings: problems };
  return {
    ...plan,
    app: { ...plan.app, ...wrongSettings },
    settings: { ...plan.settings, ...wrongSettings },
  };
}
