import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readStripeContract } from '../../../test/contracts/stripe-contract.ts';
import { givenStripeShop } from '../../../test/given/stripe-shop.ts';
import type { Reply } from '../../../test/harness.ts';

const contract = readStripeContract(join(import.meta.dirname, '../../../../shared/data/contracts/stripe-openapi.json'));

const shop = await givenStripeShop(contract);
after(() => shop.close());

async function givenQuotes(count: number): Promise<string[]> {
  const quoted = Array.from({ length: count }, () => shop.order(undefined, { place_order: false }));
  return (await Promise.all(quoted)).map(({ body }) => body.order_id);
}

/** Finalizes an order, and counts the calls that Stripe gets. */
async function finalize(orderId = ''): Promise<{ reply: Reply; calls: number }> {
  const before = shop.stripe.requests.length;
  const reply = await shop.finalize(orderId);
  return { reply, calls: shop.stripe.requests.length - before };
}

test('a failing gateway gets three calls, then one a second; other orders return 503 at once, without a charge', async () => {
  const [first, ...others] = await givenQuotes(12);
  const last = others.splice(9);
  shop.stripe.setAway(true);
  const opening = await finalize(first);
  assert.deepEqual([opening.reply.status, opening.calls], [503, 3], opening.reply.text);
  for (const orderId of others.slice(0, 4)) {
    const { reply, calls } = await finalize(orderId);
    assert.deepEqual([reply.status, reply.body.code, calls], [503, 'upstream_unavailable', 0], reply.text);
    assert.equal(reply.headers['retry-after'], '1');
    assert.deepEqual((await shop.stateOf(orderId)).slice(0, 2), ['unplaced', 'declined']);
  }
  const opened = shop.stripe.requests.length;
  for (const orderId of others.slice(4)) {
    await shop.app.advance({ seconds: 1 });
    const both = await Promise.all([finalize(orderId), finalize(others[0])]);
    assert.deepEqual(
      [503, 503],
      both.map(({ reply }) => reply.status),
    );
  }
  assert.equal(shop.stripe.requests.length - opened, 5);
  const sent = shop.stripe.requests.length;
  shop.stripe.setAway(false);
  await shop.app.advance({ seconds: 1 });
  for (const orderId of last) {
    const { reply, calls } = await finalize(orderId);
    assert.deepEqual([reply.status, calls], [200, 1], reply.text);
  }
  assert.equal(shop.stripe.requests.length, sent + last.length);
});
