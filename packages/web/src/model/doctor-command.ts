import type { ModelAnswer } from "#server/wire";
import { commandText } from "#util/pure";

/** The choices of this view, as its address has them. */
export interface ModelChoice {
  readonly client: string;
  /** Empty: the one that was last seen, else the newest. */
  readonly version: string;
  /** Empty: as the client was last seen. */
  readonly connection: "stdio" | "http" | "";
  readonly format: string;
  readonly budget: string;
  readonly native: boolean;
  /** Empty: whoever sees everything. */
  readonly profile: string;
}

const CONNECTIONS = ["stdio", "http"] as const;

export function readChoice(params: URLSearchParams): ModelChoice {
  return {
    client: params.get("client") || "claude-code",
    version: params.get("version") ?? "",
    connection: CONNECTIONS.find((each) => each === params.get("connection")) ?? "",
    format: params.get("format") ?? "",
    budget: params.get("budget") ?? "",
    native: params.get("native") === "1",
    profile: params.get("profile") ?? "",
  };
}

/** What prints the same in a terminal; undefined for a client of this server, whose flags nobody here knows. */
export function doctorCommand(
  { client, format, budget, native, profile }: ModelChoice,
  { version = "", connection }: Pick<ModelAnswer, "version" | "connection">,
): string | undefined {
  if (connection === "http") return undefined;
  return commandText([
    "doctor",
    "--client",
    version === "" ? client : `${client}@${version}`,
    ...(format === "" ? [] : ["--description", format]),
    ...(budget === "" ? [] : ["--description-budget", budget]),
    ...(native ? ["--include-native"] : []),
    ...(profile === "" ? [] : ["--profile", profile]),
  ]);
}

/** The slider is logarithmic, because 500 characters and 50,000 both matter. */
const SMALLEST = 200;
const LARGEST = 200_000;
export const STEPS = 200;

export function toBudget(step: number): number {
  return Math.round(SMALLEST * (LARGEST / SMALLEST) ** (step / STEPS));
}

export function toStep(budget: number): number {
  const bounded = Math.max(SMALLEST, Math.min(LARGEST, budget));
  return Math.round((STEPS * Math.log(bounded / SMALLEST)) / Math.log(LARGEST / SMALLEST));
}
