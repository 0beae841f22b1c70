import { createHash } from "node:crypto";
import type { ContentFile, SkillContent } from "#skills";

/** The hash that the `skills` tool writes to a project's lock, also of the order of its files. */
export function computedHash(content: SkillContent): string {
  const hash = createHash("sha256");
  const plain = [...content.keys()].filter((name) => content.get(name)?.isLinked !== true);
  // That tool leaves links out. A skill of links alone would have the hash of nothing, which says nothing.
  const names = plain.length === 0 ? [...content.keys()] : plain;
  for (const name of names.sort((a, b) => a.localeCompare(b))) {
    hash.update(name);
    hash.update(content.get(name)?.bytes ?? "");
  }
  return hash.digest("hex");
}

/** The hash of git's tree, which the `skills` tool compares with what GitHub tells; undefined if it cannot be known. */
export function gitTreeHash(content: SkillContent): string | undefined {
  if ([...content.values()].some(({ isLinked }) => isLinked === true)) return undefined;
  const treeOf = (files: readonly (readonly [string, ContentFile])[]): Buffer => {
    const below = new Map<string, [string, ContentFile][]>();
    const entries: { readonly name: string; readonly mode: string; readonly id: Buffer }[] = [];
    for (const [name, file] of files) {
      const slash = name.indexOf("/");
      if (slash < 0) {
        const mode = file.isExecutable ? "100755" : "100644";
        entries.push({ name, mode, id: gitObject("blob", file.bytes) });
      } else {
        const folder = name.slice(0, slash);
        below.set(folder, [...(below.get(folder) ?? []), [name.slice(slash + 1), file]]);
      }
    }
    for (const [name, inside] of below) entries.push({ name, mode: "40000", id: treeOf(inside) });
    // Git sorts a folder as if its name ended with a slash.
    const key = ({ name, mode }: (typeof entries)[number]) =>
      Buffer.from(mode === "40000" ? `${name}/` : name);
    entries.sort((a, b) => Buffer.compare(key(a), key(b)));
    const lines = entries.map(({ name, mode, id }) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), id]));
    return gitObject("tree", Buffer.concat(lines));
  };
  return treeOf([...content]).toString("hex");
}

function gitObject(kind: "blob" | "tree", bytes: Buffer): Buffer {
  return createHash("sha1").update(`${kind} ${bytes.length}\0`).update(bytes).digest();
}
