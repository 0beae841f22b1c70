import type { Services } from "#server";
import { notServedAs } from "#skills";
import { count } from "./render/text.ts";

/**
 * What leaves none of the skills that were found, as a clause: a profile, or `--include` and `--exclude`. Undefined where a
 * skill is left, and where none was found.
 */
export async function nothingLeft({
  skills,
  checks,
}: Pick<Services, "skills" | "checks">): Promise<string | undefined> {
  const { catalog, library, notServed } = await skills.snapshot();
  if (catalog.entries.length + library.skills.size > 0) return undefined;
  const inForce = await checks.inForce();
  if (inForce !== undefined && inForce.leftOut > 0) {
    const names = inForce.profiles.map((name) => `'${name}'`).join(" and ");
    const which = inForce.profiles.length === 1 ? `profile ${names} leaves` : `profiles ${names} leave`;
    return `the ${which} none of ${count(inForce.leftOut, "skill")}`;
  }
  const filtered = notServedAs(notServed, "filtered").length;
  return filtered === 0 ? undefined : `--include and --exclude leave none of ${count(filtered, "skill")}`;
}
