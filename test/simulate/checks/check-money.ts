import assert from 'node:assert/strict';
import { afterRefunds } from '../../../src/notify/messages/mail-content.ts';
import { receiptOfOrder } from '../../../src/ordering/money/receipt.ts';
import { findRefunds } from '../../../src/ordering/money/refunds.db.ts';
import { findAnyOrder } from '../../../src/ordering/order/orders.db.ts';
import { localeOf } from '../../../src/texts/catalogs.ts';
import { givenBackOf } from '../simulated-gateway.ts';
import type { Surroundings } from '../simulated-node.ts';
import type { FinalOrder } from './final-orders.ts';

type Booked = { chargeId: string; orderId: string; key: string; cents: number; backCents: number };

/** Gateways, orders, refund and tip ledgers and receipts agree to the cent. */
export async function checkMoney(around: Surroundings, orders: readonly FinalOrder[]): Promise<void> {
  const { database } = around;
  const booked = await readBooks(around);
  const holds = await readHolds(around);
  const known = new Set(orders.map(({ order_id }) => order_id));
  for (const { orderId, chargeId } of booked) assert.ok(known.has(orderId), `charge ${chargeId} has no order`);
  const tips = await database.ask<{ order_id: string; state: string; cents: number }>('select * from order_tips');
  const decided = await database.ask<{ order_id: string; before: string; plan: string }>(`
    with before as materialized (select order_id, money_plan as before from orders where status <> 'unplaced')
    update orders o set money_plan = null from before where o.order_id = before.order_id
    returning o.order_id, before, money_plan as plan`);
  for (const { order_id: id, before, plan } of decided) assert.equal(plan, before, `the migrated plan of order ${id}`);
  for (const order of orders) {
    const mine = booked.filter(({ orderId }) => orderId === order.order_id);
    const raised = tips.filter((tip) => tip.order_id === order.order_id);
    checkOrder(order, mine, raised);
    checkHolds(
      order,
      holds.filter(({ orderId }) => orderId === order.order_id),
    );
    if (order.status !== 'unplaced' && order.charge_user) await checkReceipt(around, order);
  }
}

async function readBooks({ gateway, database }: Surroundings): Promise<Booked[]> {
  const live = [...gateway.charges.values()]
    .filter(({ status }) => status === 'succeeded')
    .map(({ chargeId, orderId, key, amountCents }) => {
      return { chargeId, orderId, key, cents: amountCents, backCents: givenBackOf(gateway, chargeId) };
    });
  const sandbox = await database.ask<Booked>(`
    select charge_id as "chargeId", order_id as "orderId", idempotency_key as key, amount::int as cents,
      (select coalesce(sum(r.amount), 0)::int from sandbox_gateway_refunds r where r.charge_id = c.charge_id) as "backCents"
    from sandbox_gateway_charges c where status = 'succeeded'`);
  return [...live, ...sandbox];
}

type Tip = { state: string; cents: number };

function checkOrder(order: FinalOrder, booked: readonly Booked[], tips: readonly Tip[]): void {
  const about = `order ${order.order_id} (${order.status}, ${order.charge_state})`;
  const kept = booked.reduce((sum, { cents, backCents }) => sum + cents - backCents, 0);
  const keeping = booked.filter(({ cents, backCents }) => backCents < cents);
  assert.equal(order.refunding_cents, 0, `a promised refund of ${about}`);
  const isHeld = order.charge_state === 'authorized' && ['awaiting_confirmation', 'in_progress'].includes(order.status);
  assert.ok(
    isHeld || ['none', 'to_collect', 'charged', 'declined', 'refunded', 'waiting'].includes(order.charge_state),
    `the charge of ${about}`,
  );
  if (order.in_cash) {
    checkCash(order, { kept, tips: tips.length, about });
    return;
  }
  assert.equal(order.collected_cents, null, `cash of ${about}`);
  assert.equal(kept, order.charged_cents - order.refunded_cents, `what the gateway keeps of ${about}`);
  if (order.status === 'unplaced' || order.status === 'canceled') assert.equal(kept, 0, `what is kept of ${about}`);
  const charged = tips.filter(({ state }) => state === 'charged');
  assert.ok(keeping.length <= 1 + charged.length, `${keeping.length} charges are kept of ${about}`);
  for (const { state } of tips) {
    assert.ok(['charged', 'declined', 'given_up', 'returned'].includes(state), `a tip of ${about} is ${state}`);
  }
  if (!order.charge_user) {
    assert.equal(booked.length, 0, `a charge of ${about}`);
    return;
  }
  const tipCents = charged.reduce((sum, { cents }) => sum + Number(cents), 0);
  assert.equal(order.added_tip_cents, tipCents, `the ledger of tips of ${about}`);
  if (order.status === 'unplaced' || order.charged_cents === 0) return;
  const goodsCents = order.authorized_cents === null ? order.quote.totalWithTipCents : (order.captured_cents ?? 0);
  assert.equal(order.charged_cents, goodsCents + tipCents, `what was charged for ${about}`);
}

/** Cash goes through no gateway, is collected once, when the order is handed off, and is then what was due. */
function checkCash(order: FinalOrder, { kept, tips, about }: { kept: number; tips: number; about: string }): void {
  assert.deepEqual([kept, tips], [0, 0], `the gateway has charged ${about}`);
  const isDone = order.status === 'completed';
  const states = isDone ? ['charged', 'refunded'] : ['none', 'declined', 'to_collect'];
  assert.ok(states.includes(order.charge_state), `the charge of ${about}`);
  const isDue = order.status === 'awaiting_confirmation' || order.status === 'in_progress';
  assert.equal(order.charge_state === 'to_collect', isDue, `what is to be collected of ${about}`);
  assert.equal(order.collected_cents, isDone ? order.charged_cents : null, `what was collected of ${about}`);
  const agreed = order.quote.totalWithTipCents + order.added_tip_cents;
  const isWhole = isDone && order.adjustments.length === 0;
  const isBound = order.quote.items.every(({ weight }) => weight === undefined);
  if (isWhole) assert.equal(order.charged_cents, agreed, `what was due of ${about}`);
  else if (isBound) assert.ok(order.charged_cents <= agreed, `what was due of ${about}`);
}

/** What a card held: how it ended, if it has, of how much, and how many keys but its own its captures had. */
type Hold = {
  orderId: string;
  cents: number;
  state: 'held' | 'captured' | 'voided' | 'expired' | 'lost';
  keys: number;
};

async function readHolds({ gateway, database, machine }: Surroundings): Promise<Hold[]> {
  const live = [...gateway.charges.values()].flatMap(({ orderId, key, hold, status }): Hold[] => {
    const ends = {
      succeeded: 'captured',
      canceled: 'voided',
      expired: 'expired',
      lost: 'lost',
      authorized: 'held',
    } as const;
    if (!hold || !Object.hasOwn(ends, status)) return [];
    const isOver = status === 'authorized' && hold.untilMs <= machine.nowMs();
    const state = isOver ? 'expired' : ends[status as keyof typeof ends];
    return [{ orderId, cents: hold.cents, state, keys: [...hold.captureKeys].filter((one) => one !== key).length }];
  });
  const sandbox = await database.ask<Hold>(
    `select order_id as "orderId", authorized_amount::int as cents, 0 as keys, case when status = 'succeeded'
      then 'captured' when status = 'canceled' then 'voided' when capture_before > $1 then 'held' else 'expired' end as state
      from sandbox_gateway_charges where authorized_amount is not null and status in ('succeeded', 'canceled', 'authorized')`,
    [new Date(machine.nowMs()).toISOString()],
  );
  return [...live, ...sandbox];
}

/**
 * A hold is captured once or given free, never both, and an open order has one, unless its bank has ended it. None
 * expires unless its customer had to give another card.
 */
function checkHolds(order: FinalOrder, holds: readonly Hold[]): void {
  const about = `the holds of order ${order.order_id} (${order.status}, ${order.charge_state}): ${JSON.stringify(holds)}`;
  const count = (state: Hold['state']) => holds.filter((hold) => hold.state === state).length;
  const isHeld = order.charge_state === 'authorized' && order.hold_until !== null;
  const isLost = isHeld && count('held') === 0 && count('lost') > 0;
  if (!isLost) assert.equal(count('held'), isHeld ? 1 : 0, about);
  assert.ok(count('captured') <= (order.captured_cents === null ? 0 : 1), about);
  assert.ok(
    holds.every(({ cents, keys }) => cents === (order.authorized_cents ?? cents) && keys === 0),
    about,
  );
  const isDeclined = order.events.some(({ type }) => type === 'order.hold_declined');
  assert.ok(isDeclined || count('expired') === 0, about);
}

/** The receipt's lines add up to the charge, and after refunds to the balance. */
async function checkReceipt({ database }: Surroundings, order: FinalOrder): Promise<void> {
  const whole = await findAnyOrder(database.db, order.order_id);
  assert.ok(whole);
  const refunds = await findRefunds(database.db, [order.order_id]);
  const receipt = receiptOfOrder(whole, refunds, localeOf('en', 'US'));
  const lines = receipt.charges.reduce((sum, { cents }) => sum + cents, receipt.subtotalCents);
  const about = `the receipt of order ${order.order_id}`;
  assert.equal(lines, receipt.totalCents, about);
  const isHeld = order.authorized_cents !== null;
  if (!order.in_cash && !isHeld) assert.equal(receipt.totalCents, order.charged_cents, about);
  const isPaid = isHeld ? order.captured_cents !== null : !order.in_cash || order.status === 'completed';
  if (isPaid) assert.equal(afterRefunds(receipt), order.charged_cents - order.refunded_cents, about);
  const refunded = refunds.reduce((sum, one) => sum + one.refundedCents, 0);
  assert.equal(refunded, order.refunded_cents, `the ledger of refunds of order ${order.order_id}`);
}
