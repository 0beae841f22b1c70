import { expect, test } from "vitest";
import { doctorCommand, readChoice, toBudget, toStep } from "../src/model/doctor-command.ts";
import { partsOf } from "../src/model/token-parts.ts";
import { proposedDescription, proposedName } from "../src/usage/proposed-skill.ts";

test.each([
  ["resize a photo", "resize-photo"],
  ["Translate the README to German, please!", "translate-readme-german"],
  ["¿Cómo exporto los datos de clientes?", "como-exporto-los-datos"],
  ["how can I", "new-skill"],
  ["写一个函数", "new-skill"],
  ["x".repeat(200), "x".repeat(40)],
])("a skill for '%s' is called %s", (request, name) => {
  expect(proposedName(request)).toBe(name);
});

test("its description has the words that people used", () => {
  expect(proposedDescription(["resize a photo.", "shrink images"])).toBe(
    'Resize a photo. Use when someone asks to resize a photo. Also for requests such as "shrink images".',
  );
});

test.each([
  ["", "skills-mcp doctor --client claude-code"],
  ["client=codex&native=1", "skills-mcp doctor --client codex --include-native"],
  [
    "version=2.1.325&format=list&budget=900",
    "skills-mcp doctor --client claude-code@2.1.325 --description list --description-budget 900",
  ],
  ["client=my%20agent", "skills-mcp doctor --client 'my agent'"],
])("the address '%s' is the command %s", (query, command) => {
  const choice = readChoice(new URLSearchParams(query));
  const { version } = choice;
  const answer = { connection: "stdio", ...(version === "" ? {} : { version }) } as const;
  expect(doctorCommand(choice, answer)).toBe(command);
});

test("the command names the version that the answer is about, and there is none for a client of this server", () => {
  const choice = readChoice(new URLSearchParams());
  expect(doctorCommand(choice, { version: "2.1.296", connection: "stdio" })).toBe(
    "skills-mcp doctor --client claude-code@2.1.296",
  );
  expect(doctorCommand(choice, { version: "2.1.296", connection: "http" })).toBeUndefined();
});

test("the slider goes from the smallest budget to the largest, and back", () => {
  expect([toBudget(0), toBudget(200)]).toEqual([200, 200_000]);
  for (const step of [0, 1, 77, 150, 200]) expect(toStep(toBudget(step))).toBe(step);
  expect([toStep(1), toStep(10_000_000)]).toEqual([0, 200]);
});

test("the largest parts of the first turn have colours of their own", () => {
  const tool = (name: string, description: number) => ({
    name,
    description: "",
    tokens: { description, schema: 1 },
  });
  const parts = partsOf({
    tokens: { instructions: 40, total: 0 },
    tools: [tool("skill", 900), tool("a", 10), tool("b", 9), tool("c", 8)],
  });
  expect(parts.map(({ label, tokens, tone }) => `${label} ${tokens} ${tone}`)).toEqual([
    "Instructions 40 b",
    "skill 901 a",
    "a 11 c",
    "b 10 d",
    "c 9 e",
  ]);
});
