import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { type Assigned, givenAssigned, givenJpeg } from '../../../test/given/driver.ts';
import { givenTracked, givenTrackedStore, type Tracked } from '../../../test/given/tracked.ts';
import { givenApp } from '../../../test/harness.ts';
import { saveBranding } from '../../access/accounts/brandings.db.ts';
import { findPhoto } from '../../fulfillment/deliveries/proofs.db.ts';

const app = await givenApp();
const storeId = await givenTrackedStore(app);
after(() => app.close());

const photoPath = ({ link }: Pick<Tracked, 'link'>) => link.replace('/tracking?', '/tracking/photo?');
const ask = (url: string, headers: Record<string, string> = {}) => app.service.http.inject({ url, headers });
const pageOf = async (link: string) => (await ask(link)).body;

/** A delivery with a photo, out for delivery. */
async function givenPhoto(): Promise<Assigned> {
  const delivery = await givenAssigned(app, storeId);
  await delivery.call('pick_up');
  const taken = await delivery.call('photo', givenJpeg(), { 'content-type': 'image/jpeg' });
  assert.equal(taken.status, 200, taken.text);
  return delivery;
}

test("after delivery only the customer sees the driver's photo", async (t) => {
  const delivery = await givenPhoto();
  const path = photoPath(delivery);
  assert.equal((await ask(path)).statusCode, 404, 'not before the end');
  assert.doesNotMatch(await pageOf(delivery.link), /id="photo"/);
  await delivery.call('complete');

  const photo = await ask(path);
  assert.deepEqual([photo.statusCode, photo.headers['content-type']], [200, 'image/webp']);
  assert.equal(photo.headers['cache-control'], 'private, no-store');
  assert.match(String(photo.headers['content-security-policy']), /default-src 'none'/);
  assert.equal(photo.headers['x-content-type-options'], 'nosniff');
  assert.deepEqual(
    photo.rawPayload,
    await findPhoto(app.service.deps.db, { accountId: app.accountId, mode: 'sandbox' }, delivery.orderId),
  );
  const shown = /<a id="photo"[^>]*href="([^"]*)"><img src="([^"]*)" alt="Delivery photo">/;
  const [, href = '', src] = shown.exec(await pageOf(delivery.link)) ?? [];
  assert.deepEqual([`/${href.replaceAll('&amp;', '&')}`, src], [path, href]);
  assert.match(await pageOf(`${delivery.link}&lang=fr`), /alt="Photo de la livraison"/);

  const other = await givenTracked(app, storeId);
  await t.test('not with the plain id, nor with the key of another order', async () => {
    for (const link of [delivery.seenLink, `${delivery.seenLink}&key=${other.key}`, other.link]) {
      assert.equal((await ask(photoPath({ link }))).statusCode, 404, link);
      assert.doesNotMatch(await pageOf(link), /id="photo"|tracking\/photo/, link);
    }
    const problem = await ask(photoPath({ link: delivery.seenLink }), { accept: 'application/json' });
    assert.deepEqual([problem.statusCode, problem.json().code], [404, 'order_not_found']);
  });
  await t.test("not at another account's host", async () => {
    const { accountId } = await app.givenClient();
    await saveBranding(app.service.deps.db, accountId, { trackingHost: 'follow.other.example' }, app.now());
    assert.equal((await ask(path, { host: 'follow.other.example' })).statusCode, 404);
  });
});

test('a photo that a courier company holds is a link, which leads the customer to the company', async () => {
  const order = await givenTracked(app, storeId);
  for (const step of ['confirm', 'assign_driver', 'pick_up', 'complete']) await order.advance(step);
  assert.doesNotMatch(await pageOf(order.link), /id="photo"/);
  const proofUrl = 'https://photos.courier.example/door.jpg?signature=1';
  await sql`insert into courier_deliveries
    (order_id, attempt, gateway, key, state, is_wanted, is_too_late, ready_at, failures, created_at, proof_url)
    values (${order.orderId}, 1, 'uber_direct', ${order.orderId}, 'delivered', true, true, now(), 0, now(), ${proofUrl})`.execute(
    app.service.deps.db,
  );
  assert.match(
    await pageOf(order.link),
    /<a id="photo" class="action" href="[^"]*" rel="noreferrer">View delivery photo</,
  );
  const moved = await ask(photoPath(order));
  assert.deepEqual([moved.statusCode, moved.headers.location, moved.body], [303, proofUrl, '']);
  assert.equal((await ask(photoPath({ link: order.seenLink }))).statusCode, 404);
});
