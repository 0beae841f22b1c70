// Writes everything that a release uploads to a folder, and uploads nothing. The program is what `npm pack` packs, once: the bundle and the
// plugins have the same files.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { ensureBuilt, root, run } from "../bootstrap.mjs";
import { installTools } from "../install-tools.mjs";
import { chartFiles } from "./chart.mjs";
import {
  bundleManifest,
  labelledDockerfile,
  PRODUCT,
  pluginFiles,
  publishedPackage,
  publishedSbom,
  serverJson,
} from "./manifests.mjs";
import { installText, uploadText } from "./texts.mjs";

const MCPB = { "@anthropic-ai/mcpb": "2.1.2" };
const SBOM = "dist/sbom.cdx.json";

/** The program that validates, packs and unpacks `.mcpb` bundles. */
export function runMcpb(...args) {
  const cli = path.join(installTools("mcpb", MCPB), "@anthropic-ai/mcpb/dist/cli/cli.js");
  execFileSync(process.execPath, [cli, ...args], { stdio: ["ignore", "ignore", "inherit"] });
}

/** Returns what to upload where. `product` is package.json; `folder` is emptied first, if an earlier release wrote it. */
export async function writeRelease(product, identity, folder) {
  emptyFolder(folder);
  ensureBuilt();
  const scratch = mkdtempSync(path.join(tmpdir(), "skills-mcp-release-"));
  try {
    const program = path.join(scratch, "program");
    stage(program, product, identity);
    const tarball = path.join(folder, `${PRODUCT}-${identity.version}.tgz`);
    npmPack(program, tarball);
    const put = (file, content) => write(path.join(folder, file), content);
    put("server.json", json(serverJson(identity)));
    put(`${PRODUCT}-${identity.version}.sbom.cdx.json`, readFileSync(path.join(program, SBOM)));
    for (const schema of readdirSync(path.join(program, "dist/schemas")))
      put(schema, readFileSync(path.join(program, "dist/schemas", schema)));
    put("Dockerfile", labelledDockerfile(read("Dockerfile"), identity, revision()));
    put("install.md", installText(identity));

    const bundle = path.join(scratch, "bundle");
    cpSync(program, bundle, { recursive: true });
    write(path.join(bundle, "manifest.json"), json(bundleManifest(identity)));
    runMcpb("validate", path.join(bundle, "manifest.json"));
    runMcpb("pack", bundle, path.join(folder, `${PRODUCT}-${identity.version}.mcpb`));

    cpSync(program, path.join(folder, "plugins", PRODUCT), { recursive: true });
    for (const [file, content] of Object.entries(pluginFiles(identity)))
      put(path.join("plugins", file), json(content));
    put("plugins/README.md", installText(identity));
    put("plugins/LICENSE", read("LICENSE"));

    const manifests = Object.fromEntries(
      readdirSync(path.join(root, "deploy/kubernetes")).map((file) => [
        file,
        read(`deploy/kubernetes/${file}`),
      ]),
    );
    put(`${PRODUCT}-chart-${identity.version}.tgz`, await chartArchive(chartFiles(manifests, identity)));

    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    put("SHA256SUMS", sums(folder));
    const names = [...files.map(({ name: file }) => file), "SHA256SUMS"];
    return uploadText(identity, {
      tarball,
      files: names.filter((file) => file !== "install.md").sort(),
      folder,
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A folder with any file that no release wrote is not ours to empty. */
function emptyFolder(folder) {
  const sumsFile = path.join(folder, "SHA256SUMS");
  const known = existsSync(sumsFile)
    ? readFileSync(sumsFile, "utf8")
        .split("\n")
        .map((line) => line.slice(66))
    : [];
  const stranger = filesIn(folder).find((file) => file !== "SHA256SUMS" && !known.includes(file));
  if (stranger !== undefined)
    throw new Error(`${folder} has ${stranger}, which no release wrote; name another folder with --out`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

/** Relative, with slashes, in order. */
function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort();
}

/** The files of the package, with the package.json and the SBOM of the one who publishes it. */
function stage(folder, product, identity) {
  for (const file of [...product.files, "README.md", "LICENSE"])
    cpSync(path.join(root, file), path.join(folder, file), { recursive: true });
  write(path.join(folder, "package.json"), json(publishedPackage(product, identity)));
  const sbom = path.join(folder, SBOM);
  write(sbom, json(publishedSbom(JSON.parse(readFileSync(sbom, "utf8")), identity)));
}

/** npm calls the file by the name of the package, which may have a scope; here it is called like the others. */
function npmPack(folder, tarball) {
  const destination = mkdtempSync(path.join(path.dirname(folder), "packed-"));
  run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", destination], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [packed] = readdirSync(destination);
  cpSync(path.join(destination, packed), tarball);
}

/** A chart is a folder of its own name, in a tar with gzip. It has no times, so that the same files give the same archive. */
async function chartArchive(files) {
  const entries = Object.entries(files).map(([file, body]) => ({
    header: { name: `${PRODUCT}/${file}`, size: Buffer.byteLength(body), mtime: new Date(0), mode: 0o644 },
    body,
  }));
  return gzipSync(await packTar(entries));
}

/** As `sha256sum` writes and checks it. */
function sums(folder) {
  return filesIn(folder)
    .map((file) => {
      const digest = createHash("sha256").update(readFileSync(path.join(folder, file)));
      return `${digest.digest("hex")}  ${file}\n`;
    })
    .join("");
}

function revision() {
  return execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function read(file) {
  return readFileSync(path.join(root, file), "utf8");
}

function write(file, content) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}
