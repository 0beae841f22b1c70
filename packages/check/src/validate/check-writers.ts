import path from "node:path";
import type { Finding } from "#skills";
import { type OtherWriter, otherWriterAt } from "./other-writers.ts";

/** Finds out whether other users may change a skill, and with it what agents do. */
export async function checkWriters(realFile: string): Promise<readonly Finding[]> {
  for (const place of [path.dirname(realFile), realFile]) {
    const writer = await otherWriterAt(place);
    if (writer !== undefined)
      return [{ severity: "advice", rule: "other-writers", message: messageFor(place, writer) }];
  }
  return [];
}

function messageFor(place: string, writer: OtherWriter): string {
  switch (writer.who) {
    case "everyone":
      return `Every user of this machine may change the skill. Run \`chmod o-w '${place}'\`.`;
    case "group":
      return `Other users in the group ${writer.gid} may change the skill. If that is not intended, run \`chmod g-w '${place}'\`.`;
    default:
      return `'${place}' belongs to another user (uid ${writer.uid}), who may change the skill at any time. Serve a copy if you do not trust that user.`;
  }
}
