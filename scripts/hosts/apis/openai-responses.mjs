// OpenAI Responses, with tools in namespaces, tools that are written as code, and a tool search that the client runs.
import { textOf } from "./text.mjs";

const RESULT = new Set(["function_call_output", "custom_tool_call_output", "tool_search_output"]);

export const openaiResponses = {
  path: /\/responses$/,
  streams: (_url, body) => body.stream === true,

  read(body) {
    const items =
      typeof body.input === "string" ? [{ type: "message", content: body.input }] : (body.input ?? []);
    const added = items.filter(({ tools }) => tools !== undefined).flatMap(({ tools }) => tools);
    return {
      system: textOf(body.instructions),
      messages: items
        .filter(({ type }) => type === "message" || type === undefined)
        .map(({ content }) => textOf(content))
        .join("\n"),
      tools: [...(body.tools ?? []), ...added].flatMap((tool) => toolsIn(tool)),
      results: items
        .filter(({ type }) => RESULT.has(type))
        .map((item) => ({ id: item.call_id, text: textOf(item.output) })),
    };
  },

  body(answer, context) {
    return {
      id: `resp_${context.id}`,
      object: "response",
      created_at: 1,
      status: "completed",
      model: context.model,
      output: [itemOf(answer, context)],
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 10,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 20,
      },
    };
  },

  events(answer, context) {
    const response = openaiResponses.body(answer, context);
    const [item] = response.output;
    return [
      { type: "response.created", response: { ...response, status: "in_progress", output: [], usage: null } },
      { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response },
    ].map((data, index) => ({ event: data.type, data: { ...data, sequence_number: index } }));
  },
};

/** A namespace is the tools in it; its own description is a part of each one's. */
function toolsIn(tool, namespace) {
  if (tool.type === "namespace") return (tool.tools ?? []).flatMap((inner) => toolsIn(inner, tool));
  return [
    {
      name: tool.name ?? tool.type,
      namespace: namespace?.name,
      description: [namespace?.description, tool.description].filter(Boolean).join("\n"),
      schema: tool.parameters,
      deferred: tool.defer_loading === true,
      type: tool.type,
    },
  ];
}

function itemOf({ text, call }, { id }) {
  const status = "completed";
  if (!call) {
    const content = [{ type: "output_text", text, annotations: [] }];
    return { type: "message", id: `msg_${id}`, role: "assistant", status, content };
  }
  const { tool, args } = call;
  const item = { id: `item_${id}`, call_id: call.id, status };
  if (tool.type === "tool_search")
    return { ...item, type: "tool_search_call", execution: "client", arguments: args };
  const named = { ...item, name: tool.name, ...(tool.namespace ? { namespace: tool.namespace } : {}) };
  if (tool.type === "custom") return { ...named, type: "custom_tool_call", input: args };
  return { ...named, type: "function_call", arguments: JSON.stringify(args) };
}
