// A new version: moves the "Unreleased" section of CHANGELOG.md to it, writes it to every file that names it, commits and tags. Pushes
// nothing: pushing the tag starts .github/workflows/release.yml, which publishes it.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../bootstrap.mjs";

const MANIFEST = "deploy/kubernetes/deployment.yaml";
const FILES = ["CHANGELOG.md", "package.json", "package-lock.json", "packages/util/src/version.ts", MANIFEST];
const UNRELEASED = "## Unreleased\n";

/** What CHANGELOG.md says of the current version. */
export function releaseNotes() {
  return sectionOf(read("CHANGELOG.md"), `## ${currentVersion()} `);
}

/** `wanted` is a step or a version. */
export function releaseVersion(wanted) {
  const current = currentVersion();
  const version = nextVersion(current, wanted);
  if (git("status", "--porcelain") !== "")
    throw new Error("the working tree has changes; commit or stash them first");
  const changelog = read("CHANGELOG.md");
  if (sectionOf(changelog, UNRELEASED) === "")
    throw new Error("CHANGELOG.md has nothing under 'Unreleased'; add what users can notice");
  const day = new Date().toISOString().slice(0, 10);
  write("CHANGELOG.md", changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} – ${day}\n`));
  for (const file of FILES.slice(1)) write(file, read(file).replace(`"${current}"`, `"${version}"`));
  // The lock file names the version twice: for the file, and for the package at its root.
  write(
    "package-lock.json",
    read("package-lock.json").replace(`"version": "${current}"`, `"version": "${version}"`),
  );
  write(MANIFEST, read(MANIFEST).replaceAll(`skills-mcp:${current}`, `skills-mcp:${version}`));
  git("commit", "--quiet", "--message", `Release ${version}`, "--", ...FILES);
  git("tag", "--annotate", `v${version}`, "--message", `Release ${version}`);
  console.log(`Release ${version} is committed and tagged. To publish it: git push --follow-tags`);
}

function currentVersion() {
  return JSON.parse(read("package.json")).version;
}

function nextVersion(from, step) {
  if (/^\d+\.\d+\.\d+$/.test(step)) return step;
  const at = ["major", "minor", "patch"].indexOf(step);
  if (at < 0) throw new Error("say which: patch, minor, major or a version such as 1.2.3");
  const numbers = from.split(".").map(Number);
  return numbers.map((number, index) => (index < at ? number : index === at ? number + 1 : 0)).join(".");
}

/** The text below a heading, up to the next one of its level. */
function sectionOf(text, heading) {
  const start = text.indexOf(heading);
  if (start < 0) return "";
  const [, ...lines] = text.slice(start).split("\n");
  const end = lines.findIndex((line) => line.startsWith("## "));
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .join("\n")
    .trim();
}

function git(...args) {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}

function read(file) {
  return readFileSync(path.join(root, file), "utf8");
}

function write(file, text) {
  writeFileSync(path.join(root, file), text);
}
