import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { givenPizzeria, type Pizzeria } from '../../../test/given-pizzeria.ts';
import { findBudgetUse } from '../../accounts/budgets/account-limits.db.ts';
import { budgetDay } from '../../accounts/budgets/budget.ts';
import type { Order } from '../order.ts';
import { listEvents } from '../order-events.db.ts';
import { findAnyOrder } from '../orders.db.ts';
import { insertPlaced } from './insert-placed.db.ts';

const MOST = 3;

let shop: Pizzeria;
let template: Order;
before(async () => {
  shop = await givenPizzeria();
  const { body } = await shop.place('Margherita', { items: [shop.bigPie()], charge_user: false });
  template = (await findAnyOrder(db(), body.order_id)) ?? assert.fail(body);
});
after(() => shop.close());

const db = () => shop.service.deps.db;
const insert = (orderId: string, idempotencyKey: string | null = null, most = MOST) => {
  const order: Order = { ...template, orderId, idempotencyKey, mode: 'live' };
  return insertPlaced(db(), { order, event: { type: 'order.placed', data: {} }, at: shop.now() }, most);
};

async function usedOfBudget(): Promise<number> {
  const rows = await findBudgetUse(db(), shop.accountId, budgetDay(shop.now()));
  return rows.find(({ kind, mode }) => kind === 'unpaid_orders' && mode === 'live')?.used ?? 0;
}

test('an order without a charge is stored as its placing leaves it, with its event', async () => {
  const { orderNumber: number, lastSequence } = template;
  assert.deepEqual(
    [template.status, template.chargeState, number, lastSequence],
    ['awaiting_confirmation', 'none', 'A1', 1],
  );
  const [event, ...more] = await listEvents(db(), template.orderId);
  assert.deepEqual([event?.type, event?.sequence, event?.at, more], ['order.placed', 1, template.placedAt, []]);
});

test('an order whose key is stored already, or beyond the budget, uses neither a number nor the budget', async () => {
  assert.deepEqual(await insert('ord_first', 'key'), { orderNumber: 'A1' });
  assert.equal(await insert('ord_again', 'key'), 'known');
  assert.equal(await usedOfBudget(), 1);
  assert.deepEqual(await insert('ord_second'), { orderNumber: 'A2' });
  assert.deepEqual(await insert('ord_third', 'other'), { orderNumber: 'A3' });
  assert.equal(await insert('ord_fourth'), 'over_budget');
  assert.equal(await usedOfBudget(), MOST);
  // The next number, after one that was refused: a larger budget lets the order in.
  assert.deepEqual(await insert('ord_fifth', null, MOST + 1), { orderNumber: 'A4' });
  assert.equal(await usedOfBudget(), MOST + 1);
  for (const orderId of ['ord_again', 'ord_fourth']) {
    assert.deepEqual([await findAnyOrder(db(), orderId), await listEvents(db(), orderId)], [undefined, []]);
  }
});
