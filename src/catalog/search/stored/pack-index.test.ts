import assert from 'node:assert/strict';
import { test } from 'node:test';
import { productIndexOf } from '../../../../test/given/product-index.ts';
import { matchProducts } from '../match-products.ts';
import { prepareQuery } from '../prepare-query.ts';
import { createProductTerms } from '../product-terms.index.ts';
import { packIndex, unpackIndex } from './pack-index.ts';

const PRODUCTS = [
  { name: 'Whole Milk, 2%', category: 'Dairy & eggs', size: '1 gal', upc: '036000291452', pickupCents: 90 },
  { name: 'Chocolate with milk', category: 'Snacks', claims: 5 },
  { name: 'Milk bread with milk', category: 'Bakery', modes: 1 },
  { name: 'Gâteau aux pommes', category: 'Bakery', upc: '4006381333931' },
  { name: 'Eggs - large (12 ct)', category: 'Dairy & eggs', size: '12 ct' },
];
const STORE_ID = '5f0000000000000000000001';

test('an index that is stored and read by another node matches as the index that was built', () => {
  const built = productIndexOf(PRODUCTS);
  const terms = createProductTerms();
  // The terms of the other node have other numbers, in another order.
  for (const word of ['pommes', 'zucchini', 'milk', 'bread', 'whole']) terms.acquire(word);
  const read = unpackIndex(STORE_ID, packIndex(built.index, built.terms.termOf), terms);
  for (const text of ['milk', 'whole milk 1 gal', 'chocolat', 'mlik', 'bakery', 'eggs 12 ct', 'gateaux', '']) {
    for (const [gtins, mode, claims] of [
      [null, null, 0],
      [new Set([36000291452]), 'pickup', 0],
      [null, 'pickup', 4],
    ] as const) {
      const matchesOf = ({ index, terms: own }: typeof built) =>
        matchProducts(index, prepareQuery(text, own, gtins, claims), mode);
      assert.deepEqual(matchesOf({ index: read, terms }), matchesOf(built), text);
    }
  }
});

test('an index that is read has the sizes and the bytes of the index that was built, also without products', () => {
  for (const products of [PRODUCTS, []]) {
    const { index, terms } = productIndexOf(products);
    const bytes = packIndex(index, terms.termOf);
    const otherTerms = createProductTerms();
    const { slot: _own, ...read } = unpackIndex(STORE_ID, bytes, otherTerms);
    const { slot: _built, ...built } = index;
    // In the order of its terms a new dictionary gives the numbers 1, 3, …, since most words bring their stem, too.
    assert.deepEqual({ ...read, data: read.data.length }, { ...built, data: built.data.length });
    assert.deepEqual(packIndex({ ...read, slot: 0 }, otherTerms.termOf), bytes);
  }
});

test('bytes with any byte changed, cut off or missing are refused, and no term is acquired', () => {
  const { index, terms } = productIndexOf(PRODUCTS);
  const bytes = packIndex(index, terms.termOf);
  const damaged = Array.from(bytes, (_, at) => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] as number) ^ 64;
    return copy;
  });
  const cut = [0, 4, 8, 40, bytes.length - 1].map((length) => bytes.subarray(0, length));
  const otherTerms = createProductTerms();
  for (const wrong of [...damaged, ...cut, Buffer.alloc(bytes.length)]) {
    assert.throws(() => unpackIndex(STORE_ID, wrong, otherTerms), /is damaged/);
  }
  assert.equal(otherTerms.size, 0);
});
