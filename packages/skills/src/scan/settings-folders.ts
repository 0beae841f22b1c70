import path from "node:path";
import type { FoundFile } from "./found-file.ts";
import type { Layout, Listing, SettingsKind } from "./listing.ts";

/** The folders of one scan in which hosts keep their settings of skills. */
export interface SettingsFolders {
  /** Called with every folder that was entered. */
  note(realDir: string, listing: Listing, isListed: boolean): void;
  /** The files with what lies beside them, and the places of all of it. */
  addedTo(files: FoundFile[]): { readonly files: FoundFile[]; readonly places: readonly string[] };
}

/** Found by the scan, which lists every folder anyway: a skill without such a folder costs no file call. */
export function createSettingsFolders({ settings }: Layout): SettingsFolders {
  if (settings === undefined) return { note: () => {}, addedTo: (files) => ({ files, places: [] }) };
  const { folder, file } = settings;
  const found = new Map<string, { readonly kind: SettingsKind | undefined; readonly isListed: boolean }>();
  return {
    note(realDir, listing, isListed) {
      if (realDir.endsWith(folder)) found.set(realDir, { kind: listing.settings, isListed });
    },
    addedTo(files) {
      if (found.size === 0) return { files, places: [] };
      const places: string[] = [];
      const added = files.map((each): FoundFile => {
        const place = each.realDir + path.sep + folder;
        const beside = found.get(place);
        if (beside === undefined) return each;
        places.push(place);
        const isListed = each.isListed || beside.isListed;
        if (beside.kind === undefined) return isListed === each.isListed ? each : { ...each, isListed };
        places.push(place + path.sep + file);
        return { ...each, isListed, settings: beside.kind };
      });
      return { files: added, places };
    },
  };
}
