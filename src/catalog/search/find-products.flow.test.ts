import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shelvesOf } from './find-products.flow.ts';
import type { Shelf } from './product.index.ts';
import type { Shelves } from './product-indexes.cache.ts';

/** Shelves of those sizes, which tell how many have been asked for. */
function givenShelves(sizes: readonly number[]) {
  const asked = new Set<string>();
  const shelves: Pick<Shelves, 'of'> = {
    async of(storeIds: readonly string[]) {
      for (const storeId of storeIds) asked.add(storeId);
      return new Map(
        storeIds.map((storeId) => [
          storeId,
          { storeId, productNos: { length: sizes[Number(storeId)] } } as unknown as Shelf,
        ]),
      );
    },
  };
  return { shelves, asked, sellers: sizes.map((_, at) => ({ storeId: String(at) })) };
}

test('shelves are taken nearest first for as long as their products are within the bound, and at least one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(0, 1, 50, 400, 5000), { maxLength: 200 }),
      fc.constantFrom(1, 1000, 20_000),
      async (sizes, most) => {
        const { shelves, sellers } = givenShelves(sizes);
        const taken = await shelvesOf(shelves, sellers, most);
        let products = 0;
        const over = sizes.findIndex((size, at) => {
          products += size;
          return at > 0 && products > most;
        });
        assert.deepEqual(
          taken.map(({ storeId }) => storeId),
          sellers.slice(0, over < 0 ? sizes.length : over).map(({ storeId }) => storeId),
        );
      },
    ),
  );
});

test('large shelves beyond the bound are hardly asked for', async () => {
  const { shelves, sellers, asked } = givenShelves(new Array(500).fill(40_000));
  assert.equal((await shelvesOf(shelves, sellers, 2_000_000)).length, 50);
  assert.equal(asked.size, 51);
});
