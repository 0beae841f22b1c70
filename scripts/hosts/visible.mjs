// What a text, or a request to a model, says about skills. Pure.
import { fullName } from "./conversation.mjs";

/** How many skills a text names, and of how many it has the beginning of the description and the whole of it. */
export function countSkills(text, skills) {
  const words = wordsOf(text);
  const plain = withoutEntities(text);
  const named = skills.filter(({ name }) => words.has(name));
  return {
    names: named.length,
    begun: named.filter(({ description }) => plain.includes(description.slice(0, 20))).length,
    whole: named.filter(({ description }) => plain.includes(description)).length,
  };
}

/** The names in a text, as whole words. */
export const wordsOf = (text) => new Set(text.split(/[^A-Za-z0-9-]+/));

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&#39;": "'", "&amp;": "&" };
const withoutEntities = (text) =>
  text.replace(/&(?:lt|gt|quot|apos|#39|amp);/g, (entity) => ENTITIES[entity]);

/** Everything in a request that the model reads. A deferred tool is sent to the model's API, but not shown to the model. */
export function visibleText({ system, messages, tools }) {
  const shown = tools.filter(({ deferred }) => !deferred);
  return [system, messages, ...shown.map(textOfTool)].join("\n");
}

const textOfTool = (tool) => `${fullName(tool)}\n${tool.description}\n${JSON.stringify(tool.schema ?? {})}`;

/** In which of these a model can find our tool: as a tool, in the text of another tool, by name in a text, or not at all. */
export function stateOfTool({ system, messages, tools }, name) {
  const own = tools.find((tool) => fullName(tool) === name);
  if (own !== undefined && !own.deferred) return "shown";
  const isNamed = (text) => new RegExp(`(?<![A-Za-z0-9_-])${name}(?![A-Za-z0-9_-])`).test(text);
  const host = tools.find((tool) => !tool.deferred && isNamed(tool.description));
  if (host !== undefined) return `in ${host.name}`;
  return isNamed(`${system}\n${messages}`) ? "named" : own === undefined ? "not shown" : "deferred";
}

/** How many characters from the beginning of `text` stand somewhere in `shown`; a few by chance count as none. */
export function seenPrefix(shown, text) {
  // Claude Code writes three dots for one sign, which is the same to a reader.
  const [where, wanted] = [shown, text].map((one) => one.replaceAll("...", "…"));
  if (where.includes(wanted)) return text.length;
  let [seen, unseen] = [0, wanted.length];
  while (seen + 1 < unseen) {
    const middle = Math.floor((seen + unseen) / 2);
    if (where.includes(wanted.slice(0, middle))) seen = middle;
    else unseen = middle;
  }
  return seen < 20 ? 0 : seen;
}

/** Whether a model's text contains another one: byte for byte, escaped as in JSON, or not. */
export function howContained(where, text) {
  if (where === undefined) return "no answer";
  if (where.includes(text)) return "equal";
  return where.includes(JSON.stringify(text).slice(1, -1)) ? "as JSON" : "changed";
}
