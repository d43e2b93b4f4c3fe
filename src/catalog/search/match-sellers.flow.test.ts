import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { productIndexOf } from '../../../test/given-product-index.ts';
import { STEMS } from '../../../test/oracles/product-search.ts';
import { createFairTurns } from '../../lib/fair-turns.ts';
import { type NearStore, SORTS, type Sort } from '../../stores/search/store-query.ts';
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
    sellers: near.map(({ miles }, at) => ({ storeId: `s${at}`, ordinal: at, miles, key: -at })),
  };
}

/** Pages of one match, and for how many sellers indexes were looked up. `ranksOf` is what a page asks for. */
async function ranked(
  { terms, indexes, sellers }: Given,
  { text, sort, firstSellers }: { text: string; sort: Sort; firstSellers: number },
  ranksOf = (end: number) => end,
) {
  let lookedUp = 0;
  const slice = createFairTurns().sliceOf('anyone');
  const matches = createSellerMatches({
    ...{ query: { text, gtins: null, claims: 0, sort }, mode: null, sellers, terms, slice, firstSellers },
    async indexesOf(count) {
      lookedUp = Math.max(lookedUp, count);
      return indexes.slice(0, count);
    },
  });
  const found: string[] = [];
  for (let from = 0; from < 3; from += 1) {
    const pool = await matches.poolOf(ranksOf(from + 1));
    const some = await slice.run(pool.rank(sellers, sort, from, 1));
    found.push(...some.map(({ seller, productNo }) => `${seller.storeId}/${productNo}`));
  }
  return { found, lookedUp };
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
      fc.integer({ min: 1, max: 20 }),
      async (menus, text, sort, firstSellers) => {
        const given = givenSellers(menus);
        const some = await ranked(given, { text, sort, firstSellers });
        const all = await ranked(given, { text, sort, firstSellers: menus.length }, () => Infinity);
        assert.deepEqual(some.found, all.found);
        if (some.found.length > 0 && some.lookedUp < menus.length) early += 1;
      },
    ),
    { numRuns: 400 },
  );
  assert.ok(early > 5, `${early} searches looked at few sellers`);
});

test('a product that only a far seller has is found, and near sellers that have enough are enough', async () => {
  const near = Array.from({ length: 20 }, (_, at) => ({ names: ['Milk', 'Milk'], miles: at / 10 }));
  const given = givenSellers([...near, { names: ['Blueberries', 'Milk'], miles: 12 }]);
  assert.deepEqual((await ranked(given, { text: 'blueberries', sort: 'relevance', firstSellers: 8 })).found, ['s20/1']);
  const { found, lookedUp } = await ranked(given, { text: 'milk', sort: 'relevance', firstSellers: 8 });
  assert.equal(lookedUp, 8);
  assert.deepEqual(found, ['s0/1', 's0/2', 's1/1']);
});

test('a far seller with the word itself comes before near sellers with a word that is like it', async () => {
  const near = Array.from({ length: 20 }, (_, at) => ({ names: ['Mild', 'Mild'], miles: at / 10 }));
  const given = givenSellers([...near, { names: ['Milk'], miles: 2000 }]);
  assert.deepEqual((await ranked(given, { text: 'milk', sort: 'relevance', firstSellers: 8 })).found, [
    's20/1',
    's0/1',
    's0/2',
  ]);
});

test('a text that no seller has as typed is rewritten once all sellers are known', async () => {
  const near = Array.from({ length: 20 }, (_, at) => ({ names: ['Tomatoes'], miles: at / 10 }));
  const given = givenSellers([...near, { names: ['Organic Milk'], miles: 12 }]);
  assert.deepEqual((await ranked(given, { text: 'organicmilk', sort: 'relevance', firstSellers: 8 })).found, ['s20/1']);
});
