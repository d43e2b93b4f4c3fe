import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { type EventStream, openEventStream } from '../../../test/event-stream.ts';
import { givenTracked, givenTrackedStore, type Tracked } from '../../../test/given/tracked.ts';
import { givenApp, givenOwnApp } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { saveBranding } from '../../access/accounts/brandings.db.ts';
import { moveDriver } from '../../fulfillment/deliveries/report-position.flow.ts';
import { LIVE_PARTS, type LiveMessage } from './live-order.ts';

const app = await givenApp();
const storeId = await givenTrackedStore(app);
const url = await app.service.listen();
after(() => app.close());

const pathOf = ({ orderId }: Tracked, version = '') =>
  `${url}/tracking/events?tracking_id=${orderId}&version=${version}`;
const versionOn = async ({ link }: Tracked) => /data-version="(\d+)"/.exec(await (await fetch(url + link)).text())?.[1];

async function messageOf(stream: EventStream): Promise<LiveMessage & { id: string }> {
  const event = await stream.next();
  assert.ok(event);
  return { ...JSON.parse(event.data), id: event.id };
}

test('an up-to-date page receives only the next change’s changed parts', async () => {
  const order = await givenTracked(app, storeId);
  const stream = await openEventStream(pathOf(order, await versionOn(order)));
  assert.equal(stream.headers.get('content-type'), 'text/event-stream');
  assert.match(stream.headers.get('cache-control') ?? '', /no-store/);
  await order.advance('confirm');
  assert.match((await messageOf(stream)).parts.now ?? '', /being prepared/);
  await order.advance('assign_driver');
  const { parts, map } = await messageOf(stream);
  assert.deepEqual(Object.keys(parts), ['now', 'where', 'driver', 'steps']);
  assert.deepEqual(map?.driver, [40.7383, -73.9927]);
  stream.close();
});

test('only a page with the link’s key receives its customer’s actions', async () => {
  const client = await app.givenClient();
  await saveBranding(app.service.deps.db, client.accountId, { customerCancel: true }, app.now());
  const order = await givenTracked(client, storeId);
  const query = order.link.slice('/tracking?'.length);
  const [mine, seen] = [await openEventStream(`${url}/tracking/events?${query}`), await openEventStream(pathOf(order))];
  for (let time = 0; time < 2; time += 1) {
    const [forMe, forAll] = [await messageOf(mine), await messageOf(seen)];
    if (time === 0) assert.match(forMe.parts.care ?? '', /id="cancel-order"/);
    assert.doesNotMatch(JSON.stringify(forAll.parts), /cancel-order|key=/);
    assert.ok(!JSON.stringify(forAll).includes(order.key));
    assert.equal(forMe.id, forAll.id);
    if (time === 0) await order.advance('confirm');
  }
  mine.close();
  seen.close();
});

test("a driver's move reaches the page as a place on the map", async () => {
  const order = await givenTracked(app, storeId);
  for (const step of ['confirm', 'assign_driver', 'pick_up']) await order.advance(step);
  const stream = await openEventStream(pathOf(order, await versionOn(order)));
  await moveDriver(app.service.deps, order.orderId, { latitude: 40.739, longitude: -73.992 });
  assert.deepEqual((await messageOf(stream)).map?.driver, [40.739, -73.992]);
  stream.close();
});

test('a reconnecting page receives at once the events since its last event ID', async () => {
  const order = await givenTracked(app, storeId);
  const version = (await versionOn(order)) ?? '';
  await order.advance('confirm');
  const stream = await openEventStream(pathOf(order), { 'last-event-id': version });
  const { parts, id } = await messageOf(stream);
  assert.match(parts.now ?? '', /being prepared/);
  assert.equal(id, await versionOn(order));
  stream.close();
});

test('an invalid event id counts as none', async () => {
  const order = await givenTracked(app, storeId);
  const stream = await openEventStream(pathOf(order, 'x'), { 'last-event-id': "1' or 1=1" });
  assert.deepEqual(Object.keys((await messageOf(stream)).parts), [...LIVE_PARTS]);
  stream.close();
});

test("an order's last message ends the stream, and reconnecting gets 204", async () => {
  const order = await givenTracked(app, storeId, { pickup: true });
  await order.advance('confirm');
  const stream = await openEventStream(pathOf(order, await versionOn(order)));
  await order.advance('complete');
  const last = await messageOf(stream);
  assert.equal(last.ends, true);
  assert.equal(await stream.next(), undefined);
  assert.equal((await fetch(pathOf(order), { headers: { 'last-event-id': last.id } })).status, 204);
});

test('a canceled order ends once its money is back', async () => {
  const order = await givenTracked(app, storeId);
  const stream = await openEventStream(pathOf(order, await versionOn(order)));
  await order.advance('cancel');
  let message = await messageOf(stream);
  while (!message.ends) message = await messageOf(stream);
  assert.match(message.parts.now ?? '', /We’ve refunded the full/);
});

test('an order that is not placed yet tells nothing of itself but that it is, once it is', async () => {
  const order = await givenTracked(app, storeId, { place_order: false });
  const stream = await openEventStream(pathOf(order, 'none'));
  const before = await messageOf(stream);
  assert.deepEqual([before.placed, before.parts], [false, {}]);
  await app.post('/order/finalize', { order_id: order.orderId });
  let message = await messageOf(stream);
  while (!message.placed) message = await messageOf(stream);
  stream.close();
});

test('an unknown order is 404 and has no stream', async () => {
  const reply = await fetch(`${url}/tracking/events?tracking_id=ord_unknown`);
  assert.equal(reply.status, 404);
  assert.equal(((await reply.json()) as { code: string }).code, 'order_not_found');
});

test('who leaves while their order is looked up is not kept as a page', async () => {
  const own = await givenOwnApp();
  const address = await own.service.listen();
  const order = await givenTracked(own, await givenTrackedStore(own));
  const path = `${address}/tracking/events?tracking_id=${order.orderId}`;
  const { db, metrics } = own.service.deps;
  await db.transaction().execute(async (tx) => {
    await sql`lock table orders in access exclusive mode`.execute(tx);
    const leaving = new AbortController();
    const requested = once(own.service.http.server, 'request');
    const left = assert.rejects(fetch(path, { signal: leaving.signal }));
    const [, response] = await requested;
    const closed = once(response, 'close');
    leaving.abort();
    await Promise.all([left, closed]);
  });
  const stream = await openEventStream(path);
  await messageOf(stream);
  assert.match(await metrics.text(), /^doorstep_tracking_pages 1$/m);
  await own.close();
});

test('a client that has two hundred pages open is refused, whatever they show, and others are not', async () => {
  const own = await givenOwnApp();
  const { http, deps } = own.service;
  const trackedStoreId = await givenTrackedStore(own);
  const orders = await Promise.all([1, 2, 3, 4, 5].map(() => givenTracked(own, trackedStoreId)));
  const open = (order: Tracked | undefined, remoteAddress = '9.9.9.9') =>
    http.inject({ url: `/tracking/events?tracking_id=${order?.orderId}`, remoteAddress });
  const isOpen = (count: number) =>
    until(`${count} pages are open`, async () =>
      new RegExp(`^doorstep_tracking_pages ${count}$`, 'm').test(await deps.metrics.text()),
    );
  const pages = orders.slice(0, 4).flatMap((order) => Array.from({ length: 50 }, () => open(order)));
  await isOpen(200);
  const refused = await open(orders[4]);
  assert.deepEqual([refused.statusCode, refused.json().code], [429, 'rate_limited']);
  assert.equal(refused.headers['retry-after'], '30');
  pages.push(open(orders[4], '9.9.9.10'), open(orders[4], '127.0.0.1'));
  await isOpen(202);
  await own.close();
  await Promise.all(pages);
});

test('the end of the service ends all streams by itself', { timeout: 120_000 }, async (t) => {
  const own = await givenOwnApp();
  const address = await own.service.listen();
  const order = await givenTracked(own, await givenTrackedStore(own));
  const stream = await openEventStream(`${address}/tracking/events?tracking_id=${order.orderId}`);
  await messageOf(stream);
  // A clean shutdown must not need the forced close that follows its grace period.
  t.mock.method(own.service.http.server, 'closeAllConnections', () => {});
  await own.close();
  assert.equal(await stream.next(), undefined);
});
