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
  let ends = 0;
  let look: Promise<number> | undefined;
  const loop = callCouriers({ ...deps, metrics: createMetrics() }, () => {
    ends += 1;
    look ??= loop.runOnce();
  });
  assert.equal(await loop.runOnce(), 10, 'as many as may run');
  await loop.idle();
  assert.equal(await look, 1, 'the first end has made room for one more');
  await loop.idle();
  assert.equal(ends, 11);
});
