// Reads a Dockerfile as far as ours goes: instructions with flags, continued lines, comments and JSON lists.

/** The stages, each with its base, its name and its instructions in order. */
export function parseDockerfile(text) {
  const stages = [];
  for (const { instruction, rest } of instructionsIn(text)) {
    if (instruction === "FROM") {
      const [, base, name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? [];
      if (base === undefined) throw new Error(`Dockerfile: cannot read FROM ${rest}`);
      stages.push({ base, name: name ?? String(stages.length), steps: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`Dockerfile: ${instruction} before FROM`);
    stage.steps.push({ instruction, ...flagsIn(rest) });
  }
  return stages;
}

function* instructionsIn(text) {
  const lines = text.split("\n").filter((line) => !/^\s*#/.test(line));
  for (let at = 0; at < lines.length; at++) {
    let line = lines[at];
    while (line.endsWith("\\")) line = `${line.slice(0, -1)}${lines[++at] ?? ""}`;
    const [, instruction, rest] = /^([A-Z]+)\s+([^]*)$/.exec(line) ?? [];
    if (instruction !== undefined) yield { instruction, rest: rest.trim() };
    else if (line.trim() !== "") throw new Error(`Dockerfile: cannot read '${line}'`);
  }
}

/** `--from=build /a /b` as its flags and what follows; a JSON list is a list. */
function flagsIn(text) {
  const flags = {};
  let rest = text;
  for (let found; (found = /^--(\w[\w-]*)=(\S+)\s+/.exec(rest)) !== null; ) {
    flags[found[1]] = found[2];
    rest = rest.slice(found[0].length);
  }
  return { flags, value: rest.startsWith("[") ? JSON.parse(rest) : rest };
}
