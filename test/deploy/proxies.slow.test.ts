import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runs } from '../runs.ts';
import { isInstalled, PROXIES, restartUnderOrders } from './restart-under-orders.ts';

const ORDERS = runs(2000);

for (const proxy of PROXIES) {
  test(`a rolling restart of two nodes behind ${proxy} fails no order`, async (t) => {
    if (!isInstalled(proxy)) return t.skip(`${proxy} is not installed`);
    const { placed, failures, restarts, slowestMs, perSecond } = await restartUnderOrders(proxy, ORDERS);
    t.diagnostic(`${placed} orders at ${perSecond} a second, ${restarts} restarts, the slowest order ${slowestMs} ms`);
    assert.deepEqual([placed, failures], [ORDERS, []]);
    assert.ok(restarts >= 2);
  });
}
