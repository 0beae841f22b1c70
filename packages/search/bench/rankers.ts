import type { SearchDocument } from "../src/engine/index/build-segment.ts";
import { stemEnglish } from "../src/engine/words/porter2.ts";
import { allWordsRanker } from "./all-words.ts";
import { cachedStem } from "./cached-stem.ts";
import type { Searched } from "./documents.ts";
import { lunrRanker } from "./lunr.ts";
import { miniSearchRanker } from "./minisearch.ts";
import type { Peers } from "./peers.ts";
import type { Ranker } from "./ranker.ts";
import { fts5Ranker } from "./sqlite-fts5.ts";

/** Everything that ours is compared with, made one at a time, as each holds all documents. */
export function* otherRankers(searched: readonly Searched[], peers: Peers | undefined): Generator<Ranker> {
  yield allWordsRanker(searched.map(({ document, text }) => ({ id: document.id, text })));
  if (peers === undefined) return;
  const documents: readonly SearchDocument[] = searched.map(({ document }) => document);
  const { miniSearch, sqlite, lunr } = peers;
  yield miniSearchRanker("MiniSearch", miniSearch, (word) => word, documents);
  yield miniSearchRanker("MiniSearch, stemmed", miniSearch, cachedStem(stemEnglish), documents);
  yield fts5Ranker("unicode61", sqlite, documents);
  yield fts5Ranker("porter unicode61", sqlite, documents);
  yield lunrRanker(lunr, documents);
}
