import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import type { NearStore, Sort } from '../../search/stores/store-query.ts';
import { createEnoughMatches, minGuessOf } from './enough-matches.ts';
import { GUESSED_SPELLING, type ProductMatch } from './match-products.ts';
import { createProductPool, type ProductPool } from './rank-products.ts';
import { EXACT, MISSPELT, PLURAL, UNFINISHED } from './term-matches.ts';

const MATCH = { extraCents: 0, isCounted: false, role: 0 };
/** Qualities of a guess of words are twelve. */
const QUALITIES_OF_WORDS = 12;

/** Sellers nearest first, each with the qualities and prices of its matches. Few distances, so that many are equal. */
const given = fc.record({
  sellers: fc.array(
    fc.record({
      miles: fc.constantFrom(0, 1, 1, 9.99, 10, 10.01, 30.01, 99, 100.01, 2000),
      qualities: fc.array(fc.constantFrom(0, 0, 1, 1, 2, 3, 4, 8, 13), { maxLength: 3 }),
      price: fc.constantFrom(100, 200),
    }),
    { minLength: 1, maxLength: 30 },
  ),
  minGuess: fc.constantFrom(0, 0, 1, 2),
  ranks: fc.integer({ min: 1, max: 12 }),
  sort: fc.constantFrom<Sort>('relevance', 'relevance', 'distance', 'cheapest', 'rating'),
});
type Given = typeof given extends fc.Arbitrary<infer Value> ? Value : never;

function sellersOf({ sellers }: Given): NearStore[] {
  const miles = sellers.map((one) => one.miles).sort((a, b) => a - b);
  return miles.map((one, at) => ({ storeId: `s${at}`, miles: one, key: -at }));
}

/** The matches of all sellers, or of those before the first one that cannot have any of the ranks. */
function matched(one: Given, near: readonly NearStore[], isWhole: boolean): { pool: ProductPool; sellers: number } {
  const pool = createProductPool();
  const enough = createEnoughMatches(near, one.sort);
  for (const [sellerNo, { qualities, price }] of one.sellers.entries()) {
    if (!isWhole && enough.isEnough(sellerNo, one.ranks, one.minGuess)) return { pool, sellers: sellerNo };
    for (const [at, least] of qualities.entries()) {
      const quality = least + one.minGuess * QUALITIES_OF_WORDS;
      const found: ProductMatch = { ...MATCH, productNo: at + 1, priceCents: price, quality };
      pool.add(sellerNo, found);
      enough.note(sellerNo, quality);
    }
  }
  return { pool, sellers: one.sellers.length };
}

function firstRanks({ ranks, sort }: Given, near: readonly NearStore[], { pool }: { pool: ProductPool }): string[] {
  const steps = pool.rank(near, sort, 0, ranks);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value.map(({ seller, productNo }) => `${seller.storeId}/${productNo}`);
  }
}

test('the first ranks are those of all sellers, where farther sellers are left out', () => {
  let leftOut = 0;
  fc.assert(
    fc.property(given, (one) => {
      const near = sellersOf(one);
      const some = matched(one, near, false);
      if (some.sellers < one.sellers.length) leftOut += 1;
      assert.deepEqual(firstRanks(one, near, some), firstRanks(one, near, matched(one, near, true)));
    }),
    { numRuns: runs(3000) },
  );
  assert.ok(leftOut > runs(100), `${leftOut} searches left sellers out`);
});

test('sellers farther than enough exact products of another seller are left out', () => {
  const near = [0, 2, 11].map((miles, at): NearStore => ({ storeId: `s${at}`, miles, key: 0 }));
  const enough = createEnoughMatches(near, 'relevance');
  for (const quality of [0, 0, 1]) enough.note(0, quality);
  assert.deepEqual(
    [1, 2].map((sellerNo) => [2, 3].map((ranks) => enough.isEnough(sellerNo, ranks, 0))),
    [
      [true, false],
      [true, true],
    ],
  );
});

test('a query whose required word is only near to terms has no better guess than a typo', () => {
  const word = (...grades: number[]) => ({
    termIds: Uint32Array.from(grades, (_, at) => at + 1),
    grades: Uint8Array.from(grades),
    isMeasure: false,
  });
  assert.equal(minGuessOf({ words: [word(MISSPELT, PLURAL), word(EXACT)], required: 3 }), 0);
  assert.equal(minGuessOf({ words: [word(MISSPELT, UNFINISHED), word(EXACT)], required: 3 }), 1);
  assert.equal(minGuessOf({ words: [word(UNFINISHED), word(MISSPELT)], required: 3 }), GUESSED_SPELLING);
  assert.equal(minGuessOf({ words: [word(EXACT), word(MISSPELT)], required: 1 }), 0);
  assert.equal(minGuessOf({ words: [], required: 0 }), 0);
});
