import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CookedOrder, cook, isKept } from '../../../test/oracles/kitchen.ts';
import { runs } from '../../../test/runs.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import {
  type CookedPart,
  findRoom,
  type Kitchen,
  type KitchenLoad,
  minutesOf,
  publishedRoom,
  publishedWait,
  slotsWithoutRoom,
  waitFor,
  waitOf,
  withParts,
} from './kitchen.ts';

/** 18:00 on an evening, in minutes since the epoch. */
const EVENING = Date.UTC(2026, 10, 27, 18) / 60_000;

const limit = (max: number) => fc.option(fc.integer({ min: 1, max }), { nil: null });
const kitchens: fc.Arbitrary<Kitchen> = fc.record({
  orders: limit(4),
  items: limit(12),
  maxWaitMinutes: fc.integer({ min: 0, max: 120 }),
});
const steps = fc.array(
  fc.record({
    /** The database's clock may be set back. */
    minutes: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 7 }) }, fc.integer({ min: -60, max: -1 })),
    items: fc.integer({ min: 1, max: 30 }),
    /** Minutes from now to the slot of a scheduled order; slots need not start at a quarter. */
    slotIn: fc.option(
      fc.integer({ min: 0, max: 36 }).map((n) => n * 5),
      { nil: null, freq: 1 },
    ),
    cancels: fc.option(fc.nat(), { nil: null, freq: 3 }),
  }),
  { maxLength: 40 },
);

/** An evening of a kitchen by the rule, and by the oracle. */
class Evening {
  minute = EVENING;
  private readonly kitchen: Kitchen;
  private load: KitchenLoad = {};
  private readonly held: { order: CookedOrder; parts: readonly CookedPart[] }[] = [];

  constructor(kitchen: Kitchen) {
    this.kitchen = kitchen;
  }

  cancel(nth: number): void {
    if (this.held.length === 0) return;
    const [canceled] = this.held.splice(nth % this.held.length, 1);
    this.load = withParts(this.load, canceled?.parts ?? [], -1, this.minute * 60);
  }

  place(items: number, slotMinute: number | null): void {
    const { kitchen, held, load, minute } = this;
    const nowS = minute * 60;
    const order = cook(
      kitchen,
      held.map((one) => one.order),
      { items, slotMinute },
      minute,
    );
    const parts = findRoom(kitchen, load, { items, slotStartS: slotMinute === null ? null : slotMinute * 60 }, nowS);
    assert.deepEqual(
      parts?.map(({ quarter, items: cooked }) => ({ fromMinute: quarter * 15, items: cooked })),
      order?.parts,
    );
    if (!parts || !order) return;
    if (slotMinute === null) assertWait(kitchen, load, { items, first: order.parts, nowS });
    this.load = withParts(load, parts, 1, nowS);
    held.push({ order, parts });
    assert.ok(
      isKept(
        kitchen,
        held.map((one) => one.order),
      ),
    );
  }
}

test('an order takes the first room from now on, or that before its slot, and no quarter is oversold, also after the clock is set back', () => {
  fc.assert(
    fc.property(kitchens, steps, (kitchen, evening) => {
      const kept = new Evening(kitchen);
      for (const { minutes, items, slotIn, cancels } of evening) {
        kept.minute += minutes;
        if (cancels !== null) kept.cancel(cancels);
        kept.place(items, slotIn === null ? null : Math.ceil(kept.minute / 5) * 5 + slotIn);
      }
    }),
    { numRuns: runs(10_000) },
  );
});

/** The wait lasts until the last quarter begins; the order is taken if the first one is near enough. */
function assertWait(
  kitchen: Kitchen,
  load: KitchenLoad,
  { items, first, nowS }: { items: number; first: CookedOrder['parts']; nowS: number },
): void {
  const wait = waitFor(kitchen, load, items, instantOfEpochSeconds(nowS));
  const [begins = 0, ends = 0] = [first[0]?.fromMinute, first.at(-1)?.fromMinute];
  assert.equal(minutesOf(wait, instantOfEpochSeconds(nowS)), Math.max(0, ends - nowS / 60));
  assert.equal(wait.acceptsFromS <= nowS, begins - nowS / 60 <= kitchen.maxWaitMinutes);
}

test('search’s next change is the moment the first item can begin, and no full slot is offered', () => {
  const loads = fc.dictionary(
    fc.integer({ min: -2, max: 20 }).map((n) => String(EVENING / 15 + n)),
    fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 12 })),
  );
  fc.assert(
    fc.property(kitchens, loads, fc.integer({ min: 0, max: 200 }), (kitchen, load, later) => {
      const nowS = EVENING * 60;
      const { roomFromS, changesAtS } = publishedRoom(kitchen, load, nowS);
      const atS = nowS + later * 60;
      if (atS >= (changesAtS ?? Infinity)) return;
      const at = instantOfEpochSeconds(atS);
      const shown = roomFromS === null ? 0 : minutesOf(publishedWait(kitchen, roomFromS), at);
      assert.equal(shown, minutesOf(waitFor(kitchen, load, 1, at), at));
      const busy = new Set(slotsWithoutRoom(kitchen, load));
      const slotStartS = atS + 3600;
      const room = findRoom(kitchen, load, { items: 1, slotStartS }, atS);
      assert.equal(busy.has(slotStartS), room === undefined);
    }),
    { numRuns: runs(2000) },
  );
});

test('a kitchen without room in two days takes no order', () => {
  const kitchen = { orders: 1, items: null, maxWaitMinutes: 90 };
  const nowS = EVENING * 60;
  const full = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [EVENING / 15 + n, [1, 1] as const]));
  assert.equal(findRoom(kitchen, full, { items: 1, slotStartS: null }, nowS), undefined);
  assert.ok(waitOf(kitchen, undefined, nowS).acceptsFromS > nowS + 86_400);
});
