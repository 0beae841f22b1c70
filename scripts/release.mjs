// Releases. Nothing is uploaded from here: .github/workflows/release.yml and docs/how-to/releasing.md say how that is done.
//   npm run release -- version patch              a new version: changelog, commit and tag (also minor, major or a version)
//   npm run release -- notes                      what CHANGELOG.md says of the current version
//   npm run release -- --name <package> --repository <url> [--out <dir>]
//                                                 writes everything that is uploaded to a folder, release/ unless named
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled, root } from "./bootstrap.mjs";
import { identityOf } from "./release/identity.mjs";
import { releaseNotes, releaseVersion } from "./release/version.mjs";

const USAGE = `Usage: npm run release -- --name <package> --repository <url> [--out <dir>]
       npm run release -- version patch|minor|major|<version>
       npm run release -- notes`;

try {
  await release(process.argv.slice(2));
} catch (error) {
  console.error(`release: ${error.message}\n${USAGE}`);
  process.exitCode = 1;
}

async function release(args) {
  const options = { name: { type: "string" }, repository: { type: "string" }, out: { type: "string" } };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [command, ...words] = positionals;
  if (command === "version") return releaseVersion(words[0] ?? "");
  if (command === "notes") return console.log(releaseNotes());
  if (command !== undefined) throw new Error(`there is no '${command}'`);
  const product = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const identity = identityOf({ ...values, product });
  ensureInstalled();
  const { writeRelease } = await import("./release/write-release.mjs");
  const folder = path.resolve(values.out ?? path.join(root, "release"));
  console.log(await writeRelease(product, identity, folder));
}
