import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenDatabase, runCommand, runJson } from '../../../test/given/command.ts';
import { givenCommandShop } from '../../../test/given/command-shop.ts';
import { clockAhead, shiftOfThisProcess } from '../../../test/runner/shift-clock.ts';

const NEXT_MONTH_MS = 32 * 24 * 3_600_000;

test('an order under the terms of its store: its month is refused while it runs, then closed, and told to the cent', async (t) => {
  const { env, drop } = await givenDatabase();
  t.after(drop);
  const { storeId, accountId, place, get, close } = await givenCommandShop(env.DATABASE_URL);
  const terms = ['stores', 'terms', storeId];
  const first = { commission: 0, per_order_cents: 0, delivery_fee: 'default', tip: 'driver', tax: 'operator' };
  assert.deepEqual((await runJson(terms, env)).body, { store_id: storeId, ...first });
  const set = await runJson([...terms, '--commission', '12.5', '--per-order-cents', '30', '--tip', 'store'], env);
  const agreed = { store_id: storeId, ...first, commission: 12.5, per_order_cents: 30, tip: 'store' };
  assert.deepEqual(set, { status: 0, body: agreed });
  assert.match((await runCommand(terms, env)).stdout, /^Commission: 12\.5% of the items, and \$0\.30 per order\.$/m);

  const orderId = await place();
  const [order] = (await get('/account/orders', { order_id: orderId })).orders;
  await close();
  const day = Temporal.Instant.fromEpochMilliseconds(order.timestamp * 1000).toZonedDateTimeISO('America/New_York');
  const date = day.toPlainDate().toString();
  const month = date.slice(0, 7);
  const closing = ['statements', 'close', '--month', month];
  const running = await runCommand(closing, env);
  assert.deepEqual([running.status, running.stdout], [1, '']);
  assert.match(running.stderr, new RegExp(`^${month} has not ended in [\\w/]+\\.\n$`));
  const later = { ...env, ...clockAhead(NEXT_MONTH_MS + (shiftOfThisProcess() ?? 0)) };
  for (let time = 0; time < 2; time += 1) {
    assert.deepEqual(await runJson(closing, later), { status: 0, body: { month, is_closed: true } });
  }

  const live = ['statements', '--month', month];
  const own = [...live, '--sandbox', accountId];
  assert.deepEqual((await runJson(live, env)).body, { statements: [] });
  const { body } = await runJson([...own, '--store', storeId], env);
  assert.deepEqual([body.month, body.store_id, body.currency, body.is_closed], [month, storeId, 'USD', true]);
  const [sale, ...others] = body.lines;
  assert.deepEqual([sale.order_id, sale.date, sale.kind, others], [orderId, date, 'sale', []]);
  const { sales, taxes, delivery_fees, service_fees, tip, commission, payout } = sale;
  assert.equal(sales + taxes + delivery_fees + service_fees + tip, order.total_with_tip);
  assert.equal(commission, Math.round(sales / 8) + 30);
  assert.equal(payout, sales + delivery_fees + tip - commission);
  const [{ totals }] = (await runJson(own, env)).body.statements;
  assert.deepEqual([totals.orders, totals.payout], [1, payout]);
  const dollars = (payout / 100).toFixed(2);
  const text = (await runCommand([...own, '--store', storeId], env)).stdout;
  assert.match(
    text,
    new RegExp(
      `^Test Pizzeria, ${month} \\(USD, closed\\)\n.*PAYOUT\n${date} .*\\$${dollars}\n.*total.*\\$${dollars}\n$`,
    ),
  );
  const [heads = '', line = '', ...more] = (await runCommand([...own, '--csv'], env)).stdout.split('\r\n');
  const cells = Object.fromEntries(heads.split(',').map((head, at) => [head, line.split(',')[at]]));
  assert.deepEqual([cells.order_id, cells.payout, cells.currency, more], [orderId, dollars, 'USD', ['']]);
});
