// Under Wine, the root of Linux is the drive Z:.

/** An absolute path, alone or as the value of a flag; anything else stays. */
export function toWindows(text) {
  return text.replace(
    /^(--[\w-]+=)?(\/.*)$/s,
    (_, flag = "", path) => `${flag}Z:${path.replaceAll("/", "\\")}`,
  );
}

/** A message of a client, whose paths lie in the folder of a test. */
export function messageToWindows(line) {
  // Bytes that are no text stay what they are.
  if (!line.includes("skills-mcp-")) return line;
  return String(line)
    .replace(/(?<=")\/(?:[^"/]+\/)*skills-mcp-[^"]*(?=")/g, (path) =>
      JSON.stringify(toWindows(path)).slice(1, -1),
    )
    .replaceAll(/file:\/\/(?=\/[^"]*\/skills-mcp-)/g, "file:///Z:");
}

/**
 * The paths in a text as Linux would write them. JSON doubles each backslash, and JSON in JSON doubles it again, so all separators
 * of a path are as long as its first one; a shorter one begins an escape. A path ends before what no path of a test contains.
 */
export function toLinux(text) {
  return text
    .replaceAll("file:///Z:/", "file:///")
    .replace(OF_DRIVE, (_, separator, path) => `/${path.replaceAll(separator, "/")}`)
    .replace(RELATIVE, (_, start, separator, path) => `${start}/${path.replaceAll(separator, "/")}`)
    .replace(/^[^"\n]+/gm, (line) => line.replace(/(?<=[\w.~-])\\(?!u\{)(?=[\w.@-])/g, "/"));
}

const OF_DRIVE = /\bZ:(\\+|\/)((?:[^\s"'`<>|*?;,)\]\\/]+(?:\1|\/))*[^\s"'`<>|*?;,)\]\\/]*)/g;

/** In the home folder or a hidden folder. */
const RELATIVE = /(?<![\w\\/.])(~|\.[\w-]+)(\\+)(?!u\{)((?:[\w.@-]+\2)*[\w.@-]+)/g;

/** The environment that a user of Windows would have in the place of this one. */
export function windowsEnvironment(environment) {
  const { HOME, USERPROFILE = HOME, PATH = "", PWD: _, ...others } = environment;
  const home = toWindows(USERPROFILE ?? "");
  return {
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, listToWindows(value)])),
    USERPROFILE: home,
    APPDATA: `${home}\\AppData\\Roaming`,
    LOCALAPPDATA: `${home}\\AppData\\Local`,
    // Programs of Linux are none of Windows; those that a test makes are.
    Path: PATH.split(":")
      .filter((folder) => /\/skills-mcp-/.test(folder))
      .map(toWindows)
      .join(";"),
  };
}

/** A path, or several of them with the separator of Linux. */
function listToWindows(value) {
  const parts = value.split(":");
  return parts.every((part) => part.startsWith("/")) ? parts.map(toWindows).join(";") : value;
}

/** Calls back with the bytes of whole lines, and with the rest at the end. */
export function linesOf(onLine) {
  let rest = Buffer.alloc(0);
  return {
    write(piece) {
      rest = Buffer.concat([rest, piece]);
      const end = rest.lastIndexOf(10) + 1;
      if (end > 0) onLine(rest.subarray(0, end));
      rest = rest.subarray(end);
    },
    end: () => rest.length > 0 && onLine(rest),
  };
}
