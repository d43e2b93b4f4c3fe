import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { setPreparation } from '../src/ordering/order/set-preparation.flow.ts';
import { givenKitchens } from '../test/given/kitchens.ts';
import { givenStoreKey } from '../test/given/merchant.ts';
import type { Client } from '../test/harness.ts';
import { openRunDatabase } from '../test/run-database.ts';
import { type Chance, chanceOf, pick } from './continent/seeded.ts';
import { type EveningOrder, type Restaurant, readEvenings } from './kitchen/evenings.ts';
import { measureSearches } from './kitchen/measure-searches.ts';
import { createReport, print } from './report.ts';

/**
 * Public evenings, replayed against stores of a service whose clock is advanced: the share of orders that were ready at
 * most five minutes after what their customers were promised. A restaurant is three stores: one with constant minutes,
 * one that states its room, and one that also learns its minutes, from the four weeks before. The kitchen begins orders
 * in turn, as many a quarter of an hour as its room, and each then takes the minutes of the data.
 * Before them, searches of a node while orders take room. `npm run bench -- kitchen [--quick] [--evenings N]`
 */

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, evenings: { type: 'string' } },
});
const WEEKS = values.quick ? 1 : 4;
const RESTAURANTS = values.quick ? 2 : 4;
const MIN_SHARE = 0.9;
const LATE_MINUTES = 5;
const QUARTER_MINUTES = 15;
const KINDS = ['constant minutes', 'room', 'room and learned minutes'] as const;

type Kind = (typeof KINDS)[number];
type Kitchens = Awaited<ReturnType<typeof givenKitchens>>;
type Store = { storeId: string; key: Client; kind: Kind; restaurant: Restaurant };
type EveningOf = (store: Store) => readonly EveningOrder[];
/** Minutes beyond the promised ones; absent where the order was refused. */
type Outcome = { store: Store; nth: number; late?: number; early?: number };

/** A restaurant as a store of each kind; all state the minutes that half of its orders need. */
function linesOf({ room, orders }: Restaurant): object[] {
  const minutes = orders.map(({ cookMinutes }) => cookMinutes).sort((a, b) => a - b);
  const half = minutes[Math.floor(minutes.length / 2)] || 1;
  const pickup = { enabled: true, prep_minutes: [half, half + LATE_MINUTES] };
  return KINDS.map((kind) => ({ pickup, ...(kind === 'constant minutes' ? {} : { kitchen: { orders: room } }) }));
}

/** Places an evening's orders, cooks them in turn, and returns by how much each missed its promise. */
async function replay({ app, place }: Kitchens, stores: readonly Store[], eveningOf: EveningOf): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const steps = stores.flatMap((store) => {
    let freeAt = 0;
    const cook = async ({ placedMinute, cookMinutes }: EveningOrder, nth: number) => {
      const { body, status } = await place({}, { of: store.storeId });
      if (status !== 200) return outcomes.push({ store, nth });
      const begun = Math.max(placedMinute, freeAt);
      freeAt = begun + QUARTER_MINUTES / store.restaurant.room;
      const needed = begun + cookMinutes - placedMinute;
      const { delivery_time_min: minimum, delivery_time_max: maximum } = body.final_quote.quote;
      await take(store, body.order_id, 'confirm', { preparation_minutes: maximum });
      outcomes.push({ store, nth, late: needed - maximum, early: minimum - needed });
      steps.push({ atMinute: begun + cookMinutes, run: () => take(store, body.order_id, 'ready') });
      return steps.sort(inTime);
    };
    return eveningOf(store).map((order, nth) => ({
      atMinute: order.placedMinute,
      run: (): Promise<unknown> => cook(order, nth),
    }));
  });
  steps.sort(inTime);
  let now = 0;
  for (let step = steps.shift(); step; step = steps.shift()) {
    if (step.atMinute > now) await app.advance({ seconds: Math.round((step.atMinute - now) * 60) });
    now = Math.max(now, step.atMinute);
    await step.run();
  }
  return outcomes;
}

const inTime = (a: { atMinute: number }, b: { atMinute: number }) => a.atMinute - b.atMinute;

async function take({ key }: Store, orderId: string, step: 'confirm' | 'ready', body = {}): Promise<void> {
  const { status, text } = await key.post(`/store/orders/${orderId}/${step}`, body);
  assert.equal(status, 200, text);
}

/** An evening of past weeks: the same customers, and minutes of unmeasured orders. */
function earlierEvening({ orders }: Restaurant, chance: Chance): EveningOrder[] {
  const known = orders.filter((_, nth) => !isMeasured(nth));
  return orders.map(({ placedMinute }) => ({ placedMinute, cookMinutes: pick(known, chance).cookMinutes }));
}

const isMeasured = (nth: number) => nth % 2 === 1;

async function measure(restaurants: readonly Restaurant[], seed: number): Promise<Outcome[]> {
  const kitchens = await givenKitchens(...restaurants.flatMap(linesOf));
  const { app, storeIds } = kitchens;
  const stores: Store[] = [];
  for (const [nth, storeId] of storeIds.entries()) {
    const [restaurant, kind] = [restaurants[Math.floor(nth / KINDS.length)], KINDS[nth % KINDS.length]];
    if (restaurant && kind) stores.push({ storeId, kind, restaurant, key: await givenStoreKey(app, storeId) });
  }
  const chance = chanceOf(seed);
  const learning = stores.filter(({ kind }) => kind === 'room and learned minutes');
  for (let week = 0; week < WEEKS; week += 1) {
    const evening = app.now();
    await replay(kitchens, learning, ({ restaurant }) => earlierEvening(restaurant, chance));
    await app.advance(app.now().until(evening.add({ hours: 7 * 24 })));
  }
  const { db, inventory } = app.service.deps;
  for (const { storeId } of learning) {
    await db.transaction().execute((tx) => setPreparation(tx, storeId, 'auto', app.now()));
    inventory.evict(storeId);
  }
  const outcomes = await replay(kitchens, stores, ({ restaurant }) => restaurant.orders);
  await app.close();
  return outcomes.filter(({ nth }) => isMeasured(nth));
}

const evenings = readEvenings(RESTAURANTS);
const report = createReport('kitchen');
await measureSearches(values.quick, report);
if (!evenings) print('Skipped: the public evenings (shared/data/mdrp) are absent.');
else {
  await using database = await openRunDatabase();
  process.env.DATABASE_URL = database.connectionString;
  const outcomes: Outcome[] = [];
  const replayed = evenings.slice(0, values.quick ? 1 : Number(values.evenings ?? evenings.length));
  for (const [seed, restaurants] of replayed.entries()) outcomes.push(...(await measure(restaurants, seed)));
  const shares = KINDS.map((kind) => {
    const own = outcomes.filter(({ store }) => store.kind === kind);
    const taken = own.filter(({ late }) => late !== undefined);
    const within = taken.filter(({ late = 0 }) => late <= LATE_MINUTES);
    const early = taken.filter(({ early = 0 }) => early > LATE_MINUTES);
    const late = taken.map(({ late = 0 }) => late);
    return {
      kind,
      value: (within.length / taken.length) * 100,
      details: `of ${own.length}, ${own.length - taken.length} refused, ${early.length} over five minutes early; the latest ${Math.round(Math.max(...late))} min`,
    };
  });
  const constant = shares[0]?.value ?? 0;
  for (const { kind, value, details } of shares)
    report.add({
      what: `ready in time with ${kind}`,
      value,
      unit: '% of orders',
      ...(kind === 'constant minutes' ? {} : { peer: { name: 'constant minutes', value: constant } }),
      ...(kind === 'room and learned minutes' ? { limit: { min: MIN_SHARE * 100 } } : {}),
      details,
    });
  report.finish(`${outcomes.length / KINDS.length} orders of ${replayed.length} of ${evenings.length} evenings`);
}
