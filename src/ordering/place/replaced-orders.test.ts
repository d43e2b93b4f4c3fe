import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { killedAfterCharging, killedBeforeCharging, withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenCountedShop } from '../../../test/given/counted-shop.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type App, givenApp } from '../../../test/harness.ts';

const shop = await givenCountedShop();
const pies = await givenPizzeria(givenApp);
after(async () => {
  await shop.close();
  await pies.close();
});

/** Blocks an order's next store lookup until released. */
function holdNextQuote(app: App) {
  const { inventory } = app.service.deps;
  const { snapshot } = inventory;
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  inventory.snapshot = async (...query) => {
    inventory.snapshot = snapshot;
    const found = await snapshot.apply(inventory, query);
    reached.resolve();
    await gate.promise;
    return found;
  };
  return { reached: reached.promise, letGo: gate.resolve };
}

/** Finalizes an order that `replace` replaces while its quote is recomputed. */
async function finalizeReplaced(app: App, orderId: string, replace: () => ReturnType<App['post']>) {
  const held = holdNextQuote(app);
  const finalizing = app.post('/order/finalize', { order_id: orderId });
  await held.reached;
  const replaced = await replace();
  assert.equal(replaced.status, 200, replaced.text);
  held.letGo();
  return { replaced, refused: await finalizing };
}

const readTotal = ({ body }: Awaited<ReturnType<App['post']>>) => body.final_quote.total_with_tip;

test('an order replaced during finalizing isn’t placed in its earlier form', async () => {
  const quoted = await shop.place(shop.newKey(), { place_order: false });
  const orderId = quoted.body.order_id;
  const changes = { order_id: orderId, place_order: false, items: [{ ...shop.item(), quantity: 3 }] };
  const { refused, replaced } = await finalizeReplaced(shop, orderId, () => shop.place(shop.newKey(), changes));
  assert.deepEqual([refused.status, refused.body.code], [409, 'quote_changed'], refused.text);
  assert.equal(readTotal(refused), readTotal(replaced));
  assert.deepEqual(await shop.books(orderId), []);
  const placed = await shop.post('/order/finalize', { order_id: orderId });
  assert.deepEqual([placed.status, readTotal(placed)], [200, readTotal(replaced)]);
  await shop.assertChargedOnce(orderId, readTotal(replaced));
  await shop.cancel(orderId);
});

for (const [what, fees] of [
  ['of a store that is as it was', undefined],
  ['of a store with new prices', { order_minimum: 500, sales_tax_percent: 10 }],
] as const) {
  test(`an order without counted stock ${what} stays as it was replaced`, async () => {
    const quoted = await pies.place('Margherita', { place_order: false, items: [pies.bigPie()] });
    const orderId = quoted.body.order_id;
    if (fees) await givenStores(pies, [pizzeria({ fees })]);
    const changes = { order_id: orderId, place_order: false, items: [{ ...pies.bigPie(), quantity: 2 }] };
    const { refused, replaced } = await finalizeReplaced(pies, orderId, () => pies.place('Margherita', changes));
    assert.deepEqual([refused.body.code, readTotal(refused)], ['quote_changed', readTotal(replaced)], refused.text);
    const placed = await pies.post('/order/finalize', { order_id: orderId });
    assert.deepEqual([placed.status, readTotal(placed)], [200, readTotal(replaced)]);
  });
}

for (const [point, breakage] of [
  ['before the charge', killedBeforeCharging],
  ['after the charge', killedAfterCharging],
] as const) {
  test(`a retry that replaces and places an order of the day before finds the first outcome, killed ${point}`, async () => {
    const quoted = await shop.place(shop.newKey(), { place_order: false });
    const orderId = quoted.body.order_id;
    await shop.advance({ hours: 25 });
    const [key, changes] = [shop.newKey(), { order_id: orderId }];
    await withBrokenGateway(shop, breakage, () => shop.place(key, changes));
    await shop.advance({ seconds: 31 });
    const reply = await shop.place(key, changes);
    assert.deepEqual([reply.status, reply.body.order_id, reply.body.order_placed], [200, orderId, true], reply.text);
    await shop.assertChargedOnce(orderId);
    await shop.cancel(orderId);
  });
}
