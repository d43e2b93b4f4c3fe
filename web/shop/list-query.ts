/** The filters and the sort order of a store list, as in the page's address. */

const SORTS = ['relevance', 'distance', 'rating', 'cheapest', 'fastest'] as const;
export type Sort = (typeof SORTS)[number];

export type ListQuery = {
  words: string;
  sort: Sort;
  /** Stores that take orders now. */
  open: boolean;
  type: 'restaurant' | 'grocery' | null;
  cuisine: string;
  /** The price level; null for any. */
  dollars: number | null;
  /** Stars; null for any. */
  rating: number | null;
  /** Stores with offers. */
  offers: boolean;
};

const MAX_WORDS = 100;

/** Any query is read: an unknown one counts as absent. */
export function readListQuery(search: string): ListQuery {
  const given = new URLSearchParams(search);
  const text = (name: string) => (given.get(name) ?? '').trim().slice(0, MAX_WORDS);
  const type = text('type');
  return {
    words: text('q'),
    sort: SORTS.find((sort) => sort === text('sort')) ?? 'relevance',
    open: given.has('open'),
    type: type === 'restaurant' || type === 'grocery' ? type : null,
    cuisine: text('cuisine'),
    dollars: /^[1-4]$/.test(text('dollars')) ? Number(text('dollars')) : null,
    offers: given.has('offers'),
    rating: /^[1-5](\.\d)?$/.test(text('rating')) ? Number(text('rating')) : null,
  };
}

/** The query of the address; empty where nothing is narrowed and no language chosen. */
export function writeListQuery(
  { words, sort, open, type, cuisine, dollars, rating, offers }: ListQuery,
  lang?: string,
): string {
  const parts = new URLSearchParams();
  if (words !== '') parts.set('q', words);
  if (sort !== 'relevance') parts.set('sort', sort);
  if (open) parts.set('open', '1');
  if (type !== null) parts.set('type', type);
  if (cuisine !== '') parts.set('cuisine', cuisine);
  if (dollars !== null) parts.set('dollars', String(dollars));
  if (rating !== null) parts.set('rating', String(rating));
  if (offers) parts.set('offers', '1');
  if (lang !== undefined) parts.set('lang', lang);
  const query = parts.toString();
  return query === '' ? '' : `?${query}`;
}
