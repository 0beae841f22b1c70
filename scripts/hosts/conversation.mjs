// What the stub model does in a run: nothing but loading one skill, in whatever way the host offers its tools.
import { MARK } from "./world.mjs";

export const PROMPT = `${MARK}: file the receipts in this folder.`;

/** Names of tools with which hosts search for the tools that they do not show. */
const SEARCHES = /^(?:ToolSearch|tool_search(?:_tool.*)?)$/;

/** A host may ask again and again, for example when it does not accept an answer. */
const MOST_REQUESTS = 8;

export const fullName = ({ namespace, name }) => (namespace === undefined ? name : `${namespace}__${name}`);

/** The model of a run that loads the skill `name`. `tool` is what the host calls our `skill` tool. */
export function loadOneSkill(tool, name) {
  return createConversation((shown, history) => {
    const has = (step) => history.includes(step);
    if (has("load")) return undefined;
    const found = shown.tools.find((one) => fullName(one) === tool && (!one.deferred || has("search")));
    if (found !== undefined) return { step: "load", tool: found, args: { name } };
    const exec = shown.tools.find((one) => one.type === "custom" && one.name === "exec");
    if (exec !== undefined) return { step: "load", tool: exec, args: callFromCode(tool, name) };
    const search = shown.tools.find((one) => SEARCHES.test(one.name));
    if (search !== undefined && !has("search"))
      return { step: "search", tool: search, args: searchFor(search, tool) };
    const caller = shown.tools.find((one) => one.name === "tool_call");
    if (caller !== undefined)
      return { step: "load", tool: caller, args: { name: tool, arguments: { name } } };
    return undefined;
  });
}

/** The model of a run that only says that it is done. */
export const sayNothing = () => createConversation(() => undefined);

/** `next` returns the step to take: a call of a tool, or nothing when there is no more to do. */
function createConversation(next) {
  const requests = [];
  const history = [];
  let loadId;
  let end;
  const over = new Promise((resolve) => {
    end = resolve;
  });
  const answer = (shown, number) => {
    const isMain = shown.tools.length > 0 && `${shown.system}\n${shown.messages}`.includes(MARK);
    if (!isMain) return { text: "A title" };
    requests.push(shown);
    const step = requests.length < MOST_REQUESTS ? next(shown, history) : undefined;
    if (step === undefined) {
      end();
      return { text: "Done." };
    }
    history.push(step.step);
    const id = `call_${number}`;
    if (step.step === "load") loadId = id;
    return { call: { tool: step.tool, args: step.args, id } };
  };
  return {
    answer,
    /** What the model saw at turn 1; undefined when it was never asked. */
    first: () => requests[0],
    searched: () => history.includes("search"),
    /** What the model got for its call. Not every host keeps the call's id. */
    loaded: () => {
      const results = requests.at(-1)?.results ?? [];
      return loadId === undefined
        ? undefined
        : (results.find(({ id }) => id === loadId) ?? results.at(-1))?.text;
    },
    messages: () => requests.map(({ messages }) => messages).join("\n"),
    /** Resolved when the model has said its last word. */
    over,
  };
}

/** Codex's code mode: the model writes JavaScript that calls the tool. */
function callFromCode(tool, name) {
  const args = JSON.stringify({ name });
  return `const answer = await tools.${tool}(${args}); for (const part of answer.content) text(part.text);`;
}

/** Searches take a pattern, a name to select, or words. */
function searchFor(search, tool) {
  const parameters = JSON.stringify(search.schema ?? {});
  if (parameters.includes('"pattern"')) return { pattern: `${tool}$` };
  return { query: search.type === "tool_search" ? "skill" : `select:${tool}` };
}
