import path from "node:path";
import type { Snapshot } from "#skills";
import { isInside } from "#util";
import { Refusal } from "#util/pure";
import { createPublisher, type Publication } from "./create-publisher.ts";
import { type SiteChanges, writeSite } from "./write-site.ts";

export interface PublishedSite extends SiteChanges {
  /** Absolute. */
  readonly dir: string;
  readonly publication: Publication;
}

/** Publishes the skills of a snapshot into a folder. */
export async function publishSite(snapshot: Snapshot, dir: string): Promise<PublishedSite> {
  const root = snapshot.roots.find((each) => isInside(each.dir, dir));
  if (root !== undefined) {
    throw new Refusal(
      `${dir} lies in ${root.dir}, whose skills are served, so the copies would be served as well. Choose another folder with --dir.`,
      { code: "cannot-write", file: dir },
    );
  }
  const publication = await createPublisher().publicationOf(snapshot);
  if (publication.skills.length === 0) {
    const reasons = publication.left.map(({ name, reason }) => `${name}: ${reason}`);
    throw new Refusal(
      reasons.length === 0
        ? "There are no skills to publish. Run skills-mcp list to see what is found."
        : `No skill can be published. ${reasons.join("; ")}.`,
      { code: "cannot-write", file: dir },
    );
  }
  return { dir, publication, ...(await writeSite(publication, path.resolve(dir))) };
}
