import type { Layout } from "../scan/listing.ts";
import { POLICY_FILE, POLICY_FOLDER } from "../skill/codex-policy.ts";

/** Agent Skills: a folder with a `SKILL.md` in any case, or `.SKILL.md`, its name while the skill is disabled. */
export const SKILL_FOLDERS: Layout = {
  isSkillFile: (name) =>
    (name.length === 8 || (name.length === 9 && name.startsWith("."))) &&
    name.toLowerCase().endsWith("skill.md"),
  settings: { folder: POLICY_FOLDER, file: POLICY_FILE },
};

/**
 * A library: every `.md` file is a skill, and `auth/` beside `auth.md` holds its assets and scripts. Hidden files and folders, such
 * as those of an editor or a git server, are not part of it.
 */
export const LIBRARY: Layout = {
  isSkillFile: (name) => name.endsWith(".md") && !name.startsWith("."),
  skipsHiddenFolders: true,
  companions: { of: (fileName) => fileName.slice(0, -3), always: ["_index", "_root"] },
};
