import type { Catalog } from "../../catalog/catalog.ts";
import { type Description, fitDescription } from "../../catalog/describe/fit-description.ts";
import { listFormat, xmlFormat } from "../../catalog/describe/formats.ts";

/** The skills as the `skill` tool describes them to one kind of client. */
export type DescribedSkills = Description;

interface DescribeRequest {
  readonly format: "xml" | "list";
  readonly budget: number;
  readonly finder: boolean;
}

/**
 * Caches the description of a catalog for each kind of client. Keyed weakly, so a replaced catalog takes its
 * descriptions with it.
 */
export function createDescriber(): (catalog: Catalog, request: DescribeRequest) => DescribedSkills {
  const written = new WeakMap<Catalog, Map<string, DescribedSkills>>();
  return (catalog, { format, budget, finder }) => {
    const key = `${format} ${budget} ${finder}`;
    const known = written.get(catalog) ?? new Map<string, DescribedSkills>();
    written.set(catalog, known);
    const existing = known.get(key);
    if (existing !== undefined) return existing;
    const fresh = fitDescription(catalog.entries, {
      format: format === "xml" ? xmlFormat : listFormat,
      budget,
      finder,
    });
    known.set(key, fresh);
    return fresh;
  };
}
