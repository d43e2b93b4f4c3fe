import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comeAgain } from '../../../test/come-again.ts';
import { givenKitchens } from '../../../test/given/kitchens.ts';
import type { Reply } from '../../../test/harness.ts';

const ORDERS = 200;

type Kitchens = Awaited<ReturnType<typeof givenKitchens>>;

/** Orders without a charge, each placed or refused in one transaction. */
const race = ({ app, place }: Kitchens): Promise<Reply[]> => {
  const placeOne = () => comeAgain((headers) => place({ charge_user: false }, { client: app, headers }));
  return Promise.all(Array.from({ length: ORDERS }, placeOne));
};

test('200 orders race for the last place of a kitchen: one is placed', async (t) => {
  const kitchens = await givenKitchens({ kitchen: { orders: 1, max_wait_minutes: 0 } });
  t.after(() => kitchens.app.close());
  const replies = await race(kitchens);
  const codes = replies.map((reply) => (reply.status === 200 ? 'placed' : reply.body.code));
  assert.deepEqual([codes.filter((code) => code === 'placed').length, new Set(codes).size], [1, 2], codes.join());
  assert.ok(codes.includes('quote_unavailable'));
});

test('200 orders at once fill the quarters of a kitchen one after the other, none oversold and none passed over', async (t) => {
  const perQuarter = 5;
  const kitchens = await givenKitchens({ kitchen: { orders: perQuarter } });
  t.after(() => kitchens.app.close());
  const replies = await race(kitchens);
  const placed = replies.filter((reply) => reply.status === 200);
  // The seventh quarter begins in 90 minutes, the longest wait.
  assert.equal(placed.length, 7 * perQuarter);
  const rows = await kitchens.app.service.deps.db
    .selectFrom('orders')
    .select(['roomHeld', 'quote', 'status'])
    .execute();
  const held = rows.filter(({ status }) => status !== 'unplaced');
  const minutes = held.map(({ quote }) => quote.minutes.minimum).sort((a, b) => a - b);
  const promised = Array.from({ length: 7 * perQuarter }, (_, n) => 10 + 15 * Math.floor(n / perQuarter));
  assert.deepEqual(minutes, promised);
  const perHeld = Map.groupBy(held, ({ roomHeld }) => roomHeld[0]?.quarter);
  assert.deepEqual(
    [...perHeld.values()].map((orders) => orders.length),
    Array.from({ length: 7 }, () => perQuarter),
  );
});
