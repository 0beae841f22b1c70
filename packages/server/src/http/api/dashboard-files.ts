import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { RequestHeaders } from "./api-request.ts";
import type { ApiResponse } from "./create-api.ts";

export interface DashboardFiles {
  /** These files contain no secrets and need no credentials. */
  has(path: string): boolean;
  answer(path: string, headers: RequestHeaders): ApiResponse;
}

/**
 * No third-party content, nothing inline, no eval, and HTML only from DOMPurify. Image previews are blobs.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types dompurify",
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
} as const;

/** The file types that the build writes. Files of skills are not served here. */
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** Beside the bundle, or in `dist/` when run from source. */
export function dashboardFolder(): string | undefined {
  const here = path.dirname(fileURLToPath(import.meta.url));
  return ["web", "../../../../../dist/web"]
    .map((relative) => path.join(here, relative))
    .find((folder) => existsSync(path.join(folder, "index.html")));
}

/**
 * Serves exactly the files that are there now, each in the smallest encoding that the client accepts. They are read once: an upgrade
 * under a running server replaces them by files with other names, and the page that names the old ones, like the API that it was
 * written for, is this server's until it restarts.
 */
export async function createDashboardFiles(
  folder: string,
  { asksForToken = false }: { readonly asksForToken?: boolean } = {},
): Promise<DashboardFiles> {
  const files = await readAll(folder);
  if (asksForToken) askForToken(files);
  const nameOf = (wanted: string): string | undefined => {
    const name = wanted === "/" ? "index.html" : wanted.slice(1);
    return files.has(name) && TYPES[path.extname(name)] !== undefined ? name : undefined;
  };
  return {
    has: (wanted) => nameOf(wanted) !== undefined,
    answer(wanted, headers) {
      const name = nameOf(wanted);
      if (name === undefined) return { status: 404, headers: HEADERS, body: "" };
      const accepted = String(headers["accept-encoding"] ?? "");
      const [encoding, suffix = ""] =
        ENCODINGS.find(
          ([word, ending]) => new RegExp(`\\b${word}\\b`).test(accepted) && files.has(name + ending),
        ) ?? [];
      return {
        status: 200,
        headers: {
          ...HEADERS,
          "content-type": TYPES[path.extname(name)] ?? "",
          // All names but the page's own contain a hash of the content.
          "cache-control": name === "index.html" ? "no-cache" : "public, max-age=31536000, immutable",
          vary: "Accept-Encoding",
          ...(encoding === undefined ? {} : { "content-encoding": encoding }),
        },
        body: files.get(name + suffix) ?? "",
      };
    },
  };
}

/** Says in the page itself that nothing is answered without a token, so that it need not try. */
function askForToken(files: Map<string, Uint8Array>): void {
  const page = new TextDecoder().decode(files.get("index.html"));
  files.set("index.html", new TextEncoder().encode(page.replace("<html ", "<html data-sign-in ")));
  for (const [, ending] of ENCODINGS) files.delete(`index.html${ending}`);
}

async function readAll(folder: string): Promise<Map<string, Uint8Array>> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))] as const)),
  );
}
