import { useState } from "preact/hooks";
import type { SkillDetail, SkillFixAnswer } from "#server/wire";
import { messageOf } from "../api/client.ts";
import { useDashboard } from "../state/context.ts";

/** The whole text of a file, as it was and as it shall be. */
interface Edit {
  readonly before: string;
  readonly after: string;
}

/** Writes the file of a skill, with a way back. */
export function useSave({ file }: Pick<SkillDetail, "file">) {
  const { client, notify, reload, navigation } = useDashboard();
  const [isBusy, setBusy] = useState(false);
  return {
    isBusy,
    async save(done: string, edit: () => Promise<Edit>): Promise<void> {
      setBusy(true);
      try {
        await client.post<SkillFixAnswer>("skills/edit", { file, ...(await edit()) });
        // Its name may be another one now.
        navigation.change({ edit: undefined, open: undefined, file }, { replace: true });
        notify(done, {
          undo: async () => {
            await client.post("skills/fix/undo", { files: [file] });
            reload();
          },
        });
        reload();
      } catch (error) {
        notify(messageOf(error));
      } finally {
        setBusy(false);
      }
    },
  };
}
