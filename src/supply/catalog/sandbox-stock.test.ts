import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { givenStore } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import type { Sandbox } from '../../access/accounts/account.ts';
import { holdSlot, releaseSlot } from '../pricing/slots.db.ts';
import { findCatalogProducts } from './products.db.ts';
import { returnStock, takeStock } from './stock.db.ts';

const app = await givenApp();
const db = app.service.deps.db;
after(() => app.close());

/** Live orders and three sandboxes. */
const WORLDS: readonly Sandbox[] = [null, 'acc_a', 'acc_b', 'acc_c'];
const CAPACITY = 3;
const STARTS_AT = Temporal.Instant.from('2026-06-10T20:00:00Z');
const PRODUCTS = [1, 2, 3];

async function givenStocked(name: string, stock: readonly number[]): Promise<string> {
  const products = stock.map((units, n) => ({ id: `p${n}`, name: `P${n}`, price: 1, qty_available: units }));
  return givenStore(db, { external_id: name, categories: [{ id: 'x', name: 'X', products }] }, app.source);
}

async function leftIn(storeId: string, sandbox: Sandbox): Promise<(number | null)[]> {
  return (await findCatalogProducts(db, storeId, PRODUCTS, sandbox)).map(({ qtyAvailable }) => qtyAvailable);
}

class Refused extends Error {}

/** An order's effect: it holds a slot, takes units, or neither; false if refused. */
async function hold(
  storeId: string,
  sandbox: Sandbox,
  units: readonly number[],
  isScheduled: boolean,
): Promise<boolean> {
  const items = units.flatMap((quantity, n) => (quantity > 0 ? [{ productNo: n + 1, quantity }] : []));
  try {
    await db.transaction().execute(async (tx) => {
      const slot = { storeId, sandbox, pickup: false, startsAt: STARTS_AT, capacity: CAPACITY };
      if (isScheduled && !(await holdSlot(tx, slot))) throw new Refused();
      if ((await takeStock(tx, storeId, items, sandbox)).length > 0) throw new Refused();
    });
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

async function release(storeId: string, sandbox: Sandbox, units: readonly number[], isScheduled: boolean) {
  const items = units.flatMap((quantity, n) => (quantity > 0 ? [{ productNo: n + 1, quantity }] : []));
  await db.transaction().execute(async (tx) => {
    if (isScheduled) await releaseSlot(tx, { storeId, sandbox, pickup: false, startsAt: STARTS_AT });
    await returnStock(tx, storeId, items, sandbox);
  });
}

const units = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3));
const action = fc.record({ world: fc.nat(WORLDS.length - 1), units, isScheduled: fc.boolean(), ends: fc.boolean() });

/** The oracle: plain counters per world. */
type Counts = { live: number[]; held: Map<Sandbox, number[]>; slots: Map<Sandbox, number> };

function leftBy({ live, held }: Counts, sandbox: Sandbox): number[] {
  const own = held.get(sandbox) ?? [0, 0, 0];
  return live.map((units, n) => (sandbox === null ? units : Math.max(0, units - (own[n] ?? 0))));
}

function apply(counts: Counts, sandbox: Sandbox, units: readonly number[], factor: 1 | -1, isScheduled: boolean): void {
  const count = sandbox === null ? counts.live : (counts.held.get(sandbox) ?? [0, 0, 0]);
  if (sandbox !== null) counts.held.set(sandbox, count);
  for (const [n, quantity] of units.entries())
    count[n] = (count[n] ?? 0) + (sandbox === null ? -factor : factor) * quantity;
  if (isScheduled) counts.slots.set(sandbox, (counts.slots.get(sandbox) ?? 0) + factor);
}

test('in any interleaving each world sells and gets back its own units and slots, and no other sees it', async () => {
  let run = 0;
  const stock = fc.tuple(fc.nat(6), fc.nat(6), fc.nat(6));
  await fc.assert(
    fc.asyncProperty(stock, fc.array(action, { minLength: 4, maxLength: 14 }), async (stocked, actions) => {
      run += 1;
      const storeId = await givenStocked(`interleaved-${run}`, stocked);
      const counts: Counts = { live: [...stocked], held: new Map(), slots: new Map() };
      const open: { sandbox: Sandbox; units: readonly number[]; isScheduled: boolean }[] = [];
      for (const { world, units, isScheduled, ends } of actions) {
        const sandbox = WORLDS[world] ?? null;
        const own = open.findIndex((one) => one.sandbox === sandbox);
        const ending = ends && own >= 0 ? open.splice(own, 1)[0] : undefined;
        if (ending) {
          await release(storeId, sandbox, ending.units, ending.isScheduled);
          apply(counts, sandbox, ending.units, -1, ending.isScheduled);
        } else {
          const before = leftBy(counts, sandbox);
          const isSlotFree = !isScheduled || (counts.slots.get(sandbox) ?? 0) < CAPACITY;
          const fits = isSlotFree && units.every((quantity, n) => quantity === 0 || quantity <= (before[n] ?? 0));
          assert.equal(await hold(storeId, sandbox, units, isScheduled), fits);
          if (fits) {
            apply(counts, sandbox, units, 1, isScheduled);
            open.push({ sandbox, units, isScheduled });
          }
        }
        for (const one of WORLDS) assert.deepEqual(await leftIn(storeId, one), leftBy(counts, one));
      }
    }),
    { numRuns: runs(8) },
  );
});

test('concurrent orders of all sandboxes never oversell or deadlock, and canceled units return', async () => {
  const stocked = [6, 6, 6];
  const storeId = await givenStocked('at-once', stocked);
  const wishes = Array.from({ length: 48 }, (_, n) => ({
    sandbox: WORLDS[n % WORLDS.length] ?? null,
    units: [n % 2, (n + 1) % 3, n % 3].map((quantity) => Math.min(1, quantity)),
    isScheduled: n % 5 === 0,
  }));
  const held = await Promise.all(
    wishes.map(async (wish) => ({ ...wish, isHeld: await hold(storeId, wish.sandbox, wish.units, wish.isScheduled) })),
  );
  const taken = (sandbox: Sandbox) =>
    PRODUCTS.map((_, n) =>
      held.filter((one) => one.isHeld && one.sandbox === sandbox).reduce((sum, one) => sum + (one.units[n] ?? 0), 0),
    );
  const live = stocked.map((units, n) => units - (taken(null)[n] ?? 0));
  assert.ok(
    live.every((units) => units >= 0),
    `${live}`,
  );
  for (const sandbox of WORLDS) {
    const own = taken(sandbox);
    assert.ok(
      own.every((units) => units <= 6),
      `${own}`,
    );
    assert.deepEqual(
      await leftIn(storeId, sandbox),
      sandbox === null ? live : live.map((units, n) => Math.max(0, units - (own[n] ?? 0))),
    );
    const scheduled = held.filter((one) => one.isHeld && one.sandbox === sandbox && one.isScheduled);
    assert.ok(scheduled.length <= CAPACITY);
  }
  await Promise.all(
    held.filter(({ isHeld }) => isHeld).map((one) => release(storeId, one.sandbox, one.units, one.isScheduled)),
  );
  for (const sandbox of WORLDS) assert.deepEqual(await leftIn(storeId, sandbox), stocked);
});
