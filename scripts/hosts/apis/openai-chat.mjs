// OpenAI Chat Completions, which most other providers speak too.
import { textOf } from "./text.mjs";

const SYSTEM = new Set(["system", "developer"]);

export const openaiChat = {
  path: /\/chat\/completions$/,
  streams: (_url, body) => body.stream === true,

  read(body) {
    const messages = body.messages ?? [];
    const textsOf = (isWanted) =>
      messages
        .filter(isWanted)
        .map(({ content }) => textOf(content))
        .join("\n");
    return {
      system: textsOf(({ role }) => SYSTEM.has(role)),
      messages: textsOf(({ role }) => !SYSTEM.has(role) && role !== "tool"),
      tools: (body.tools ?? []).map((tool) => ({
        name: tool.function?.name,
        description: tool.function?.description ?? "",
        schema: tool.function?.parameters,
        deferred: false,
      })),
      results: messages
        .filter(({ role }) => role === "tool")
        .map((message) => ({ id: message.tool_call_id, text: textOf(message.content) })),
    };
  },

  body(answer, context) {
    const message = { role: "assistant", ...contentOf(answer) };
    const choices = [{ index: 0, message, finish_reason: reasonOf(answer) }];
    return { ...envelope(context), object: "chat.completion", choices, usage: USAGE };
  },

  events(answer, context) {
    const chunk = (choices, more) => ({
      data: { ...envelope(context), object: "chat.completion.chunk", choices, ...more },
    });
    const choice = (delta, finish_reason) => [{ index: 0, delta, finish_reason }];
    return [
      chunk(choice({ role: "assistant", ...contentOf(answer) }, null)),
      chunk(choice({}, reasonOf(answer))),
      chunk([], { usage: USAGE }),
      { data: "[DONE]" },
    ];
  },
};

const USAGE = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };

const envelope = ({ id, model }) => ({ id: `chatcmpl-${id}`, created: 1, model });

const reasonOf = ({ call }) => (call ? "tool_calls" : "stop");

function contentOf({ text, call }) {
  if (!call) return { content: text };
  const called = { name: call.tool.name, arguments: JSON.stringify(call.args) };
  return { content: null, tool_calls: [{ index: 0, id: call.id, type: "function", function: called }] };
}
