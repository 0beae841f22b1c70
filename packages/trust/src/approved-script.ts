import path from "node:path";
import type { FoundDeclaration } from "#library";
import { Refusal } from "#util/pure";
import { openApprovedCopies } from "./approved/approved-copies.ts";

/** Refuses bytes, read from a script of an approved skill in order to run them, that are not those that were approved. */
export async function refuseUnapproved(
  found: FoundDeclaration,
  bytes: Uint8Array,
  ownFolder: string,
): Promise<void> {
  const { skill, declaration } = found;
  if (skill.approved === undefined) return;
  const content = await openApprovedCopies(ownFolder).load(skill.approved);
  const folder = path.posix.basename(skill.filePath).replace(/\.md$/, "");
  const approved = content?.get(path.posix.join(folder, declaration.file))?.bytes;
  if (approved?.equals(bytes) === true) return;
  throw notApproved(
    `The script "${declaration.file}" of "${skill.path}" is not what was approved`,
    skill.path,
  );
}

function notApproved(what: string, name: string): Refusal {
  return new Refusal(`${what}. To approve it, run: skills-mcp approve ${name}`, {
    code: "library",
    reason: "not-approved",
  });
}
