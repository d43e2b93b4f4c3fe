import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenCourierShop, keyOf } from '../../../test/given-couriers.ts';
import { createMetrics } from '../../lib/metrics.ts';
import { callCouriers } from './call-couriers.flow.ts';

test('the end of each turn is told, and has made room for another delivery', async (t) => {
  const shop = await givenCourierShop();
  t.after(() => shop.close());
  const { deps } = shop.app.service;
  const keys: string[] = [];
  for (let n = 0; n < 12; n += 1) keys.push(keyOf(await shop.givenRequested()));
  const nextCallAt = shop.app.now().toString();
  await deps.db.updateTable('courierDeliveries').set({ nextCallAt }).where('key', 'in', keys).execute();
  const later: Promise<number>[] = [];
  const loop = callCouriers({ ...deps, metrics: createMetrics() }, () => later.push(loop.runOnce()));
  assert.equal(await loop.runOnce(), 10, 'as many as may run');
  await loop.idle();
  const started = await Promise.all(later);
  await loop.idle();
  assert.equal(later.length, 12);
  assert.ok((started[0] ?? 0) > 0, 'the first end has made room');
  assert.equal(
    started.reduce((sum, count) => sum + count),
    2,
  );
});
