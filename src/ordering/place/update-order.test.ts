import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { givenApp } from '../../../test/harness.ts';

const shop = await givenPizzeria(givenApp);

const update = (order_id: string, changes: object) => shop.post('/order/update', { order_id, ...changes });
const placed = async (changes: object = {}): Promise<string> =>
  (await shop.place('Soda', { items: [{ product_id: shop.tokens.Soda, quantity: 4 }], ...changes })).body.order_id;
const eventsOf = async (orderId: string) =>
  (await shop.get(`/account/orders/${orderId}/events`)).body.events.map(
    ({ type, data }: { type: string; data: { changed?: string[] } }) => [type, data.changed],
  );

test('a wrong door is fixed without another order: once, told in an event, and nothing else changes', async () => {
  const orderId = await placed();
  const before = await shop.orderOf(orderId);
  const changes = { user_apt_num: '9C', user_dropoff_notes: 'Side door', user_phone: '+1 212 555 0142' };
  for (const _ of ['first', 'again']) {
    const { status, body } = await update(orderId, changes);
    assert.deepEqual([status, body.user_dropoff_notes], [200, 'Side door']);
  }
  const after = await shop.orderOf(orderId);
  const changed = Object.keys(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
  assert.deepEqual(changed.sort(), ['user_apt_num', 'user_dropoff_notes', 'user_phone']);
  assert.deepEqual((await eventsOf(orderId)).slice(1), [
    ['order.updated', ['user_phone', 'user_apt_num', 'user_dropoff_notes']],
  ]);
  assert.equal((await shop.chargesOf(orderId)).length, 1);
});

test('a new phone replaces the former extension, and a changed extension is a change', async () => {
  const orderId = await placed({ user_phone: '212-555-0142 x7' });
  const extensions: unknown[] = [];
  for (const user_phone of ['212-555-0142 x12', '212-555-0143']) {
    const { body } = await update(orderId, { user_phone });
    extensions.push([body.user_phone, body.user_phone_extension]);
  }
  assert.deepEqual(extensions, [
    [12125550142, '12'],
    [12125550143, undefined],
  ]);
  assert.equal((await eventsOf(orderId)).length, 3);
});

test('omitted fields keep their values, notes may be emptied, and fields placing needs may not', async () => {
  const orderId = await placed({ user_dropoff_notes: 'Ring twice' });
  assert.equal((await update(orderId, { user_name: 'Jo Doe' })).body.user_dropoff_notes, 'Ring twice');
  assert.equal((await update(orderId, { user_dropoff_notes: '' })).body.user_dropoff_notes, '');
  for (const [name, value] of [
    ['user_name', ' '],
    ['user_phone', 'none'],
  ] as const) {
    const { status, body } = await update(orderId, { [name]: value });
    assert.deepEqual([status, body.errors[0].name], [400, name]);
  }
  const { body } = await update(orderId, { user_name: '' });
  assert.deepEqual(body.errors, [{ in: 'body', name: 'user_name', message: 'must not be empty' }]);
  const { headers } = await update(orderId, { user_zipcode: '10001' });
  assert.equal(headers['doorstep-warning'], 'user_zipcode is ignored.');
});

test('a delivery changes until it is picked up, a pickup until it is ready, and a quoted or ended order never', async () => {
  const tries = async (orderId: string, steps: readonly string[]) => {
    const answers: number[] = [];
    for (const step of ['', ...steps]) {
      if (step !== '') await shop.step(orderId, step);
      answers.push((await update(orderId, { user_name: `Jo ${step || 'placed'}` })).status);
    }
    return answers;
  };
  const delivery = ['confirm', 'ready', 'assign_driver', 'pick_up', 'approach', 'complete'];
  assert.deepEqual(await tries(await placed(), delivery), [200, 200, 200, 200, 409, 409, 409]);
  const pickup = await placed({ pickup: true, driver_tip_cents: 0 });
  assert.deepEqual(await tries(pickup, ['confirm', 'ready', 'complete']), [200, 200, 409, 409]);
  assert.deepEqual(await tries(await placed(), ['cancel']), [200, 409]);
  const quoted = await placed({ place_order: false });
  const refused = await update(quoted, { user_name: 'Jo' });
  assert.deepEqual([refused.status, refused.body.code], [409, 'transition_not_allowed']);
  const stranger = await shop.givenClient();
  const unknown = await stranger.post('/order/update', { order_id: quoted, user_name: 'Jo' });
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'order_not_found']);
});

test('an order changes up to ten times, because each change rings at the store', async () => {
  const orderId = await placed();
  const statuses: number[] = [];
  for (let n = 0; n < 12; n += 1) statuses.push((await update(orderId, { user_apt_num: `${n}` })).status);
  assert.deepEqual(statuses, [...Array(10).fill(200), 409, 409]);
  assert.equal((await update(orderId, { user_apt_num: '9' })).status, 200, 'nothing changes');
});

test('of changes at the same time each is kept, and each is an event of its own', async () => {
  const orderId = await placed();
  const names = ['user_name', 'user_apt_num', 'user_dropoff_notes', 'user_pickup_notes'];
  const answers = await Promise.all(names.map((name) => update(orderId, { [name]: `New ${name}` })));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  const order = await shop.orderOf(orderId);
  assert.deepEqual(
    names.map((name) => order[name]),
    names.map((name) => `New ${name}`),
  );
  assert.equal((await eventsOf(orderId)).filter(([type]: [string]) => type === 'order.updated').length, 4);
});
