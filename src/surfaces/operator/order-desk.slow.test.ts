import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { givenCountedShop, lostCharges, silent } from '../../../test/given/counted-shop.ts';
import { givenLiveShop } from '../../../test/given/live-shop.ts';
import { givenChannel, givenConsole } from '../../../test/given/merchant.ts';
import { givenPaymentMethod } from '../../../test/given/orders.ts';
import type { Reply } from '../../../test/harness.ts';
import { modelAnswers } from '../../../test/lives/gateway-model.ts';
import {
  backOf,
  chargedOf,
  type LifeModel,
  modelAdjust,
  modelRefund,
  modelRefundUnits,
  modelStep,
  modelTip,
  paidOf,
  placedModel,
} from '../../../test/lives/life-model.ts';
import type { OracleCart } from '../../../test/oracles/price-oracle.ts';
import { runs } from '../../../test/runs.ts';

const shop = await givenCountedShop();
const operator = await givenConsole(shop, null);
after(() => shop.close());

const desk = (orderId: string, action: string, body: object) =>
  operator.post(`/operator/orders/${orderId}/${action}`, { reason: 'cold', ...body });
const preview = (orderId: string, action: string, body: object = {}) =>
  desk(orderId, action, { ...body, preview: true });
const statusAndCode = ({ status, body }: Reply) => [status, body.code];
const step = async (orderId: string, event: string) =>
  (await shop.post(`/sandbox/orders/${orderId}/advance`, { event })).status === 200;
const readOrder = async (orderId: string) => (await operator.get(`/operator/orders/${orderId}`)).body;
const refundedOf = async (orderId: string) =>
  (await shop.books(orderId)).reduce((sum, [, refunded]) => sum + refunded, 0);

async function previewId(orderId: string, action: string, body: object = {}): Promise<string> {
  const reply = await preview(orderId, action, body);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.preview.preview_id;
}

/** Previews a change and confirms it. */
async function act(orderId: string, action: string, body: object = {}): Promise<Reply> {
  return desk(orderId, action, { ...body, preview_id: await previewId(orderId, action, body) });
}

async function givenOrder(quantities: readonly number[] = [3], events: readonly string[] = ['confirm'], more = {}) {
  const items = quantities.map((quantity) => ({ ...shop.item(), quantity }));
  const placed = await shop.place(shop.newKey(), { items, ...more });
  assert.equal(placed.status, 200, placed.text);
  for (const event of events) assert.ok(await step(placed.body.order_id, event));
  return placed.body.order_id as string;
}

test('a preview changes nothing, and its exact change is then made and recorded', async () => {
  const changes = [
    ['refund', { amount: 500 }, 500, 'order.refunded'],
    ['refund', { items: [{ index: 0, quantity: 1 }] }, 1633, 'order.refunded'],
    ['adjust', { index: 0, quantity: 2 }, 1796, 'order.item_changed'],
    ['tip', { driver_tip_cents: 700 }, 0, 'order.tipped'],
    ['cancel', {}, 5888, 'order.canceled'],
  ] as const;
  for (const [action, body, cents, type] of changes) {
    const orderId = await givenOrder();
    const untouched = await readOrder(orderId);
    const { body: first } = await preview(orderId, action, body);
    assert.deepEqual(await readOrder(orderId), untouched, action);
    assert.deepEqual([first.refund_amount, first.is_done], [cents, false], action);
    const parts: { amount: number }[] = first.preview.card;
    assert.equal(
      parts.reduce((sum, { amount }) => sum + amount, 0),
      cents,
      action,
    );
    const made = await desk(orderId, action, { ...body, preview_id: first.preview.preview_id });
    assert.equal(made.status, 200, made.text);
    const { preview: _, is_done: __, ...stated } = first;
    const { refund_id: refundId, ...answered } = made.body;
    assert.deepEqual(answered, { ...stated, is_done: true }, action);
    assert.equal(await refundedOf(orderId), cents, action);
    const order = await readOrder(orderId);
    const event = order.events.find((one: { type: string }) => one.type === type);
    assert.deepEqual([event.data.by, event.data.reason], ['operator', 'cold'], action);
    assert.deepEqual(
      order.actions.map((one: { action: string }) => one.action),
      [`order.${action}`],
    );
    assert.deepEqual(
      [order.actions[0].details.reason, order.actions[0].details.refund_amount, order.actions[0].details.refund_id],
      ['cold', cents, refundId],
      action,
    );
  }
});

test('repeated clicks, tabs and lost responses make a change once', async () => {
  for (const [action, body] of [
    ['refund', { amount: 500 }],
    ['adjust', { index: 0, quantity: 1 }],
    ['tip', { driver_tip_cents: 900 }],
    ['cancel', {}],
  ] as const) {
    const orderId = await givenOrder();
    const tabs = await Promise.all([previewId(orderId, action, body), previewId(orderId, action, body)]);
    assert.equal(tabs[0], tabs[1]);
    const clicks = await Promise.all(
      [...tabs, ...tabs, ...tabs].map((id) => desk(orderId, action, { ...body, preview_id: id })),
    );
    const ids = new Set(clicks.map(({ status }) => status));
    assert.deepEqual([...ids], [200], clicks.map(({ text }) => text).join('\n'));
    assert.equal((await desk(orderId, action, { ...body, preview_id: tabs[0] })).status, 200);
    const { actions, charge } = await readOrder(orderId);
    assert.equal(actions.length, 1, action);
    const due = { refund: 500, adjust: 3593, tip: 0, cancel: charge.charged_amount }[action];
    assert.deepEqual([charge.refunded_amount, await refundedOf(orderId)], [due, due], action);
    assert.equal((await shop.books(orderId)).length, action === 'tip' ? 2 : 1);
  }
});

test('a preview that is out of date is refused, and so is one of another change or order', async () => {
  const orderId = await givenOrder();
  const other = await givenOrder();
  const id = await previewId(orderId, 'refund', { amount: 500 });
  await step(orderId, 'ready');
  const outdated = await desk(orderId, 'refund', { amount: 500, preview_id: id });
  assert.deepEqual(statusAndCode(outdated), [409, 'preview_outdated'], outdated.text);
  const fresh = await previewId(orderId, 'refund', { amount: 500 });
  for (const [to, body] of [
    [orderId, { amount: 501 }],
    [orderId, { items: [{ index: 0, quantity: 1 }] }],
    [other, { amount: 500 }],
  ] as const) {
    const reply = await desk(to, 'refund', { ...body, preview_id: fresh });
    assert.deepEqual(statusAndCode(reply), [409, 'preview_outdated']);
  }
  assert.equal(await refundedOf(orderId), 0);
  assert.equal((await desk(orderId, 'refund', { amount: 500, preview_id: fresh })).status, 200);
});

test('without a reason or a preview nothing happens, and the preview shows the rules’ errors', async () => {
  const orderId = await givenOrder();
  const id = await previewId(orderId, 'refund', { amount: 500 });
  for (const body of [{ amount: 500 }, { amount: 500, preview_id: id, reason: ' ' }, { amount: 5, items: [] }, {}]) {
    assert.deepEqual(statusAndCode(await desk(orderId, 'refund', body)), [400, 'invalid_request']);
  }
  const refused = (action: string, body: object) => preview(orderId, action, body).then(statusAndCode);
  assert.deepEqual(await refused('refund', { amount: 99_999 }), [422, 'refund_not_allowed']);
  assert.deepEqual(await refused('adjust', { index: 7, quantity: 0 }), [404, 'not_found']);
  for (const driver_tip_cents of [100, 10_001]) {
    assert.deepEqual(await refused('tip', { driver_tip_cents }), [422, 'tip_not_allowed']);
  }
  assert.deepEqual(statusAndCode(await preview('ord_none', 'cancel')), [404, 'order_not_found']);
  for (const event of ['assign_driver', 'pick_up']) await step(orderId, event);
  assert.deepEqual(await refused('cancel', {}), [409, 'transition_not_allowed']);
  assert.deepEqual(await refused('adjust', { index: 0, quantity: 0 }), [409, 'transition_not_allowed']);
  assert.equal(await refundedOf(orderId), 0);
});

test('a silent gateway leaves the refund pending and the tip to be continued; a decline raises no tip', async () => {
  const orderId = await givenOrder();
  const id = await previewId(orderId, 'refund', { amount: 500 });
  const pending = await withBrokenGateway(
    shop,
    () => ({ refund: silent }),
    () => desk(orderId, 'refund', { amount: 500, preview_id: id }),
  );
  assert.deepEqual([pending.status, (await readOrder(orderId)).charge.refunding_amount], [200, 500], pending.text);
  await shop.advance({ minutes: 5 });
  await shop.runLeftOrders();
  assert.equal(await refundedOf(orderId), 500);
  const tip = { driver_tip_cents: 900 };
  const ofTip = await previewId(orderId, 'tip', tip);
  const lost = await withBrokenGateway(shop, lostCharges, () => desk(orderId, 'tip', { ...tip, preview_id: ofTip }));
  assert.equal(lost.status, 503, lost.text);
  assert.deepEqual(statusAndCode(await preview(orderId, 'tip', tip)), [409, 'idempotency_in_progress']);
  const continued = await desk(orderId, 'tip', { ...tip, preview_id: ofTip });
  assert.deepEqual([continued.status, continued.body.tip], [200, 900], continued.text);
  assert.equal((await shop.books(orderId)).length, 2);
  await shop.payLaterWith(orderId, await givenPaymentMethod(shop, 4000000000000002));
  const declined = await act(orderId, 'tip', { driver_tip_cents: 1000 });
  assert.deepEqual(statusAndCode(declined), [402, 'payment_declined'], declined.text);
  assert.equal((await readOrder(orderId)).order.driver_tip_cents, 900);
});

test('the preview names everyone to be told: customer, store channels and webhook', async (t) => {
  const live = await givenLiveShop(t);
  await givenChannel(live.app, live.storeId, { email: 'kitchen@example.com' });
  const desk = await givenConsole(live.app, null);
  const orderId = await live.place({ user_email: 'jane.doe@example.com' });
  await live.app.advance({ seconds: 1 });
  const path = `/operator/orders/${orderId}/cancel`;
  const { body, text } = await desk.post(path, { preview: true });
  assert.deepEqual(body.preview.told, [
    { who: 'customer', by: 'email', what: 'order_canceled', to: 'j…@example.com' },
    { who: 'store', by: 'email', what: 'canceled', to: '' },
  ]);
  assert.doesNotMatch(text, /jane\.doe|kitchen/);
  const before = live.smtp.received.length;
  const made = await desk.post(path, { reason: 'closed', preview_id: body.preview.preview_id });
  assert.deepEqual([made.status, made.body.status], [200, 'canceled'], made.text);
  await live.app.advance({ seconds: 5 });
  assert.equal(live.smtp.received.length, before + body.preview.told.length);
});

/** The shop's product and fees for the oracle. */
const cartOf = (quantities: readonly number[]): OracleCart => ({
  pickup: false,
  lines: quantities.map((units) => ({ price: 1500n, quantity: BigInt(units), marked: null, options: [] })),
  delivery: { flat: 299n, percent: '0', taxable: false, thresholds: [] },
  slot: null,
  service: { flat: 0n, percent: '10', min: 100n, max: 800n, taxable: true },
  pickupService: null,
  small: { flat: 200n, percent: '0', minimum: 1200n },
  taxPercent: '8.875',
  namedTaxes: null,
  tip: 200n,
  pricesMarked: false,
  added: { flat: 0n, percent: '0', taxable: false },
  misc: [],
});

type Change = { action: string; body: object; model(life: LifeModel): unknown };
const line = fc.integer({ min: 0, max: 1 });
const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.integer({ min: 1, max: 6000 }).map((amount) => ({
    action: 'refund',
    body: { amount },
    model: (life: LifeModel) => modelRefund(life, BigInt(amount)),
  })),
  fc.record({ index: line, quantity: fc.integer({ min: 1, max: 3 }) }).map((item) => ({
    action: 'refund',
    body: { items: [item] },
    model: (life: LifeModel) => modelRefundUnits(life, [{ line: item.index, units: BigInt(item.quantity) }], false),
  })),
  fc.record({ index: line, quantity: fc.integer({ min: 0, max: 3 }) }).map((item) => ({
    action: 'adjust',
    body: item,
    model: (life: LifeModel) => {
      const units = BigInt(item.quantity);
      // More units than were ordered are refused, and as many as are handed off change nothing.
      if (units > (life.cart.lines[item.index]?.quantity ?? 0n)) return undefined;
      return life.handed[item.index] === units ? 0n : modelAdjust(life, item.index, units);
    },
  })),
  fc.integer({ min: 0, max: 20 }).map((dollars) => ({
    action: 'tip',
    body: { driver_tip_cents: dollars * 100 },
    model: (life: LifeModel) => modelTip(life, BigInt(dollars * 100)),
  })),
  fc.constant({
    action: 'cancel',
    body: {},
    model: (life: LifeModel) => life.status === 'canceled' || modelStep(life, 'cancel') || undefined,
  }),
);
const lives = fc.array(
  fc.oneof({ weight: 3, arbitrary: changes }, fc.constantFrom('confirm', 'assign_driver', 'pick_up', 'complete')),
  { minLength: 2, maxLength: 8 },
);

test('refunds, adjustments, tips and cancellations by operators in any order equal the exact model', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 2 }),
      lives,
      async (quantities, life) => {
        const orderId = await givenOrder(quantities, []);
        const model = placedModel(cartOf(quantities), 'card');
        for (const one of life) {
          if (typeof one === 'string') assert.equal(await step(orderId, one), modelStep(model, one), one);
          else await assertChange(orderId, model, one);
        }
      },
    ),
    { numRuns: runs(100) },
  );
});

async function assertChange(orderId: string, model: LifeModel, { action, body, model: changeModel }: Change) {
  const [back, charged] = [backOf(model), chargedOf(model)];
  const foreseen = await preview(orderId, action, body);
  const isAllowed = changeModel(model) !== undefined;
  modelAnswers(model, 'answers');
  assert.equal(foreseen.status === 200, isAllowed, `${action} ${JSON.stringify(body)} ${foreseen.text}`);
  if (!isAllowed) return;
  const amounts = [backOf(model) - back, chargedOf(model) - charged, paidOf(model)].map(Number);
  const { refund_amount: refunded, charge_amount: added, paid_amount: paid, is_done: isDone } = foreseen.body;
  assert.deepEqual([refunded, added, paid], amounts, `${action} ${JSON.stringify(body)}`);
  if (isDone) return;
  const made = await desk(orderId, action, { ...body, preview_id: foreseen.body.preview.preview_id });
  assert.equal(made.status, 200, made.text);
  const { charge } = await readOrder(orderId);
  assert.deepEqual([charge.charged_amount, charge.refunded_amount], [chargedOf(model), backOf(model)].map(Number));
  assert.equal(await refundedOf(orderId), Number(backOf(model)));
}
