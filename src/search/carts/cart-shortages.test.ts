import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { grocery, searchCart, withStores } from '../../../test/given/groceries.ts';
import { type App, givenApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';

let app: App;
before(async () => {
  app = await givenApp();
});
after(() => app.close());

/** Milk of many brands that match equally, cheapest first, with the stock of each. */
function milkOf(stocks: readonly (number | null)[]) {
  const products = stocks.map((left, at) => [`Brand${at} Milk`, { price: 100 + at, qty_available: left }] as const);
  return grocery('dairy', Object.fromEntries(products));
}

async function chooseNames(stocks: readonly (number | null)[], cart: Record<string, number>) {
  let names: (string | undefined)[] = [];
  await withStores(app, [milkOf(stocks)], async () => {
    const body = await searchCart(app, cart, { full_carts_only: false });
    const products = body.carts[0]?.products ?? {};
    names = Object.keys(cart).map((line) => products[line]?.[0]?.name);
  });
  return names;
}

test('however many products run short, the cheapest with enough stock is found, and none where all run short', async () => {
  const short = (count: number) => Array.from({ length: count }, () => 3);
  for (const count of [15, 16, 17, 127, 128, 129, 300]) {
    assert.deepEqual(await chooseNames([...short(count), 4, null], { milk: 4 }), [`Brand${count} Milk`]);
  }
  assert.deepEqual(await chooseNames(short(200), { milk: 4 }), [undefined]);
});

test('lines that want the same product share its stock, for any stock of all products', async () => {
  const stock = fc.option(fc.nat({ max: 9 }), { freq: 12 });
  const carts = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(stock, { minLength: 20, maxLength: 60 }), carts, async (stocks, quantities) => {
      // All of these lines mean milk, in different words.
      const lines = ['milk', 'the milk', 'milk of the', 'of milk'].slice(0, quantities.length);
      const left = [...stocks];
      const expected = quantities.map((quantity) => {
        const at = left.findIndex((units) => units === null || units >= quantity);
        if (typeof left[at] === 'number') left[at] -= quantity;
        return at < 0 ? undefined : `Brand${at} Milk`;
      });
      const cart = Object.fromEntries(lines.map((line, at) => [line, quantities[at] as number]));
      assert.deepEqual(await chooseNames(stocks, cart), expected);
    }),
    { numRuns: runs(15) },
  );
});
