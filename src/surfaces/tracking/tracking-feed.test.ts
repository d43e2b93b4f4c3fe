import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenTracked, givenTrackedStore } from '../../../test/given/tracked.ts';
import { givenApp } from '../../../test/harness.ts';
import type { Watcher } from '../../platform/http/watch-feed.ts';
import { findTrackedOrder } from './tracked-orders.db.ts';
import { createTrackingFeed, type PageNews, topicOf } from './tracking-events.route.ts';

const app = await givenApp();
const order = await givenTracked(app, await givenTrackedStore(app));
after(() => app.close());

const READER = { key: null, lang: undefined, maps: 'google' } as const;
const SILENT: Watcher<PageNews> = { send() {}, beat() {}, miss() {}, end() {} };

test('it takes ten thousand pages and no more, and takes another when one has gone', async () => {
  const feed = createTrackingFeed(app.service.deps);
  const version = (await findTrackedOrder(app.service.deps.db, order.orderId))?.version ?? '';
  const leave = Array.from({ length: 10_000 }, (_, n) =>
    feed.watch(topicOf(`ord_${n}`, READER, 'en'), version, { ...SILENT }),
  );
  assert.equal(feed.hasRoom(topicOf('ord_1', READER, 'en')), false);
  leave[0]?.();
  leave[0]?.();
  assert.deepEqual([feed.hasRoom(topicOf('ord_1', READER, 'en')), feed.streamCount], [true, 9999]);
  for (const one of leave) one();
  assert.equal(feed.streamCount, 0);
  await feed.close();
});

test('two pages of one order at different versions each receive their missing events', async () => {
  const feed = createTrackingFeed(app.service.deps);
  const version = (await findTrackedOrder(app.service.deps.db, order.orderId))?.version ?? '';
  const notified: string[] = [];
  const both = new Promise<void>((done) => {
    const watcher = (name: string): Watcher<PageNews> => ({
      ...SILENT,
      send() {
        notified.push(name);
        if (notified.length === 1) void order.advance('confirm');
        if (notified.length === 3) done();
      },
    });
    feed.watch(topicOf(order.orderId, READER, 'en'), '1', watcher('late'));
    feed.watch(topicOf(order.orderId, READER, 'en'), version, watcher('current'));
  });
  await both;
  assert.equal(notified[0], 'late');
  assert.deepEqual(notified.slice(1).sort(), ['current', 'late']);
  await feed.close();
});

test('a closed feed ends its pages and takes no more', async () => {
  const feed = createTrackingFeed(app.service.deps);
  let ended = 0;
  feed.watch(topicOf(order.orderId, READER, 'en'), '1', { ...SILENT, end: () => (ended += 1) });
  await feed.close();
  assert.deepEqual([ended, feed.hasRoom(topicOf('ord_1', READER, 'en'))], [1, false]);
});

test('every page receives a heartbeat at least every fifteen seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const feed = createTrackingFeed(app.service.deps);
  let beats = 0;
  feed.watch(topicOf(order.orderId, READER, 'en'), '1', { ...SILENT, beat: () => (beats += 1) });
  t.mock.timers.tick(15_000);
  assert.equal(beats, 1);
  await feed.close();
});
