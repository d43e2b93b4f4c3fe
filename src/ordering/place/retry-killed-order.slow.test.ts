import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import {
  type Breakage,
  killedAfterCharging,
  killedBeforeCharging,
  withBrokenGateway,
} from '../../../test/fakes/broken-gateway.ts';
import { givenCountedShop, orderOfKey, silentBooks } from '../../../test/given/counted-shop.ts';
import type { Reply } from '../../../test/harness.ts';

const shop = await givenCountedShop();
after(() => shop.close());

test('a retry with the same Idempotency-Key gives the one outcome, wherever the first request died', async (t) => {
  const slotBody = async () => ({ scheduled_id: (await shop.slotsOf())[0] });
  const points: [string, Breakage][] = [
    ['before the charge', killedBeforeCharging],
    ['after the charge', killedAfterCharging],
  ];
  const delays: [string, Temporal.DurationLike][] = [
    ['at once', { seconds: 0 }],
    ['after half a minute', { seconds: 31 }],
    ['after twelve minutes', { minutes: 12 }],
    ['after five hours', { hours: 5 }],
  ];
  for (const [point, breakage] of points) {
    for (const [delay, duration] of delays) {
      await t.test(`${point}, retried ${delay}`, async () => {
        const [key, body] = [shop.newKey(), await slotBody()];
        await withBrokenGateway(shop, breakage, () => shop.place(key, body));
        await withBrokenGateway(shop, silentBooks, () => shop.advance(duration));
        const replies = await Promise.all([
          shop.place(key, body),
          shop.place(key, body),
          shop.runLeftOrders(),
          shop.place(key, body),
        ]);
        const [first, second, , third] = replies;
        assert.deepEqual([second.status, third.status], [first.status, first.status], first.text);
        if (first.status !== 200) assert.equal(first.body.code, 'slot_unavailable', first.text);
        await assertOneOutcome(key, first);
      });
    }
  }
  await t.test('after it was placed but not answered', async () => {
    const key = shop.newKey();
    const first = await shop.place(key);
    await sql`update idempotency_keys set state = 'running', status = null, body = null where key = ${key}`.execute(
      shop.service.deps.db,
    );
    const early = shop.place(key);
    await shop.advance({ seconds: 31 });
    assert.deepEqual((await early).body, first.body);
    await assertOneOutcome(key, first);
  });
});

/** Either the key's one order is placed and charged once, or all money was returned and nothing is held. */
async function assertOneOutcome(key: string, reply: Reply): Promise<void> {
  const orderId = await orderOfKey(shop, key);
  await shop.advance({ seconds: 30 });
  if (reply.status === 200 && reply.body.order_placed) {
    assert.equal((await shop.stateOf(orderId)).status, 'awaiting_confirmation');
    await shop.assertChargedOnce(orderId);
    return shop.cancel(orderId);
  }
  assert.ok((await shop.books(orderId)).every(([amount, refunded]) => amount === refunded));
  assert.deepEqual(await shop.held(), { stock: 0, slots: 0 });
}
