const MOST_HOPS = 40;

/**
 * Where a link of a tree leads, with every link on the way followed as the system would, or undefined if that is outside the
 * tree or a circle. Comparing texts is not enough: `deep/link/../..` looks inside and is not when `deep/link` leads up.
 */
export function followLink(path: string, links: ReadonlyMap<string, string>): string | undefined {
  const done: string[] = [];
  const open = path.split("/").reverse();
  for (let hops = 0; open.length > 0; ) {
    const part = open.pop() ?? "";
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (done.pop() === undefined) return undefined;
      continue;
    }
    done.push(part);
    const target = links.get(done.join("/"));
    if (target === undefined) continue;
    if (++hops > MOST_HOPS || target === "" || isAbsolute(target)) return undefined;
    done.pop();
    open.push(...target.split("/").reverse());
  }
  return done.join("/");
}

const isAbsolute = (target: string): boolean => /^[/\\]|^[a-z]:|[\u0000\\]/i.test(target);
