import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, expect, onTestFinished } from "vitest";
import { type Connection, type ConnectOptions, connect, type ProcessConnection } from "./client.ts";
import { connectInProcess } from "./in-process.ts";
import { type AtEnd, atEndOfGroup, createSandbox, DISK_FOLDER, type Sandbox } from "./sandbox.ts";

/** The files of a library, by their paths below it. */
export type LibraryFiles = Readonly<Record<string, string | Uint8Array>>;

/** A Markdown file with front matter; `fields` are lines of YAML below keywords and description. */
export function page(keywords: string, description: string, fields = "", body = "Text.\n"): string {
  return `---\nkeywords: [${keywords}]\ndescription: ${description}\n${fields === "" ? "" : `${fields}\n`}---\n\n${body}`;
}

export const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0x00]);

/** The library that the specification draws: four levels, a second branch, and a skill on its own. */
export const SAMPLE: LibraryFiles = {
  "_root.md": page(
    "global",
    "Rules for everything",
    "assets:\n  - file: assets/global.css\n    description: Global styles\n    type: style\nscripts:\n  - file: scripts/audit.sh\n    description: Checks anything\n    execution: server\n    args:\n      - name: target\n        description: What to check\n      - name: depth\n        required: false",
    "Global text.\n",
  ),
  "_root/assets/global.css": "body {}\n",
  "_root/scripts/audit.sh": 'echo "audit of $SKILL_ARG_TARGET"\n',
  "ui/_index.md": page(
    "ui, interface",
    "Rules for user interfaces",
    "assets:\n  - file: assets/design-tokens.json\n    description: Colours\n    type: config",
    "UI text.\n",
  ),
  "ui/_index/assets/design-tokens.json": '{"blue":"#00f"}\n',
  "ui/react/_index.md": page(
    "react, component, hooks, jsx, props",
    "Rules for React",
    "assets:\n  - file: assets/component-base.tsx.template\n    description: A component\n    type: template\n  - file: assets/hook.ts\n    description: A hook",
    "React text.\n",
  ),
  "ui/react/_index/assets/component-base.tsx.template": "the parent's component\n",
  "ui/react/_index/assets/hook.ts": "export {};\n",
  "ui/react/auth.md": page(
    "react, auth, component, login",
    "React authentication components and patterns",
    "priority: 100\nassets:\n  - file: assets/AuthProvider.tsx.template\n    description: A provider\n    type: template\n  - file: assets/component-base.tsx.template\n    description: Its own component\n    type: template\n  - file: assets/auth-flow.svg\n    description: The flow\n    type: image\nscripts:\n  - file: scripts/scaffold-auth.sh\n    description: Scaffolds it\n    args:\n      - name: name\n        description: The component\n  - file: scripts/validate-auth-config.sh\n    description: Checks the config\n    execution: server",
    "Auth text.\n",
  ),
  "ui/react/auth/assets/AuthProvider.tsx.template": "import React from 'react';\n",
  "ui/react/auth/assets/component-base.tsx.template": "the child's component\n",
  "ui/react/auth/assets/auth-flow.svg": "<svg/>",
  "ui/react/auth/scripts/scaffold-auth.sh": "echo scaffold\n",
  "ui/react/auth/scripts/validate-auth-config.sh": 'echo "Auth config is valid"\n',
  "api/auth.md": page("jwt, api, middleware", "API authentication with JWT middleware", "", "API text.\n"),
  "no-inherit.md": page(
    "standalone",
    "Inherits nothing",
    "inherit: false",
    "    indented code\n\nAlone.\n\n",
  ),
};

/** A skill `s` whose scripts the server runs, by their names. */
export function withScripts(scripts: Readonly<Record<string, string>>, config = ""): LibraryFiles {
  const declared = Object.keys(scripts).map((name) => `  - file: ${name}\n    execution: server`);
  return {
    "s.md": page("scripts", "Runs", `scripts:\n${declared.join("\n")}`),
    ...Object.fromEntries(Object.entries(scripts).map(([name, text]) => [`s/${name}`, text])),
    "config.yaml": config,
  };
}

/**
 * The processes of this machine whose environment holds a text: what is left of a script that was given it as an
 * argument. A sandbox has process ids of its own, so a script cannot say which they are.
 */
export function markedProcesses(mark: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").includes(mark);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** What a tool answered: the JSON of its text, which is checked to be its structured content too. */
export type Answer = Readonly<Record<string, unknown>> & {
  readonly error?: true;
  readonly message?: string;
};

/** Calls a library tool. Whatever it answers has the form that all of them share. */
export async function callLibrary(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  options: Parameters<Client["callTool"]>[1] = {},
): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args }, options);
  const content = result.content as readonly { readonly type: string; readonly text: string }[];
  expect(content.map(({ type }) => type)).toEqual(["text"]);
  const answer = JSON.parse(content[0]?.text ?? "") as Answer;
  expect(result.structuredContent).toEqual(answer);
  expect(result.isError === true).toBe(answer.error === true);
  if (answer.error === true) {
    expect(Object.keys(answer)).toEqual(["error", "message"]);
  }
  return answer;
}

/** A server over a library, with a client that is connected to it. */
export interface LibraryServer {
  readonly client: Client;
  readonly log: () => string;
  /** The library's own folder. */
  readonly dir: string;
  readonly call: (
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: Parameters<Client["callTool"]>[1],
  ) => Promise<Answer>;
}

export interface LibraryOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly era?: ConnectOptions["era"];
  readonly atEnd?: AtEnd;
}

/** Writes a library below a sandbox's project, beside whatever else is there. */
export function writeLibrary(sandbox: Sandbox, files: LibraryFiles, folder = "library"): string {
  for (const [file, content] of Object.entries(files))
    sandbox.write(path.join("project", folder, file), content);
  return sandbox.path("project", folder);
}

/** Serves a library for one test. */
export function serveLibrary(
  sandbox: Sandbox,
  files: LibraryFiles,
  options: LibraryOptions = {},
): Promise<LibraryServer & ProcessConnection> {
  return serveWith(connect, sandbox, files, options);
}

/** The same in this process, for tests of what it answers. */
export function serveLibraryInProcess(
  sandbox: Sandbox,
  files: LibraryFiles,
  options: LibraryOptions = {},
): Promise<LibraryServer & Connection> {
  return serveWith(connectInProcess, sandbox, files, options);
}

async function serveWith<T extends Connection>(
  open: (sandbox: Sandbox, options: ConnectOptions) => Promise<T>,
  sandbox: Sandbox,
  files: LibraryFiles,
  { env, args = ["mcp"], era = "2025-11-25", atEnd = onTestFinished }: LibraryOptions,
): Promise<LibraryServer & T> {
  mkdirSync(sandbox.path("project", "library"), { recursive: true });
  const dir = writeLibrary(sandbox, files);
  const connection = await open(sandbox, { era, args, env: { SKILLS_DIR: dir, ...env }, atEnd });
  return {
    ...connection,
    dir,
    call: (name, given, options) => callLibrary(connection.client, name, given, options),
  };
}

/** Serves one library to all tests of a `describe` that only read it. */
export function shareLibrary(
  files: LibraryFiles,
  env: Readonly<Record<string, string>> = {},
): () => LibraryServer {
  let shared: LibraryServer | undefined;
  const atEnd = atEndOfGroup();
  beforeAll(async () => {
    shared = await serveLibraryInProcess(createSandbox(DISK_FOLDER, atEnd), files, { env, atEnd });
  });
  return () => {
    if (shared === undefined) throw new Error("The library is served only while tests run.");
    return shared;
  };
}
