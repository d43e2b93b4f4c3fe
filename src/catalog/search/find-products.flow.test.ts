import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withProductIndexes } from './find-products.flow.ts';
import type { ProductIndex } from './product.index.ts';
import type { ProductIndexes } from './product-indexes.cache.ts';

/** Product indexes of these sizes, and the stores whose index was read. */
function givenIndexes(sizes: readonly number[]) {
  const read = new Set<string>();
  const productIndexes: Pick<ProductIndexes, 'of'> = {
    async of(storeIds: readonly string[]) {
      for (const storeId of storeIds) read.add(storeId);
      return new Map(
        storeIds.map((storeId) => [
          storeId,
          { storeId, productCount: sizes[Number(storeId)] } as unknown as ProductIndex,
        ]),
      );
    },
  };
  return { productIndexes, read, sellers: sizes.map((_, at) => ({ storeId: String(at) })) };
}

test('product indexes are taken nearest first while their products are within the bound, and at least one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(0, 1, 50, 400, 5000), { maxLength: 200 }),
      fc.constantFrom(1, 1000, 20_000),
      async (sizes, maxProducts) => {
        const { productIndexes, sellers } = givenIndexes(sizes);
        const taken = await withProductIndexes({ productIndexes, owner: 'anyone' }, sellers, maxProducts);
        let products = 0;
        const over = sizes.findIndex((size, at) => {
          products += size;
          return at > 0 && products > maxProducts;
        });
        assert.deepEqual(
          taken.map(({ storeId }) => storeId),
          sellers.slice(0, over < 0 ? sizes.length : over).map(({ storeId }) => storeId),
        );
      },
    ),
  );
});

test('large product indexes beyond the bound are hardly read', async () => {
  const { productIndexes, sellers, read } = givenIndexes(new Array(500).fill(40_000));
  assert.equal((await withProductIndexes({ productIndexes, owner: 'anyone' }, sellers, 2_000_000)).length, 50);
  assert.equal(read.size, 51);
});
