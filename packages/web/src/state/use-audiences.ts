import type { AudiencesAnswer } from "#server/wire";
import { useDashboard } from "./context.ts";
import { useResource } from "./use-resource.ts";

/** The agents and profiles that skills can be disabled for. */
export function useAudiences(): AudiencesAnswer | undefined {
  const { client, generation } = useDashboard();
  return useResource("audiences", generation, (signal) =>
    client.get<AudiencesAnswer>("audiences", {}, signal),
  ).value;
}
