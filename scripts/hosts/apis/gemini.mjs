// Gemini generateContent.
import { textOf } from "./text.mjs";

export const gemini = {
  path: /:(?:stream)?generateContent$/i,
  streams: (url) => /:streamGenerateContent/i.test(url),

  read(body) {
    const parts = (body.contents ?? []).flatMap((content) => content.parts ?? []);
    const declarations = (body.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []);
    return {
      system: textOf(body.systemInstruction ?? body.system_instruction),
      messages: parts.map(({ text }) => text ?? "").join("\n"),
      tools: declarations.map((tool) => ({
        name: tool.name,
        description: tool.description ?? "",
        schema: tool.parametersJsonSchema ?? tool.parameters,
        deferred: false,
      })),
      results: parts
        .filter(({ functionResponse }) => functionResponse !== undefined)
        .map(({ functionResponse: { id, response } }) => ({ id, text: textOf(response) })),
    };
  },

  body({ text, call }, { model }) {
    const part = call ? { functionCall: { id: call.id, name: call.tool.name, args: call.args } } : { text };
    return {
      candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
      modelVersion: model,
    };
  },

  events: (answer, context) => [{ data: gemini.body(answer, context) }],
};
