import path from "node:path";
import { publishSite } from "#install";
import { defineCommand, printJson } from "../command.ts";
import { badUsage, flag } from "../flags.ts";
import { withSkillView } from "../open-view.ts";
import { renderTable, section } from "../render/layout.ts";
import { count, type Look, printable, sizeOf } from "../render/text.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";

type Site = Awaited<ReturnType<typeof publishSite>>;

/** Progress is shown once the export takes longer than this. */
const SLOW_MS = 1_000;

/** `skills-mcp publish --dir <out>`: what a server offers to installers, as files for any web server. */
export const command = defineCommand({
  name: "publish",
  usage: "--dir <dir>",
  summary: "export all skills as static files that installers can download",
  order: 200,
  bundle: "manage",
  flags: {
    dir: flag.text("<dir>", "folder of the web site; other files in it are kept"),
    ...JSON_FLAG,
    ...VIEW_FLAGS,
  },
  takes: "none",
  async run({ given, terminal, log }) {
    const { dir } = given;
    if (dir === undefined) {
      throw badUsage("--dir", "publish needs the folder of a web site: skills-mcp publish --dir <dir>.");
    }
    const site = await withSkillView(given, log, async (_app, snapshot) => {
      const skills = snapshot.catalog.entries.length;
      const slow = setTimeout(() => log.info(`publishing ${count(skills, "skill")} …`), SLOW_MS);
      try {
        return await publishSite(snapshot, path.resolve(dir));
      } finally {
        clearTimeout(slow);
      }
    });
    if (given.json) printJson(terminal, siteJson(site));
    else terminal.print(renderSite(site, terminal));
    return 0;
  },
});

function siteJson({ dir, publication, written, unchanged, removed, kept }: Site) {
  const skills = publication.skills.map(({ name, skill, artifact: { type, digest, size, files } }) => {
    return { name, type, digest, size, files: files.map(({ path: file }) => file), from: skill.dir };
  });
  return { dir, skills, notPublished: publication.left, written, unchanged, removed, kept };
}

function renderSite(site: Site, { width, style }: Look): string {
  const { dir, publication, folders, written, unchanged, removed, kept } = site;
  const { skills, left } = publication;
  const rows = skills.map(({ name, download, artifact: { size, files } }) => {
    return [name, count(files.length, "file"), sizeOf(size), download];
  });
  const columns = [
    { title: "SKILL" },
    { title: "FILES" },
    { title: "SIZE" },
    { title: "DOWNLOAD", least: 20 },
  ];
  const lines = [
    ...renderTable(columns, rows, width, style.dim),
    "",
    printable(`Published ${count(skills.length, "skill")} in ${dir}: ${folders.join("/ and ")}/.`),
    `${count(written.length, "file")} written, ${unchanged} unchanged, ${removed.length} removed.`,
    ...section("Removed, because they are no longer published", removed, printable),
    ...section("Changed by someone since they were published, so they stay", kept, printable),
    ...section("Not published", left, ({ name, reason }) => style.yellow(printable(`${name}: ${reason}`))),
    "",
    style.dim("Put the folder on a web server; `npx skills add <its address>` then installs the skills."),
  ];
  return `${lines.join("\n")}\n`;
}
