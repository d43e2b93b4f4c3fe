import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import sharp from 'sharp';
import { type Assigned, givenAssigned, givenJpeg } from '../../../test/given/driver.ts';
import { productTokens } from '../../../test/given/orders.ts';
import { givenPhoto } from '../../../test/given/photo.ts';
import { givenTrackedStore } from '../../../test/given/tracked.ts';
import { givenApp } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { recordStep } from '../../ordering/money/take-step.flow.ts';
import { advanceOrder } from '../../ordering/order/advance-order.ts';
import { lockOrder } from '../../ordering/order/orders.db.ts';
import { PHOTOS_PER_MINUTE } from './driver.route.ts';

const WINE = { id: 'wine', name: 'Wine', price: 1500, is_alcoholic: true };
const JPEG = { 'content-type': 'image/jpeg' };

const app = await givenApp({ env: { BASE_URL: 'https://doorstep.example' } });
const storeId = await givenTrackedStore(app);
const categories = [{ id: 'drinks', name: 'Drinks', products: [WINE, { id: 'water', name: 'Water', price: 900 }] }];
const barId = await givenTrackedStore(app, { external_id: 'bar', name: 'Bar', categories });
after(() => app.close());

async function givenAlcohol(): Promise<Assigned> {
  const tokens = await productTokens(app, barId);
  return givenAssigned(app, barId, { items: [{ product_id: tokens.Wine }, { product_id: tokens.Water }] });
}
const proofOf = ({ orderId }: { orderId: string }, client = app) => client.get(`/account/orders/${orderId}/proof`);
const photoOf = ({ orderId }: { orderId: string }) =>
  app.service.http.inject({ url: `/account/orders/${orderId}/proof/photo`, headers: { 'id-token': app.key } });

async function colorOf(bytes: Buffer): Promise<'red' | 'blue'> {
  const [red = 0, , blue = 0] = await sharp(bytes).removeAlpha().raw().toBuffer();
  return red > blue ? 'red' : 'blue';
}

test('a photo is kept without metadata, and the account reads it with its key', async () => {
  const delivery = await givenAssigned(app, storeId);
  await delivery.call('pick_up');
  const taken = await delivery.call('photo', givenJpeg('40.744'), JPEG);
  assert.equal(taken.status, 200, taken.text);
  assert.match(taken.body.parts.proof, /Photo saved/);
  await delivery.call('complete');
  const { status, body } = await proofOf(delivery);
  const photo_url = `https://doorstep.example/account/orders/${delivery.orderId}/proof/photo`;
  const at = Math.floor(app.now().epochMilliseconds / 1000);
  assert.deepEqual([status, body], [200, { photo_url, id_checked: false, at }]);
  const photo = await photoOf(delivery);
  assert.deepEqual([photo.statusCode, photo.headers['content-type']], [200, 'image/webp']);
  const { format, width, height, exif, icc, xmp } = await sharp(photo.rawPayload).metadata();
  assert.deepEqual([format, width, height, exif, icc, xmp], ['webp', 16, 16, undefined, undefined, undefined]);
  assert.equal(await colorOf(photo.rawPayload), 'red');
  assert.doesNotMatch(photo.rawPayload.toString('latin1'), /40\.744|Exif|EXIF|JFIF/);
});

test('a later photo replaces an earlier one', async () => {
  const delivery = await givenAssigned(app, storeId);
  await delivery.call('pick_up');
  for (const color of ['red', 'blue'] as const) {
    assert.equal((await delivery.call('photo', givenJpeg('', color), JPEG)).status, 200);
    assert.equal(await colorOf((await photoOf(delivery)).rawPayload), color);
  }
});

test('a large photo is scaled to 1,600 pixels a side, and half a photo is rejected', async () => {
  const delivery = await givenAssigned(app, storeId);
  await delivery.call('pick_up');
  const large = await givenPhoto('jpeg', 2400, 1200);
  const half = await delivery.call('photo', large.subarray(0, large.length / 2), JPEG);
  assert.deepEqual([half.status, half.body.code], [400, 'invalid_request']);
  assert.equal((await delivery.call('photo', large, JPEG)).status, 200);
  const { width, height } = await sharp((await photoOf(delivery)).rawPayload).metadata();
  assert.deepEqual([width, height], [1600, 800]);
});

test('a photo before pick-up, after the end, not a JPEG or too large changes nothing', async () => {
  const delivery = await givenAssigned(app, storeId);
  assert.equal((await delivery.call('photo', givenJpeg(), JPEG)).body.code, 'transition_not_allowed');
  await delivery.call('pick_up');
  const wrong = await delivery.call('photo', Buffer.from('GIF89a'), JPEG);
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'invalid_request']);
  assert.equal((await delivery.call('photo', Buffer.alloc(1024 * 1024 + 1), JPEG)).status, 413);
  const png = await delivery.call('photo', givenJpeg(), { 'content-type': 'image/png' });
  assert.deepEqual([png.status, png.body.detail], [415, 'Send the body as image/jpeg.']);
  assert.equal((await delivery.call('photo', {})).status, 415);
  await delivery.call('complete');
  assert.equal((await delivery.call('photo', givenJpeg(), JPEG)).status, 404);
  assert.deepEqual((await proofOf(delivery)).body, { photo_url: null, id_checked: false, at: null });
  assert.equal((await photoOf(delivery)).statusCode, 404);
});

test('a photo that arrives while the delivery ends is not kept', async () => {
  const delivery = await givenAssigned(app, storeId);
  await delivery.call('pick_up');
  const late = await app.service.deps.db.transaction().execute(async (tx) => {
    const order = (await lockOrder(tx, delivery.orderId)) ?? assert.fail();
    const answer = delivery.call('photo', givenJpeg(), JPEG);
    await Promise.race([answer, until('the photo waits for the lock', isLockAwaited)]);
    await recordStep(tx, advanceOrder(order, 'complete', app.now()), app.now());
    return { answer };
  });
  assert.equal((await late.answer).status, 404);
  assert.equal((await proofOf(delivery)).body.photo_url, null);
});

/**
 * PostgreSQL shows only the first kilobyte of a query, which is an order's column list; only this statement locks and
 * can wait.
 */
async function isLockAwaited(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where wait_event_type = 'Lock' and query like 'select "order_id", "account_id"%'`.execute(app.service.deps.db);
  return rows.length > 0;
}

test('an order with alcohol is completed once the driver confirms to have seen an ID', async () => {
  const delivery = await givenAlcohol();
  assert.match((await delivery.state()).body.parts.now, /Check ID at the door/);
  await delivery.call('pick_up');
  assert.match((await delivery.state()).body.parts.proof, /id="id-checked"/);
  for (const body of [{}, { id_checked: false }]) {
    const { status, body: problem } = await delivery.call('complete', body);
    assert.deepEqual([status, problem.code], [422, 'id_check_required']);
  }
  assert.equal((await delivery.call('complete', { id_checked: true })).status, 200);
  assert.equal((await proofOf(delivery)).body.id_checked, true);
});

test('an order without alcohol asks for no ID, and keeps a recorded check', async () => {
  const delivery = await givenAssigned(app, storeId);
  await delivery.call('pick_up');
  assert.doesNotMatch((await delivery.state()).body.parts.proof, /id-checked/);
  await delivery.call('complete', { id_checked: true });
  assert.equal((await proofOf(delivery)).body.id_checked, true);
});

test('a link takes so many photos a minute', async () => {
  const delivery = await givenAssigned(app, storeId);
  await delivery.call('pick_up');
  for (let n = 0; n < PHOTOS_PER_MINUTE; n += 1) await delivery.call('photo', givenJpeg(), JPEG);
  assert.equal((await delivery.call('photo', givenJpeg(), JPEG)).status, 429);
});
