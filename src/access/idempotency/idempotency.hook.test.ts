import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import pg from 'pg';
import { orderBody } from '../../../test/given/orders.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { givenOwnApp } from '../../../test/harness.ts';

/** Loses the connection when a key's record is finished: its response saved, or its claim released. */
let isLost = false;
const { query } = pg.Client.prototype;
mock.method(pg.Client.prototype, 'query', function lose(this: pg.Client, ...given: unknown[]) {
  const [first] = given as [string | { text?: string }];
  const text = typeof first === 'string' ? first : (first?.text ?? '');
  if (isLost && /^update "?idempotency_keys/i.test(text))
    return Promise.reject(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  return (query as (...all: unknown[]) => unknown).apply(this, given);
});

const shop = await givenPizzeria(givenOwnApp);
after(() => shop.close());

test("a database lost before a key's record ends returns 503 not_ready, and errors stay the same", async () => {
  const send = (key: string, more = {}) =>
    shop.post(
      '/order/order/v2',
      orderBody(shop.tokens.Soda, shop.card, { items: [{ product_id: shop.tokens.Soda, quantity: 9 }], ...more }),
      { 'idempotency-key': key },
    );
  isLost = true;
  const placed = await send('placed');
  const refused = await send('refused', { payment_method_id: 'pm_none' });
  isLost = false;
  assert.deepEqual([placed.status, placed.body.code], [503, 'not_ready'], placed.text);
  assert.deepEqual([refused.status, refused.body.code], [404, 'payment_method_not_found'], refused.text);
  assert.match(String(refused.headers['content-type']), /^application\/problem\+json/);
});
