/** One way to search: ids of documents, best first. */
export interface Ranker {
  readonly name: string;
  rank(query: string, limit: number): readonly string[];
}
