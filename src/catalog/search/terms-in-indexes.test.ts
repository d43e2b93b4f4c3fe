import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { productIndexOf } from '../../../test/given/product-index.ts';
import { STEMS } from '../../../test/oracles/product-search.ts';
import { runs } from '../../../test/runs.ts';
import { matchProducts } from './match-products.ts';
import { prepareQuery } from './prepare-query.ts';
import type { ProductIndex } from './product.index.ts';
import { termIdsOf } from './product-layout.ts';
import { createProductTerms } from './product-terms.index.ts';
import { termsInIndexes } from './terms-in-indexes.ts';

test('the product indexes that a query leaves out have no match, while other indexes come and go', () => {
  const word = fc.constantFrom(...Object.keys(STEMS));
  const products = fc.array(fc.record({ name: fc.array(word, { minLength: 1, maxLength: 2 }), category: word }), {
    maxLength: 3,
  });
  const text = fc.array(fc.oneof(word, fc.constantFrom('mlik', 'choco', 'bluebery', '1', 'gal')), {
    minLength: 1,
    maxLength: 3,
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(products, fc.boolean()), { maxLength: 12 }), text, (given, words) => {
      const terms = createProductTerms();
      const kept: ProductIndex[] = [];
      for (const [list, isKept] of given) {
        const named = list.map(({ name, category }) => ({ name: name.join(' '), category }));
        const { index } = productIndexOf(named, terms);
        if (isKept) kept.push(index);
        else {
          terms.indexes.remove(index.slot, termIdsOf(index));
          for (const termId of termIdsOf(index)) terms.release(termId);
        }
      }
      const query = prepareQuery(words.join(' '), termsInIndexes(terms, kept));
      const all = { ...prepareQuery(words.join(' '), terms), slots: null };
      for (const index of kept) assert.deepEqual(matchProducts(index, query, null), matchProducts(index, all, null));
      assert.equal(new Set(kept.map(({ slot }) => slot)).size, kept.length);
    }),
    { numRuns: runs(500) },
  );
});
