import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { DINNER, givenMessageContext } from '../../../test/given/message-context.ts';
import { givenApp } from '../../../test/harness.ts';
import { columnName } from '../../platform/db/hot-statement.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { recordByName } from '../../platform/lib/records.ts';
import type { Order } from './order.ts';
import {
  columnsWith,
  ORDER_COLUMNS,
  ORDER_COPIES,
  orderAfterEvent,
  PROGRESS_START,
  WRITTEN_COLUMNS,
} from './order-columns.ts';
import { findEvents } from './order-events.db.ts';
import { insertOrders, placeOrders } from './order-statements.db.ts';
import { findAnyOrder, saveProgress, saveQuote, saveStep } from './orders.db.ts';

const app = await givenApp();

/** An order without progress. */
function givenDraft(): Order {
  const { order } = givenMessageContext(DINNER);
  const customer = { ...order.request.customer, userId: 'u1' };
  return {
    ...PROGRESS_START,
    request: { ...order.request, customer, paymentMethodId: null, favorited: true },
    quote: { ...order.quote, scheduled: { id: 'slot', startEpochS: 1_800_000_000, endEpochS: 1_800_003_600 } },
    orderId: randomId('ord_'),
    accountId: 'acc_1',
    mode: 'sandbox',
    storeId: 's1',
    idempotencyKey: null,
    checkoutKey: 'k'.repeat(27),
    checkoutUntil: app.now().add({ hours: 24 }),
    handoverCode: '0417',
    createdAt: app.now(),
  };
}

const SAMPLES = { text: 'sample', integer: 7, bigint: 5_000_000_000, boolean: true, jsonb: { name: 'Sample' } };

/** The order with a different value in each progress column. */
function moved(order: Order): Order {
  const samples = { ...SAMPLES, timestamptz: app.now() };
  const values = recordByName(columnsWith({ part: 'progress' }), (name) => samples[ORDER_COLUMNS[name].type]);
  const checked = { status: 'in_progress', moneyPlan: 'held', chargeState: 'charged', driverStage: 'nearby' };
  const lists = {
    stockHeld: [{ productNo: 3, quantity: 4 }],
    roomHeld: [{ quarter: 1_900_000, items: 4 }],
    adjustments: [{ index: 1, quantity: 2, substitute: null }],
  };
  return { ...order, ...values, ...checked, ...lists } as Order;
}

test('an order is read as it was written: new, quoted again, in progress', async () => {
  const { db } = app.service.deps;
  const draft = givenDraft();
  await insertOrders(db, [draft]);
  assert.deepEqual(await findAnyOrder(db, draft.orderId), draft);
  const rewritten = moved({ ...draft, storeId: 's2', idempotencyKey: 'key' });
  await saveQuote(db, rewritten, app.now());
  assert.deepEqual(await findAnyOrder(db, draft.orderId), rewritten);
  await saveProgress(db, draft);
  assert.deepEqual(await findAnyOrder(db, draft.orderId), { ...rewritten, ...PROGRESS_START });
});

test('the log shows an order as it was right after each event', async () => {
  const { db } = app.service.deps;
  const event = { type: 'order.confirmed' as const, data: {} };
  const draft = givenDraft();
  await insertOrders(db, [draft]);
  const first = { ...moved(draft), lastSequence: 1 };
  await saveStep(db, { order: first, event, at: app.now() });
  assert.deepEqual(await findAnyOrder(db, draft.orderId), first);
  await saveStep(db, { order: { ...draft, lastSequence: 2 }, event, at: app.now() });
  const [logged] = await findEvents(db, [{ orderId: draft.orderId, sequence: 1 }]);
  const kept = recordByName(columnsWith({ logged: true }), (name) => first[name]);
  assert.deepEqual(logged?.order, { ...draft, ...kept });
});

test('an event that is older than a logged column has its first value', () => {
  const { cancelReason, eta } = orderAfterEvent(moved(givenDraft()), {});
  assert.deepEqual({ cancelReason, eta }, { cancelReason: null, eta: null });
});

test('placing a charged order writes the columns of its step, and its number', async () => {
  const { db } = app.service.deps;
  const waiting: Order = { ...givenDraft(), chargeState: 'pending', chargeAttempt: 1 };
  await insertOrders(db, [waiting]);
  const placed = { ...waiting, ...recordByName(WRITTEN_COLUMNS.placed, (name) => moved(waiting)[name]) } as Order;
  const event = { type: 'order.placed' as const, data: {} };
  const ended = await placeOrders(db, [{ order: placed, event, at: app.now(), chargeState: 'pending' }]);
  assert.deepEqual([...ended], [[placed.orderId, 'A1']]);
  assert.deepEqual(await findAnyOrder(db, placed.orderId), { ...placed, orderNumber: 'A1' });
});

test('the list covers every column of the table, with its type', async () => {
  const { rows } = await sql<{ name: string; type: string }>`
    select column_name::text as name, udt_name::text as type from information_schema.columns
    where table_schema = current_schema() and table_name = 'orders'`.execute(app.service.deps.db);
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  const PG_TYPES: Readonly<Record<string, string>> = { integer: 'int4', bigint: 'int8', boolean: 'bool' };
  const listed = Object.entries(ORDER_COLUMNS).map(([name, { type }]) => [columnName(name), PG_TYPES[type] ?? type]);
  for (const [name = '', type] of listed) assert.equal(types.get(name), type, name);
  const copies = Object.keys(ORDER_COPIES).map(columnName);
  const known = [...listed.map(([name]) => name), ...copies, 'requoted_at'];
  assert.deepEqual([...types.keys()].sort(), known.sort());
});
