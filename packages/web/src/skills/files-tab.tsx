import { useEffect, useState } from "preact/hooks";
import type { SkillDetail } from "#server/wire";
import { CodeView } from "../parts/code-view.tsx";
import { bytes } from "../parts/format.ts";
import { Failure, Loading } from "../parts/notice.tsx";
import { useDashboard } from "../state/context.ts";
import { useResource } from "../state/use-resource.ts";

export function FilesTab({ detail }: { readonly detail: SkillDetail }) {
  const { navigation } = useDashboard();
  const chosen = navigation.route.params.get("path");
  const { files, filesCut } = detail;
  return (
    <div class="files">
      <ul>
        {files.map((file) => (
          <li key={file.path}>
            <button
              type="button"
              class="file"
              aria-current={file.path === chosen}
              onClick={() => navigation.change({ path: file.path }, { replace: true })}
            >
              <span class="path">{file.path}</span>
              <span class="muted">{file.bytes === undefined ? "" : bytes(file.bytes)}</span>
            </button>
            <FileNote file={file} />
          </li>
        ))}
      </ul>
      {filesCut ? <p class="muted">The list is truncated: the skill has more files.</p> : null}
      {chosen === null ? null : <FilePreview detail={detail} path={chosen} />}
    </div>
  );
}

function FileNote({ file }: { readonly file: SkillDetail["files"][number] }) {
  const { kind, description, from, network, problem } = file;
  if (problem !== undefined) return <p class="problem">{problem}</p>;
  const reach = network === true ? "needs the network" : undefined;
  const parts = [kind, reach, from === undefined ? undefined : `from ${from}`, description].filter(
    (part) => part !== undefined && part !== "",
  );
  return parts.length === 0 ? null : <p class="muted">{parts.join(" · ")}</p>;
}

type Shown =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly blob: Blob };

function FilePreview({ detail, path }: { readonly detail: SkillDetail; readonly path: string }) {
  const { client, generation } = useDashboard();
  const params = { file: detail.file, path };
  const preview = useResource(JSON.stringify(params), generation, async (signal): Promise<Shown> => {
    const blob = await client.getBlob("file", params, signal);
    if (blob.type.startsWith("image/")) return { kind: "image", blob };
    return JSON.parse(await blob.text()) as Shown;
  });
  if (preview.error !== undefined) return <Failure error={preview.error} />;
  if (preview.value === undefined) return <Loading what={path} />;
  return preview.value.kind === "text" ? (
    <CodeView text={preview.value.text} label={`Preview of ${path}`} />
  ) : (
    <Picture blob={preview.value.blob} path={path} />
  );
}

function Picture({ blob, path }: { readonly blob: Blob; readonly path: string }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const fresh = URL.createObjectURL(blob);
    setUrl(fresh);
    return () => URL.revokeObjectURL(fresh);
  }, [blob]);
  return url === undefined ? null : <img class="preview" src={url} alt={path} />;
}
