import path from "node:path";
import { type MovedFolders, userFolder } from "./moved-folders.ts";

/** How an agent keeps the plugins that it installed. */
export interface PluginKind {
  readonly provider: string;
  /** The folders on the way to a plugin. Of several versions one is served. */
  readonly levels: readonly ("marketplace" | "plugin" | "version")[];
  /** Where a plugin's manifest may be, first one first. */
  readonly manifests: readonly string[];
  /** A folder without a manifest is no plugin. */
  readonly needsManifest?: true;
  /** The manifest may name other folders of skills than `skills`. */
  readonly namesFolders?: true;
  /** The manifest's name counts, not the folder's. */
  readonly namedByManifest?: true;
}

/** A folder of plugins. */
export interface PluginFolder {
  readonly kind: PluginKind;
  readonly dir: string;
  /** The agent's file that can disable plugins, for all or only for some working directories. */
  readonly settings?: { readonly file: string; readonly cwd: string };
}

// Source: core-plugins/src/store.rs and manifest.rs of openai/codex.
const CODEX: PluginKind = {
  provider: "codex",
  levels: ["marketplace", "plugin", "version"],
  manifests: [".codex-plugin/plugin.json", ".claude-plugin/plugin.json", "plugin.json"],
  namesFolders: true,
};

// Source: "GitHub Copilot CLI plugin reference".
const COPILOT: PluginKind = {
  provider: "copilot",
  levels: ["marketplace", "plugin"],
  manifests: [
    ".plugin/plugin.json",
    "plugin.json",
    ".github/plugin/plugin.json",
    ".claude-plugin/plugin.json",
  ],
  namesFolders: true,
};

// Source: docs/extensions/reference.md of google-gemini/gemini-cli.
const GEMINI: PluginKind = {
  provider: "gemini",
  levels: ["plugin"],
  manifests: ["gemini-extension.json"],
  namedByManifest: true,
};

// Source: Agent Plugins Specification 1.0.0, §4 to §7.1.
export const AGENT_PLUGINS: PluginKind = {
  provider: "agents",
  levels: ["plugin"],
  manifests: ["plugin.json"],
  needsManifest: true,
  namedByManifest: true,
};

interface PluginPlaces {
  readonly cwd: string;
  readonly projects: readonly string[];
  readonly home: string;
  readonly moved: MovedFolders;
}

/** Where plugins lie, highest priority first; Claude's have a list of their own. */
export function planPluginFolders({ cwd, projects, home, moved }: PluginPlaces): readonly PluginFolder[] {
  const ofUser = (folder: string): string => userFolder(folder, home, moved);
  const settings = (folder: string) => ({ file: ofUser(folder), cwd });
  const agents = [...projects.map((dir) => path.join(dir, ".agents/plugins")), ofUser(".agents/plugins")];
  return [
    ...[...new Set(agents)].map((dir) => ({ kind: AGENT_PLUGINS, dir })),
    { kind: CODEX, dir: ofUser(".codex/plugins/cache"), settings: settings(".codex/config.toml") },
    { kind: COPILOT, dir: ofUser(".copilot/installed-plugins") },
    {
      kind: GEMINI,
      dir: ofUser(".gemini/extensions"),
      settings: settings(".gemini/extensions/extension-enablement.json"),
    },
  ];
}

/** A marketplace that is none: Copilot's plugins without one lie here, in folders named after their source. */
export const NO_MARKETPLACE = "_direct";

/** The version that Codex loads: `local`, else the highest one; those that are no versions compare as text. */
export function activeVersion(versions: readonly string[]): string | undefined {
  const usable = versions.filter((version) => /^[\w.+-]+$/.test(version));
  return usable.includes("local") ? "local" : usable.toSorted(compareVersions).at(-1);
}

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?(?:\+[\w.-]+)?$/;

function compareVersions(a: string, b: string): number {
  const left = VERSION.exec(a);
  const right = VERSION.exec(b);
  if (left === null || right === null) return compareText(a, b);
  for (const part of [1, 2, 3]) {
    const difference = Number(left[part]) - Number(right[part]);
    if (difference !== 0) return difference;
  }
  return comparePrerelease(left[4], right[4]);
}

/** A version without a pre-release is the higher one; numbers in it compare as numbers and rank below words. */
function comparePrerelease(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const [left, right] = [a.split("."), b.split(".")];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const [x = "", y = ""] = [left[index], right[index]];
    const [isNumber, isOther] = [/^\d+$/.test(x), /^\d+$/.test(y)];
    if (isNumber !== isOther) return isNumber ? -1 : 1;
    const difference = isNumber ? Number(x) - Number(y) : compareText(x, y);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
