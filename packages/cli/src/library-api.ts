import { movedFolders } from "#agents";
import { DEFAULT_TOOLS, type ServerPlan, withLibraryTools } from "#server";
import {
  type LibrarySkill,
  listBundledFiles,
  loadSkill,
  readDisabledByClient,
  readFileOfSkill,
  readLibraryText,
  resolvePlaces,
  type Snapshot,
} from "#skills";
import { hasLibrary } from "#sources";
import { NO_LOG, VERSION as OWN_VERSION } from "#util";
import { Refusal as OwnRefusal } from "#util/pure";
import type * as Public from "../library.d.ts";
import type { ListedSkill, SkillDocument, SkillsApp, SkillsLog, SkillsOptions } from "../library.d.ts";
import { type OpenedApp, openApp } from "./open-app.ts";
import { librarySkillJson, skillJson } from "./render/skill-json.ts";
import { libraryFolder } from "./shared-flags.ts";

// The package as a library: docs/how-to/program.md describes it, and library.d.ts has its types.

export const Refusal: typeof Public.Refusal = OwnRefusal;

export const VERSION: typeof Public.VERSION = OWN_VERSION;

export const createApp: typeof Public.createApp = (options = {}) => {
  const plan = planOf(options);
  const listeners = new Set<() => void>();
  const handlers: { close(): Promise<void> }[] = [];
  const opened = openFetched(plan, options.log, () => {
    for (const listener of listeners) listener();
  });
  // Each call of the app fails with the reason.
  opened.catch(() => {});
  const current = async (): Promise<Snapshot> => (await opened).services.skills.snapshot();

  const app: SkillsApp = {
    list: async () => listed(await current()),
    problems: async () => (await current()).diagnostics,
    async load(name) {
      const snapshot = await current();
      const librarySkill = snapshot.library.skills.get(name);
      if (librarySkill !== undefined) return libraryDocument(librarySkill);
      const { entry, text, fields, bodyStart } = await loadSkill(snapshot, name);
      return { ...skillJson(entry), text, body: text.slice(bodyStart), fields };
    },
    async files(name) {
      const snapshot = await current();
      if (snapshot.library.skills.has(name)) return { files: [], complete: true };
      return listBundledFiles((await loadSkill(snapshot, name)).entry.skill);
    },
    readFile: async (name, path) => (await readFileOfSkill(await current(), name, path)).bytes,
    search: async (task, limit = 10) => (await opened).services.search.search(task, limit),
    refresh: async () => listed(await (await opened).services.skills.refresh()),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async mcpHandler({ allowedHosts = [], allowedOrigins = [] } = {}) {
      const { services, git } = await opened;
      const { createMcpHandler } = await import("#server");
      const handler = createMcpHandler({
        services,
        settings: { ...plan.settings, log: options.log ?? NO_LOG },
        git: () => git?.states() ?? [],
        allowedHosts,
        allowedOrigins,
      });
      handlers.push(handler);
      return handler;
    },
  };
  return {
    app,
    async close() {
      await Promise.all(handlers.splice(0).map((handler) => handler.close()));
      await opened.then(
        ({ close }) => close(),
        () => {},
      );
    },
  };
};

/** Opens the skills, with what the repositories have. */
async function openFetched(
  plan: ServerPlan,
  log: SkillsLog = NO_LOG,
  onChange: () => void,
): Promise<OpenedApp> {
  const opened = await openApp(plan, log);
  try {
    const wrongSettings = await Promise.race([opened.git?.fetchMissing(), opened.broken]);
    if (wrongSettings instanceof OwnRefusal) throw wrongSettings;
  } catch (error) {
    await opened.close();
    throw error;
  }
  opened.services.skills.onChange(onChange);
  return opened;
}

function planOf(options: SkillsOptions): ServerPlan {
  const { skillDirs, scanDefaultDirs, skipPlugins, strict, lenient, include, exclude, ...others } = options;
  const { repos: own = [], log: _log, ...chosen } = others;
  const { home, ownFolder, resolve } = resolvePlaces(chosen);
  const folder = libraryFolder(options.library);
  const sources = {
    ...(folder === undefined ? {} : { library: resolve(folder) }),
    ...(own.length === 0 ? {} : { repos: { own, project: [] } }),
  };
  const tools = hasLibrary(sources, process.env)
    ? withLibraryTools(DEFAULT_TOOLS.loader)
    : DEFAULT_TOOLS.loader;
  return {
    home,
    ownFolder,
    app: {
      ...chosen,
      ...(options.userDir === undefined ? {} : { userDir: home }),
      ...sources,
      folders: {
        first: skillDirs ?? [],
        defaults: scanDefaultDirs ?? true,
        ...(options.userDir === undefined ? { moved: movedFolders(process.env) } : {}),
      },
      plugins: { skip: skipPlugins ?? false },
      reading: { strict: strict ?? false, lenient: lenient ?? false },
      filter: { include: include ?? [], exclude: exclude ?? [] },
      // As for any server over HTTP: scripts run in a sandbox, without access to the project.
      sandboxDefault: "required",
      remoteCallers: true,
    },
    settings: {
      tools,
      toolNames: "dotted",
      descriptionFormat: "xml",
      descriptionBudget: undefined,
      announcesChanges: options.watch === true || options.autoRefresh === true,
      cacheScope: "private",
      disabledByClient: () => readDisabledByClient(ownFolder),
    },
  };
}

function listed({ catalog, library }: Snapshot): readonly ListedSkill[] {
  return [
    ...catalog.entries.map((entry) => skillJson(entry)),
    ...[...library.skills.values()].map(librarySkillJson),
  ];
}

async function libraryDocument(skill: LibrarySkill): Promise<SkillDocument> {
  const read = await readLibraryText(skill);
  if (read.ok) return { ...librarySkillJson(skill), text: read.text, body: read.body, fields: read.fields };
  throw new OwnRefusal(
    `Library skill '${skill.path}' was found, but ${skill.file} cannot be served. ${read.failure.message}`,
    { code: "unreadable-skill", name: skill.path, file: skill.file },
  );
}
