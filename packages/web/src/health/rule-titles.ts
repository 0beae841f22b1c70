const RULE_TITLES: Readonly<Record<string, string>> = {
  settings: "Wrong settings",
  "repository-failing": "Repository that cannot be fetched",
  "no-sandbox": "Scripts without a sandbox",
  "no-front-matter": "No front matter",
  "front-matter-unreadable": "Unreadable front matter",
  "front-matter-recovered": "Invalid YAML, recovered",
  "front-matter-unclosed": "Unclosed front matter",
  "front-matter-language": "Front matter is not YAML",
  "front-matter-too-long": "Front matter too long",
  "text-before-front-matter": "Text before the front matter",
  "missing-name": "Missing name",
  "missing-description": "Missing description",
  "missing-keywords": "Missing keywords",
  "name-replaced": "Name replaced",
  "hidden-characters": "Hidden characters",
  "takes-place": "Project skills that take the place of yours",
  "library-field": "Field of the wrong type",
  "not-utf8": "Not UTF-8",
  "not-a-file": "Not a regular file",
  "too-large": "File too large",
  unreadable: "Unreadable file",
  "root-missing": "Folder not found",
  "root-not-a-folder": "Not a folder",
  "outside-library": "Link out of the library",
  "hidden-skills": "Files that no skill serves",
  "scan-limit": "Scan limit reached",
  "plugins-file": "Unreadable plugin list",
  "plugin-entry": "Invalid plugin entry",
  "settings-file": "Unreadable settings file",
  "synonyms-file": "Invalid synonyms file",
  "broken-link": "Broken link",
  "refused-link": "Link into /proc, /sys or /dev",
  "both-enabled-and-disabled": "Both enabled and disabled",
  "file-name-case": "Wrong case in file name",
};

/** A title for each code of `doctor`; a rule of `validate` or the audit is called by its name. */
export function ruleTitle(rule: string): string {
  const words = rule.replaceAll("-", " ");
  return RULE_TITLES[rule] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
