import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenTracked, givenTrackedStore, type Tracked } from '../../../test/given/tracked.ts';
import { givenApp } from '../../../test/harness.ts';
import { MARKUP_PAYLOADS } from '../../../test/hostile/markup-payloads.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';

const app = await givenApp();
const storeId = await givenTrackedStore(app);
after(() => app.close());

async function ask(request: object) {
  const { statusCode: status, body: text, headers } = await app.service.http.inject(request as { url: string });
  return { status, text, location: String(headers.location) };
}
const open = ({ link }: Pick<Tracked, 'link'>) => ask({ url: link.replace('/tracking?', '/tracking/notes?') });
function save({ link }: Pick<Tracked, 'link'>, fields: Record<string, string>, headers = {}) {
  const { host, origin } = new URL(app.config.trackingUrl);
  const type = 'application/x-www-form-urlencoded';
  return ask({
    method: 'POST',
    url: '/tracking/notes',
    headers: { 'content-type': type, host, origin, 'sec-fetch-site': 'same-origin', ...headers },
    payload: `${link.slice('/tracking?'.length)}&${new URLSearchParams(fields)}`,
  });
}
const customerOf = async ({ orderId }: Tracked) => {
  const order = (await findAnyOrder(app.service.deps.db, orderId)) ?? assert.fail('no order');
  const { aptNum, dropoffNotes, pickupNotes } = order.request.customer;
  return { aptNum, dropoffNotes, pickupNotes, events: order.lastSequence };
};
const linkOf = async ({ link }: Tracked) => (await ask({ url: link })).text.includes('id="change-notes"');

test('a customer changes notes and apartment once from the order’s page, until the driver has it', async () => {
  const order = await givenTracked(app, storeId);
  assert.equal(await linkOf(order), true);
  assert.match((await open(order)).text, /id="apt"/);
  const before = await customerOf(order);
  for (const _ of ['first', 'a double click']) {
    const saved = await save(order, { apt: '9C', notes: 'Side door\r\nplease' });
    assert.deepEqual([saved.status, saved.location.includes('/tracking?')], [303, true]);
  }
  const after = await customerOf(order);
  assert.deepEqual(after, { ...before, aptNum: '9C', dropoffNotes: 'Side door\nplease', events: before.events + 1 });
  assert.match((await open(order)).text, /value="9C"[\s\S]*>Side door\nplease<\/textarea>/);
  for (const step of ['confirm', 'assign_driver', 'pick_up']) await order.advance(step);
  assert.equal(await linkOf(order), false);
  for (const refused of [await open(order), await save(order, { apt: '1A', notes: '' })]) {
    assert.deepEqual([refused.status, /can’t be changed now/.test(refused.text)], [409, true]);
  }
  assert.equal((await customerOf(order)).aptNum, '9C');
});

test('a customer chooses the drop-off next to the notes; the page keeps it, and editing notes leaves it', async () => {
  const order = await givenTracked(app, storeId);
  const dropOffOf = async () => (await findAnyOrder(app.service.deps.db, order.orderId))?.request.customer.dropOff;
  assert.match((await open(order)).text, /<option value="" selected>/);
  assert.equal((await save(order, { notes: 'x', where: '' })).status, 303);
  assert.equal(await dropOffOf(), undefined);
  assert.equal((await save(order, { notes: 'x', where: 'leave_at_door', code: 'yes' })).status, 303);
  const chosen = { where: 'leave_at_door', utensils: false, code: true };
  assert.deepEqual(await dropOffOf(), chosen);
  const { text } = await open(order);
  assert.match(
    text,
    /value="leave_at_door" selected[\s\S]*name="utensils" value="yes">[\s\S]*name="code" value="yes" checked>/,
  );
  const [withKey, shared] = [await ask({ url: order.link }), await ask({ url: order.link.replace(/&key=[^&]*/, '') })];
  assert.match(withKey.text, /Delivery instructions<\/dt><dd>Leave at the door · No utensils · Ask for the PIN</);
  assert.doesNotMatch(shared.text, /Leave at the door/, 'only the customer reads it');
  assert.equal((await save(order, { notes: 'y' })).status, 303);
  assert.deepEqual(await dropOffOf(), chosen);
  assert.equal((await save(order, { notes: 'y', where: 'roof' })).status, 400);
});

test('a pickup has notes only for the store, until it is ready', async () => {
  const order = await givenTracked(app, storeId, { pickup: true });
  assert.doesNotMatch((await open(order)).text, /id="apt"/);
  assert.equal((await save(order, { apt: '9C', notes: 'Blue car' })).status, 303);
  const { aptNum, pickupNotes } = await customerOf(order);
  assert.deepEqual([aptNum === '9C', pickupNotes], [false, 'Blue car']);
  for (const step of ['confirm', 'ready']) await order.advance(step);
  assert.equal((await save(order, { notes: 'Red car' })).status, 409);
});

test('a link without the key, a form of another site, too long texts and markup change or show nothing', async () => {
  const order = await givenTracked(app, storeId);
  const before = await customerOf(order);
  const keyless = { link: order.link.replace(/&key=[^&]*/, '') };
  assert.equal(await ask({ url: keyless.link }).then(({ text }) => text.includes('change-notes')), false);
  assert.deepEqual([(await open(keyless)).status, (await save(keyless, { notes: 'x' })).status], [409, 409]);
  assert.equal(
    (await save(order, { notes: 'x' }, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })).status,
    403,
  );
  const long = await save(order, { apt: 'x'.repeat(51), notes: 'y'.repeat(1001) });
  assert.deepEqual([long.status, long.text.match(/class="fault"/g)?.length], [422, 2]);
  assert.deepEqual(await customerOf(order), before);
  const hostile = MARKUP_PAYLOADS.join(' ').slice(0, 900);
  assert.equal((await save(order, { apt: '"><script>', notes: hostile })).status, 303);
  assert.doesNotMatch((await open(order)).text, /<script(?! type="module")|<img|<svg|onerror=[^&]*>/);
});
