import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { productIndexOf } from '../../../test/given/product-index.ts';
import { STEMS } from '../../../test/oracles/product-search.ts';
import { runs } from '../../../test/runs.ts';
import { runInSlices } from '../../load/event-loop-scheduler.ts';
import { type NearStore, SORTS, type Sort } from '../../search/stores/store-query.ts';
import { createSellerMatches } from './match-sellers.flow.ts';
import type { ProductIndex } from './product.index.ts';
import { createProductTerms, type ProductTerms } from './product-terms.index.ts';

type Given = { terms: ProductTerms; indexes: ProductIndex[]; sellers: NearStore[] };

function givenSellers(menus: readonly { names: readonly string[]; miles: number }[]): Given {
  const terms = createProductTerms();
  const near = menus.toSorted((a, b) => a.miles - b.miles);
  return {
    terms,
    indexes: near.map(
      ({ names }) =>
        productIndexOf(
          names.map((name) => ({ name })),
          terms,
        ).index,
    ),
    sellers: near.map(({ miles }, at) => ({ storeId: `s${at}`, miles, key: -at })),
  };
}

/** Pages of one match; `ranksOf` is what a page asks for. Counts the indexes that are looked at. */
async function ranked(
  { terms, indexes, sellers }: Given,
  { text, sort }: { text: string; sort: Sort },
  ranksOf = (end: number) => end,
) {
  const matched = new Set<number>();
  const watched = indexes.map((index, at) => ({
    ...index,
    get slot() {
      matched.add(at);
      return index.slot;
    },
  }));
  const query = { text, gtins: null, claims: 0, sort };
  const matches = createSellerMatches({ query, mode: null, sellers, indexes: watched, terms });
  matched.clear();
  const found: string[] = [];
  for (let from = 0; from < 3; from += 1) {
    const pool = await matches.poolOf(ranksOf(from + 1));
    const some = await runInSlices(pool.rank(sellers, sort, from, 1));
    found.push(...some.map(({ seller, productNo }) => `${seller.storeId}/${productNo}`));
  }
  return { found, matched: matched.size };
}

const MILES = [0, 1, 1, 9.99, 10.01, 30.01, 99, 100.01, 2000];

test('pages are those of a search that matches all sellers, also where the text is rewritten or misspelt', async () => {
  // Most words are the same few words, so that near sellers often have enough.
  const word = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('milk', 'tomatoes', 'berry') },
    { weight: 1, arbitrary: fc.constantFrom(...Object.keys(STEMS)) },
  );
  const wordsOf = (one: fc.Arbitrary<string>, maxLength: number) =>
    fc.array(one, { minLength: 1, maxLength }).map((words) => words.join(' '));
  const names = fc.array(wordsOf(word, 2), { maxLength: 4 });
  const typed = fc.oneof(word, fc.constantFrom('mlik', 'choco', 'bluebery', 'mil', 'organicmilk', 'xyz'));
  let early = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ names, miles: fc.constantFrom(...MILES) }), { minLength: 5, maxLength: 40 }),
      fc.oneof(word, wordsOf(typed, 2)),
      fc.constantFrom<Sort>('relevance', 'relevance', 'distance', ...SORTS),
      async (menus, text, sort) => {
        const given = givenSellers(menus);
        const some = await ranked(given, { text, sort });
        const all = await ranked(given, { text, sort }, () => Infinity);
        assert.deepEqual(some.found, all.found);
        if (some.matched < all.matched) early += 1;
      },
    ),
    { numRuns: runs(400) },
  );
  assert.ok(early > runs(20), `${early} searches matched fewer sellers`);
});

test('a product that only a far seller has is found, and near sellers that have enough are enough', async () => {
  const near = Array.from({ length: 20 }, (_, at) => ({ names: ['Milk', 'Milk'], miles: at / 10 }));
  const given = givenSellers([...near, { names: ['Blueberries', 'Milk'], miles: 12 }]);
  assert.deepEqual((await ranked(given, { text: 'blueberries', sort: 'relevance' })).found, ['s20/1']);
  const { found, matched } = await ranked(given, { text: 'milk', sort: 'relevance' });
  assert.equal(matched, 2);
  assert.deepEqual(found, ['s0/1', 's0/2', 's1/1']);
});

test('a far seller with the word itself comes before near sellers with a word that is like it', async () => {
  const near = Array.from({ length: 20 }, (_, at) => ({ names: ['Mild', 'Mild'], miles: at / 10 }));
  const given = givenSellers([...near, { names: ['Milk'], miles: 2000 }]);
  assert.deepEqual((await ranked(given, { text: 'milk', sort: 'relevance' })).found, ['s20/1', 's0/1', 's0/2']);
});

test('a text that no seller has as typed is rewritten', async () => {
  const near = Array.from({ length: 20 }, (_, at) => ({ names: ['Tomatoes'], miles: at / 10 }));
  const given = givenSellers([...near, { names: ['Organic Milk'], miles: 12 }]);
  assert.deepEqual((await ranked(given, { text: 'organicmilk', sort: 'relevance' })).found, ['s20/1']);
});
