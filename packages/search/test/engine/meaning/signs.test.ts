import fc from "fast-check";
import { expect, test } from "vitest";
import { DIMENSIONS } from "../../../src/engine/index/segment.ts";
import { equalSigns, signsOf } from "../../../src/engine/meaning/embed.ts";
import { runToEnd } from "../../../src/engine/steps.ts";

const vector = fc.int8Array({ minLength: DIMENSIONS, maxLength: DIMENSIONS });

test("how many signs of a query's vector each document shares is what counting them one by one gives", () => {
  fc.assert(
    fc.property(fc.array(vector, { maxLength: 5 }), vector, (documents, wanted) => {
      const all = Int8Array.from(documents.flatMap((document) => [...document]));
      const counted = documents.map(
        (document) => document.filter((number, at) => number < 0 === (wanted[at] ?? 0) < 0).length,
      );
      expect([...equalSigns(runToEnd(signsOf(all)), runToEnd(signsOf(wanted)))]).toEqual(counted);
    }),
  );
});
