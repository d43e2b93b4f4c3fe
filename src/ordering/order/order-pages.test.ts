import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_ORDER_PAGE, nextPageNumber, ORDERS_PER_PAGE, startOfPage } from './order-pages.ts';

test('a walk with any page size visits every order once', () => {
  const rooms = fc.array(fc.integer({ min: 1, max: ORDERS_PER_PAGE }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(rooms, fc.integer({ min: 0, max: 9999 }), (sizes, first) => {
      let page = first;
      let position = first * ORDERS_PER_PAGE;
      for (const room of sizes) {
        const start = startOfPage(page);
        assert.equal(start.position, position);
        const shown = Math.min(room, start.limit);
        position += shown;
        page = nextPageNumber(page, shown);
        assert.ok(page <= MAX_ORDER_PAGE && Number.isSafeInteger(page));
      }
    }),
  );
});

test('pages with room for a hundred orders are counted by one', () => {
  assert.deepEqual([nextPageNumber(0, 100), nextPageNumber(7, 100)], [1, 8]);
  assert.deepEqual(startOfPage(7), { position: 700, limit: 100 });
});
