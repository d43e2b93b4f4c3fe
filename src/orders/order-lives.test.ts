import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CountedShop, givenCountedShop } from '../../test/given-counted-shop.ts';
import { givenStoreKey } from '../../test/given-merchant.ts';
import { occasionOf } from '../../test/given-occasion.ts';
import { assertEnd, LIFE_COMMANDS } from '../../test/lives/life-commands.ts';
import { modelStep, placedModel } from '../../test/lives/life-model.ts';
import { assertAgrees, liveAtOnce, moments } from '../../test/lives/lives-at-once.ts';
import { placedLife, takeStep } from '../../test/lives/pure-life.ts';
import { carts, orderOf } from '../../test/oracles/carts.ts';
import type { OracleCart } from '../../test/oracles/price-oracle.ts';
import type { AdvanceEvent } from './order-events.ts';
import { findAnyOrder } from './orders.db.ts';

const LIVES = 10_000;
const LIVES_AT_ONCE = 25;
const filled = carts.filter(({ lines }) => lines.length > 0);
/** How far an order is when its random life begins. */
const BEGINNINGS: readonly (readonly AdvanceEvent[])[] = [
  [],
  ['confirm'],
  ['confirm', 'assign_driver', 'pick_up'],
  ['confirm', 'assign_driver', 'pick_up', 'complete'],
];

/** An order of a cart that has taken some steps, as the model and as the rules have it. */
function begin(cart: OracleCart, paysByCard: boolean, steps: readonly AdvanceEvent[]) {
  const { order } = occasionOf(orderOf(cart));
  const life = { model: placedModel(cart, paysByCard), real: placedLife(order, paysByCard) };
  for (const step of steps) assert.equal(takeStep(life.real, step), modelStep(life.model, step));
  return life;
}

test(`${LIVES} random lives of an order: charges less refunds are the receipt and the gateway's books, and never above what was agreed`, (t) => {
  const ends = new Map<string, number>();
  const lives = fc.property(
    filled,
    fc.integer({ min: 1, max: 10 }),
    fc.constantFrom(...BEGINNINGS),
    fc.commands(LIFE_COMMANDS, { maxCommands: 24, size: 'max' }),
    (cart, cash, steps, commands) => {
      const life = begin(cart, cash > 1, steps);
      fc.modelRun(() => life, commands);
      assertEnd(life.model, life.real);
      const { status, refunds, charges } = life.model;
      for (const what of [status, ...refunds.map(({ kind }) => kind), ...charges.slice(1).map(() => 'tipped')]) {
        ends.set(what, (ends.get(what) ?? 0) + 1);
      }
    },
  );
  fc.assert(lives, { numRuns: LIVES });
  t.diagnostic(JSON.stringify(Object.fromEntries(ends)));
  // A run in which nothing happens would hold nothing.
  for (const what of ['completed', 'canceled', 'asked', 'changed', 'outside', 'tipped']) {
    assert.ok((ends.get(what) ?? 0) > LIVES / 20, `${what}: ${ends.get(what)}`);
  }
});

test('random requests about an order at the same moment, with a gateway that fails: every cent is accounted for', async (t) => {
  const shop = await givenCountedShop();
  t.after(() => shop.close());
  const { storeId } = (await findAnyOrder(shop.service.deps.db, await placed(shop))) ?? assert.fail('no order');
  const store = await givenStoreKey(shop, storeId, shop.accountId);
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(moments, async (life) => {
      const orderId = await placed(shop);
      const agreed = (await shop.get('/account/orders', { order_id: orderId })).body.orders[0].total_with_tip;
      await shop.post(`/sandbox/orders/${orderId}/advance`, { event: 'confirm' });
      for (const { status, text } of await liveAtOnce(shop, { store, orderId }, life)) {
        assert.ok([200, 402, 409, 422, 503].includes(status), text);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      await assertAgrees(shop, orderId, agreed);
    }),
    { numRuns: LIVES_AT_ONCE },
  );
  t.diagnostic(JSON.stringify(Object.fromEntries(statuses)));
});

/** Places an order of three units, and returns its id. */
async function placed(shop: CountedShop): Promise<string> {
  const { status, body, text } = await shop.place(shop.newKey(), { items: [{ ...shop.item(), quantity: 3 }] });
  assert.equal(status, 200, text);
  return body.order_id;
}
