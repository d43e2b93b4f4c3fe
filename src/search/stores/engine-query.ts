import { wordsOf } from '../../lib/text/normalise-text.ts';
import type { StoreQuery } from '../../stores/search/store-query.ts';
import type { EngineQuery } from '../engine/query.ts';

/** A query of store search as the engine takes it. */
export function engineQueryOf({ page: _page, text, ...query }: StoreQuery): EngineQuery {
  return { ...query, words: wordsOf(text), sellersOnly: false };
}
