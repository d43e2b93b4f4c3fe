import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chanceOf } from '../../../test/faults/orders-clients.ts';
import { givenKitchens } from '../../../test/given/kitchens.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';

const ROOM = 8;
const WEEK_MINUTES = 7 * 24 * 60;

test('minutes are learned by the hour of the week, without the wait for room, and quoted once the store says so', async (t) => {
  const { app, storeId, place, quoteOf } = await givenKitchens({ kitchen: { orders: ROOM } });
  t.after(() => app.close());
  const key = await givenStoreKey(app, storeId);
  const step = async (id: string, name: string, body = {}) =>
    assert.equal((await key.post(`/store/orders/${id}/${name}`, body)).status, 200);
  const placeAndConfirm = async () => {
    const { order_id: id } = (await place()).body;
    await step(id, 'confirm', { preparation_minutes: 15 });
    return id;
  };
  const quoted = async () => {
    const { minimum, maximum } = (await quoteOf()).quote.time_estimate;
    return [minimum, maximum];
  };
  const read = async () => (await key.get('/store/minutes')).body;
  assert.deepEqual(await read(), { preparation: 'stated', stated: [10, 20], hours: [] });
  const chance = chanceOf(7);
  const took: number[] = [];
  for (let week = 0; week < 3; week += 1) {
    const ids = [];
    for (let n = 0; n < ROOM; n += 1) ids.push(await placeAndConfirm());
    let now = 0;
    for (const id of ids) {
      const minutes = Math.floor(chance() * 4) + 1;
      await app.advance({ minutes });
      await step(id, 'ready');
      now += minutes;
      took.push(now);
    }
    await app.advance({ minutes: WEEK_MINUTES - now });
  }
  const hourOf = (minutes: readonly number[]) => {
    const sorted = minutes.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
    return { weekday: 'Wednesday', hour: 13, orders: sorted.length, median: at(0.5), p80: at(0.8) };
  };
  const learned = hourOf(took);
  assert.deepEqual((await read()).hours, [learned]);
  assert.deepEqual(await quoted(), [10, 20]);
  const kitchen = { orders: ROOM, items: null };
  assert.equal((await key.put('/store/kitchen', { ...kitchen, preparation: 'auto' })).body.preparation, 'auto');
  const promised = Math.min(40, Math.max(10, learned.p80));
  assert.deepEqual(await quoted(), [Math.min(20, Math.max(5, learned.median), promised), promised]);
  await app.advance({ hours: 1 });
  assert.deepEqual(await quoted(), [10, 20], 'another hour');
  // The kitchen is full for a quarter: the wait for room is no preparation. The store learns it on the next day.
  await app.advance({ minutes: WEEK_MINUTES - 60 });
  for (let n = 0; n < ROOM; n += 1) await place();
  const id = await placeAndConfirm();
  await app.advance({ minutes: 15 + 3 });
  await step(id, 'ready');
  assert.deepEqual((await read()).hours, [hourOf([...took, 3])]);
  await app.advance({ hours: 24 });
  const { db } = app.service.deps;
  const row = await db.selectFrom('stores').select('learnedMinutes').where('storeId', '=', storeId).executeTakeFirst();
  assert.equal(Object.values(row?.learnedMinutes ?? {})[0]?.[2], 25);
  assert.equal((await key.put('/store/kitchen', { ...kitchen, preparation: 'stated' })).body.preparation, 'stated');
  assert.deepEqual(await quoted(), [10, 20]);
});
