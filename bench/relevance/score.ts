/** Score of one query: recall@5 and reciprocal rank of the first correct answer. */
export type Score = { kind: string; recall: number; reciprocal: number; query: string };

export const LOOKED_AT = 5;

/**
 * `shown` flags each response as correct or not, best first. `right` is the number of correct answers, up to five,
 * because only five answers are scored.
 */
export function scoreOf(kind: string, query: string, shown: readonly boolean[], right: number): Score {
  const hits = shown.slice(0, LOOKED_AT).filter(Boolean).length;
  const first = shown.indexOf(true);
  return {
    kind,
    query,
    recall: Math.min(1, hits / Math.min(LOOKED_AT, right)),
    reciprocal: first < 0 ? 0 : 1 / (first + 1),
  };
}

export type Summary = { queries: number; recall: number; reciprocal: number };

export function summaryOf(scores: readonly Score[]): Summary {
  const mean = (of: (score: Score) => number): number =>
    scores.reduce((sum, score) => sum + of(score), 0) / scores.length;
  return {
    queries: scores.length,
    recall: mean((score) => score.recall),
    reciprocal: mean((score) => score.reciprocal),
  };
}
