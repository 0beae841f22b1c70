import type { ResourceTemplateType } from "@modelcontextprotocol/server";
import type { Snapshot } from "#skills";
import { MARKDOWN } from "./resource-uri.ts";

export const SKILL_TEMPLATE = "skill://{provider}/{name}/{+file}";
export const PLUGIN_TEMPLATE = "skill://claude-plugin/{plugin}/{name}/{+file}";
export const LIBRARY_TEMPLATE = "library://{+skill_path}";

/** The URI templates of all resources. */
export function resourceTemplates({ library }: Snapshot): ResourceTemplateType[] {
  const templates = [
    {
      uriTemplate: SKILL_TEMPLATE,
      name: "skill-file",
      title: "A file of a skill",
      description:
        "SKILL.md, or a file beside it; the provider is the agent whose folder contains the skill.",
    },
    {
      uriTemplate: PLUGIN_TEMPLATE,
      name: "plugin-skill-file",
      title: "A file of a plugin's skill",
      description: "SKILL.md, or a file beside it, of a skill from an installed plugin.",
    },
  ];
  if (library.skills.size === 0) return templates;
  return [
    ...templates,
    {
      uriTemplate: LIBRARY_TEMPLATE,
      name: "library-skill",
      title: "A skill of the library",
      description: "Its text with everything it inherits; or, below its path, one of its files.",
      mimeType: MARKDOWN,
    },
  ];
}
