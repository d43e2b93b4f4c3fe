import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { givenTracked, givenTrackedStore, type Tracked } from '../../test/given-tracked.ts';
import { type App, givenApp } from '../../test/harness.ts';
import { findTrackedOrder } from './tracked-orders.db.ts';
import { createTrackingFeed, type Watcher } from './tracking-feed.cache.ts';

let app: App;
let order: Tracked;
before(async () => {
  app = await givenApp();
  order = await givenTracked(app, await givenTrackedStore(app));
});
after(() => app.close());

const SILENT: Watcher = { send() {}, beat() {}, end() {} };

test('it takes ten thousand pages and no more, and takes another when one has gone', async () => {
  const feed = createTrackingFeed(app.service.deps);
  const version = (await findTrackedOrder(app.service.deps.db, order.orderId))?.version ?? '';
  const leave = Array.from({ length: 10_000 }, (_, n) => feed.watch(`ord_${n}`, version, { ...SILENT }));
  assert.equal(feed.hasRoom(order.orderId), false);
  leave[0]?.();
  leave[0]?.();
  assert.deepEqual([feed.hasRoom(order.orderId), feed.watcherCount()], [true, 9999]);
  for (const one of leave) one();
  assert.equal(feed.watcherCount(), 0);
  await feed.close();
});

test('one link opens fifty pages and no more, and closes nobody else out', async () => {
  const feed = createTrackingFeed(app.service.deps);
  for (let n = 0; n < 50; n += 1) feed.watch(order.orderId, '1', { ...SILENT });
  assert.deepEqual([feed.hasRoom(order.orderId), feed.hasRoom('ord_other')], [false, true]);
  await feed.close();
});

test('one client opens two hundred pages and no more, and closes nobody else out', async () => {
  const feed = createTrackingFeed(app.service.deps);
  const leave = Array.from({ length: 200 }, (_, n) => feed.watch(`ord_${n}`, '1', { ...SILENT }, '9.9.9.9'));
  assert.equal(feed.hasRoom(order.orderId, '9.9.9.9'), false);
  assert.deepEqual([feed.hasRoom(order.orderId, '9.9.9.10'), feed.hasRoom(order.orderId)], [true, true]);
  leave[0]?.();
  leave[0]?.();
  assert.equal(feed.hasRoom(order.orderId, '9.9.9.9'), true);
  feed.watch('ord_0', '1', { ...SILENT }, '9.9.9.9');
  assert.equal(feed.hasRoom(order.orderId, '9.9.9.9'), false);
  await feed.close();
});

test('who is behind a proxy is bound by nothing but the room there is', async () => {
  const feed = createTrackingFeed(app.service.deps);
  for (let n = 0; n < 201; n += 1) feed.watch(`ord_${n}`, '1', { ...SILENT });
  assert.equal(feed.hasRoom(order.orderId), true);
  await feed.close();
});

test('two pages of one order that know different versions are each told what they lack', async () => {
  const feed = createTrackingFeed(app.service.deps);
  const version = (await findTrackedOrder(app.service.deps.db, order.orderId))?.version ?? '';
  const told: string[] = [];
  const both = new Promise<void>((done) => {
    const watcher = (name: string): Watcher => ({
      ...SILENT,
      send() {
        told.push(name);
        if (told.length === 1) void order.advance('confirm');
        if (told.length === 3) done();
      },
    });
    feed.watch(order.orderId, '1', watcher('late'));
    feed.watch(order.orderId, version, watcher('current'));
  });
  await both;
  assert.equal(told[0], 'late');
  assert.deepEqual(told.slice(1).sort(), ['current', 'late']);
  await feed.close();
});

test('a closed feed ends its pages and takes no more', async () => {
  const feed = createTrackingFeed(app.service.deps);
  let ended = 0;
  feed.watch(order.orderId, '1', { ...SILENT, end: () => (ended += 1) });
  await feed.close();
  assert.deepEqual([ended, feed.hasRoom(order.orderId)], [1, false]);
});

test('every page hears something at least every fifteen seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const feed = createTrackingFeed(app.service.deps);
  let beats = 0;
  feed.watch(order.orderId, '1', { ...SILENT, beat: () => (beats += 1) });
  t.mock.timers.tick(15_000);
  assert.equal(beats, 1);
  await feed.close();
});
