// Anthropic Messages.
import { textOf } from "./text.mjs";

export const anthropic = {
  path: /\/messages$/,
  streams: (_url, body) => body.stream === true,

  read(body) {
    const parts = (body.messages ?? []).flatMap(({ content }) =>
      typeof content === "string" ? [{ type: "text", text: content }] : content,
    );
    return {
      system: textOf(body.system),
      messages: parts.map((part) => (part.type === "text" ? part.text : "")).join("\n"),
      tools: (body.tools ?? []).map((tool) => ({
        name: tool.name,
        description: tool.description ?? "",
        schema: tool.input_schema,
        deferred: tool.defer_loading === true,
      })),
      results: parts
        .filter(({ type }) => type === "tool_result")
        .map((part) => ({ id: part.tool_use_id, text: textOf(part.content) })),
    };
  },

  body({ text, call }, { id, model }) {
    const block = call
      ? { type: "tool_use", id: call.id, name: call.tool.name, input: call.args }
      : { type: "text", text };
    return {
      id: `msg_${id}`,
      type: "message",
      role: "assistant",
      model,
      content: [block],
      stop_reason: call ? "tool_use" : "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 10 },
    };
  },

  events(answer, context) {
    const message = anthropic.body(answer, context);
    const [block] = message.content;
    const start = answer.call ? { ...block, input: {} } : { ...block, text: "" };
    const delta = answer.call
      ? { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
      : { type: "text_delta", text: block.text };
    const { stop_reason, stop_sequence, usage } = message;
    return [
      { type: "message_start", message: { ...message, content: [], stop_reason: null } },
      { type: "content_block_start", index: 0, content_block: start },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason, stop_sequence }, usage },
      { type: "message_stop" },
    ].map((data) => ({ event: data.type, data }));
  },
};
