import { expect, test } from "vitest";
import { createTopicMatch, NO_TOPICS, projectTopics } from "../../../src/mcp/describe/project-topics.ts";

const NONE: ReadonlyMap<string, string> = new Map();

test.each([
  [
    ["package.json", "tsconfig.json"],
    ["javascript", "node", "nodejs", "npm", "typescript"],
  ],
  [["Cargo.toml"], ["cargo", "rust"]],
  [
    ["main.tf", "variables.tf", ".github"],
    ["github", "terraform"],
  ],
  [
    ["report.pdf", "sums.XLSX"],
    ["excel", "pdf", "spreadsheet", "xlsx"],
  ],
  [["README.md", "notes.txt", ".py", "constructor", "x.__proto__"], []],
])("files %j are about %j", (names, topics) => {
  expect(projectTopics(names, NONE).topics).toEqual(topics);
});

test("of many kinds of files, the most frequent four count, in any order of names", () => {
  const names = ["a.py", "b.py", "c.sql", "d.sql", "e.css", "f.html", "g.ts", "g2.ts", "h.go", "h2.go"];
  expect(projectTopics(names, NONE)).toEqual(projectTopics([...names].reverse(), NONE));
  expect(projectTopics(names, NONE).files).toEqual(["*.go", "*.py", "*.sql", "*.ts"]);
});

test.each([
  [
    "package.json",
    '{"dependencies":{"react-dom":"1","@playwright/test":"1","@types/express":"1","d3":"7"},"devDependencies":{"vitest":"1"}}',
    ["express", "playwright", "react", "vitest"],
  ],
  ["package.json", '{"dependencies":["react"]', []],
  ["package.json", "null", []],
  ["requirements.txt", "# comment\nDjango>=4\n  pandas\n-r other.txt\n", ["django", "pandas"]],
  ["pyproject.toml", '[project]\nname = "x"\ndependencies = [\n  "fastapi>=0.1",\n]\n', ["fastapi"]],
  [
    "Cargo.toml",
    '[package]\nname = "x"\n[dependencies]\nserde = "1"\n[dev-dependencies]\ninsta = "1"\n[features]\nall = []\n',
    ["insta", "serde"],
  ],
  [
    "go.mod",
    "module example.com/x\nrequire (\n\tgithub.com/gin-gonic/gin v1.9\n\tgithub.com/jackc/pgx/v5 v5.1\n)\n",
    ["gin", "pgx"],
  ],
])("%s %j depends on %j", (name, text, packages) => {
  expect(projectTopics([name], new Map([[name, text]])).packages).toEqual(packages);
});

test.each([
  ["python-style", "", 2],
  ["react-forms", "", 2],
  ["style", "How we write Python.", 1],
  ["style", "Python as we write it.", 1],
  ["style", "Reacts to everything in Pythonic ways.", 0],
  ["style", "For React.", 0],
  ["native", "Modern C++ and its build.", 1],
  ["style", `${"x ".repeat(147)}Python`, 1],
  ["style", `${"x ".repeat(147)} Python`, 0],
] as const)("%s, %j fits a project with python, C++ and react: %d", (name, description, fit) => {
  const match = createTopicMatch({ topics: ["c++", "python"], packages: ["react"], files: [] });
  expect(match(name, description)).toBe(fit);
});

test("a single topic or package is enough", () => {
  const python = createTopicMatch({ topics: ["python"], packages: [], files: [] });
  expect(python("python", "")).toBe(2);
  expect(python("style", "For Python.")).toBe(1);
  expect(createTopicMatch({ topics: [], packages: ["react"], files: [] })("react", "")).toBe(2);
  expect(createTopicMatch({ topics: ["python"], packages: ["react"], files: [] })("react", "")).toBe(2);
});

test("nothing fits what tells nothing", () => {
  expect(createTopicMatch(NO_TOPICS)("python", "python")).toBe(0);
  expect(createTopicMatch({ topics: [], packages: ["react"], files: [] })("a", "b")).toBe(0);
});
