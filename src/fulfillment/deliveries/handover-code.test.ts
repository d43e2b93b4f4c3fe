import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Assigned, givenAssigned } from '../../../test/given/driver.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { givenTracked, givenTrackedStore } from '../../../test/given/tracked.ts';
import { givenApp } from '../../../test/harness.ts';
import { MAX_CODE_TRIES } from '../../ordering/order/handover-code.flow.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { takeStoreStep } from '../../surfaces/store-console/take-store-step.flow.ts';

const app = await givenApp();
const storeId = await givenTrackedStore(app);
const store = await givenStoreKey(app, storeId, app.accountId);
after(() => app.close());

const CODE = { drop_off: { where: 'leave_at_door', utensils: true, code: true } };
const HTML = { 'id-token': '', accept: 'text/html' };
const codeOf = async (orderId: string) =>
  (await findAnyOrder(app.service.deps.db, orderId))?.handoverCode ?? assert.fail('no code');
const wrongFor = (code: string) => (code === '0000' ? '0001' : '0000');

/** A delivery with a code that its driver has picked up. */
async function givenCarried(): Promise<Assigned & { code: string }> {
  const delivery = await givenAssigned(app, storeId, CODE);
  await delivery.call('pick_up', {});
  return { ...delivery, code: await codeOf(delivery.orderId) };
}

test("only the customer's page shows the PIN, and every page shows the handoff choices", async () => {
  const { orderId, link, seenLink, path, state, code } = await givenCarried();
  assert.match(code, /^\d{4}$/);
  const page = (await app.get(link, {}, HTML)).text;
  assert.match(page, new RegExp(`Your PIN: ${code}`));
  const shown = new RegExp(`(?:code|PIN)[^<]{0,20}${code}`, 'i');
  assert.doesNotMatch((await app.get(seenLink, {}, HTML)).text, shown);
  const driver = (await app.get(path, {}, HTML)).text;
  assert.match(driver, /Leave at the door[\s\S]*Include utensils[\s\S]*handover-code/);
  const answers = [
    (await state()).body,
    (await store.get('/store/orders')).body.orders.find((one: { order_id: string }) => one.order_id === orderId),
    (await app.get('/account/orders', { order_id: orderId })).body,
    (await app.get(`/account/orders/${orderId}/events`)).body,
  ];
  for (const answer of answers)
    assert.doesNotMatch(JSON.stringify(answer), new RegExp(`"${code}"|code[^,]{0,12}${code}`, 'i'));
  assert.doesNotMatch(driver, shown);
  assert.deepEqual(answers[1].drop_off, CODE.drop_off);
  assert.deepEqual(answers[2].orders[0].drop_off, CODE.drop_off);
});

test('a driver completes the order with the PIN, and a missing PIN is not counted as a try', async () => {
  const { call, code } = await givenCarried();
  for (const body of [{}, { code: '' }, { code: wrongFor(code) }, {}, {}, {}, {}, {}]) {
    const refused = await call('complete', body);
    assert.deepEqual([refused.status, refused.body.code], [422, 'wrong_code']);
  }
  assert.equal((await call('complete', { code })).body.stage, 'delivered');
  assert.equal((await call('complete', { code })).status, 200, 'repeated');
});

test('only an operator completes an order after five incorrect PINs', async () => {
  const { orderId, call, code } = await givenCarried();
  const tries = Array.from(
    { length: MAX_CODE_TRIES },
    (_, n) => [wrongFor(code), `${code}0`, '12', 'x'.repeat(20)][n % 4],
  );
  for (const [n, wrong] of tries.entries()) {
    const reply =
      n % 2
        ? await call('complete', { code: wrong })
        : await store.post(`/store/orders/${orderId}/complete`, { code: wrong });
    assert.deepEqual([reply.status, reply.body.code], [422, 'wrong_code'], reply.text);
  }
  for (const reply of [
    await call('complete', { code }),
    await store.post(`/store/orders/${orderId}/complete`, { code }),
  ]) {
    assert.deepEqual([reply.status, reply.body.code], [422, 'wrong_code'], reply.text);
  }
  const operator = {
    storeId,
    mode: 'sandbox',
    accountId: app.accountId,
    source: 'operator',
    id: 'op',
    orderId: null,
  } as const;
  const done = await takeStoreStep(app.service.deps, operator, orderId, { event: 'complete' });
  assert.equal(done.status, 'completed');
});

test('wrong codes at the same time are counted one by one', async () => {
  const { orderId, call, code } = await givenCarried();
  await Promise.all(Array.from({ length: 3 }, () => call('complete', { code: wrongFor(code) })));
  assert.equal((await findAnyOrder(app.service.deps.db, orderId))?.handoverTries, 3);
});

test('the customer changes the drop-off until pick-up: a code comes, stays and goes with it', async () => {
  const { orderId, advance } = await givenTracked(app, storeId, { pickup: true, driver_tip_cents: 0 });
  const update = async (code: boolean) => {
    const drop_off = { ...CODE.drop_off, code };
    const { status, body, text } = await app.post('/order/update', { order_id: orderId, drop_off });
    assert.deepEqual([status, body.drop_off], [200, drop_off], text);
    return (await findAnyOrder(app.service.deps.db, orderId))?.handoverCode;
  };
  const code = await update(true);
  assert.match(code ?? '', /^\d{4}$/);
  assert.equal(await update(true), code);
  assert.equal(await update(false), null);
  const again = await update(true);
  await advance('confirm');
  await advance('ready');
  const refused = await store.post(`/store/orders/${orderId}/complete`, {});
  assert.deepEqual([refused.status, refused.body.code], [422, 'wrong_code']);
  assert.equal((await store.post(`/store/orders/${orderId}/complete`, { code: again })).body.status, 'completed');
});

test('a drop-off that is none is refused by the name of its member', async () => {
  const { orderId } = await givenTracked(app, storeId);
  for (const drop_off of [{ ...CODE.drop_off, where: 'roof' }, { where: 'leave_at_door' }, 'door']) {
    const { status, body } = await app.post('/order/update', { order_id: orderId, drop_off });
    assert.deepEqual([status, body.code], [400, 'invalid_request']);
    assert.match(body.errors[0].name, /^drop_off/);
  }
});
