import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { formatOf } from '../../src/platform/languages/format.ts';
import { parseStoreHours } from '../../src/supply/menus/feed-hours.ts';
import { weeklyHours } from '../../src/supply/stores/hours.ts';
import { runs } from '../../test/runs.ts';
import {
  dropPastExceptions,
  fieldTime,
  hoursRequest,
  mergeHours,
  rangeOf,
  upcomingExceptions,
  withDay,
  withEveryDay,
  withoutEntry,
  withRange,
} from './hours-editing.ts';
import {
  allDay,
  countdown,
  isCurrent,
  laneOf,
  lateOrders,
  minutesUntil,
  type OrderOption,
  optionLines,
  readyEpochS,
  sortLane,
  stepMinutes,
} from './order-board.ts';
import { lengthInWords } from './order-words.ts';
import { plusDays, storeClock } from './store-clock.ts';

const ENGLISH = formatOf('en', 'US');
const NOW = Temporal.Instant.from('2026-06-10T22:18:00Z').epochMilliseconds / 1000;

/** Only the fields of an order that the console's rules read. */
function order(changes: Partial<StoreOrder>): StoreOrder {
  return {
    ...{
      order_id: 'o',
      order_number: 'A1',
      status: 'awaiting_confirmation',
      steps: ['confirm', 'cancel'],
      pickup: true,
    },
    is_ready: false,
    timestamp: NOW,
    eta_timestamp: NOW,
    quoted_ready_by: NOW,
    ready_by: null,
    scheduled: {},
    driver_tip_cents: 0,
    refunded_amount: 0,
    store_part: { total: 1000, sales_tax_cents: 80 },
    ...changes,
  } as StoreOrder;
}
const KITCHEN = order({ status: 'in_progress', steps: ['ready', 'cancel'] });
const READY = order({ status: 'in_progress', steps: ['complete', 'cancel'], is_ready: true });

test('an order is in its state’s column; a departed delivery is among those on the way', () => {
  assert.equal(laneOf(order({})), 'new');
  assert.equal(laneOf(KITCHEN), 'kitchen');
  assert.equal(laneOf(READY), 'ready');
  assert.equal(laneOf(order({ status: 'in_progress', steps: ['complete'], pickup: false })), 'ready');
  for (const status of ['completed', 'canceled'] as const) assert.equal(laneOf(order({ status, steps: [] })), 'done');
});

test('new orders stand as they came, the kitchen by when they are due, ended orders newest first', () => {
  const numbers = (orders: StoreOrder[], lane: 'new' | 'kitchen' | 'done') =>
    sortLane(orders, lane).map(({ order_number }) => order_number);
  const at = (order_number: string, seconds: number, more: Partial<StoreOrder> = {}) =>
    order({ order_number, timestamp: NOW + seconds, ...more });
  assert.deepEqual(numbers([at('A3', 5), at('A10', 0), at('A2', 0)], 'new'), ['A2', 'A10', 'A3']);
  const cooking = (order_number: string, ready_by: number) => ({ ...KITCHEN, order_number, ready_by });
  assert.deepEqual(numbers([cooking('A1', NOW + 900), cooking('A2', NOW + 300)], 'kitchen'), ['A2', 'A1']);
  const done = { status: 'completed' as const, steps: [] };
  assert.deepEqual(numbers([at('A1', 0, done), at('A2', 9, done)], 'done'), ['A2', 'A1']);
});

test('an answer that arrives late never takes an order back', () => {
  assert.equal(isCurrent(KITCHEN, order({})), true);
  assert.equal(isCurrent(order({}), KITCHEN), false);
  assert.equal(isCurrent(KITCHEN, READY), false);
  assert.equal(isCurrent(order({ status: 'canceled', steps: [] }), READY), true);
  assert.equal(isCurrent(READY, order({ status: 'canceled', steps: [] })), false);
  assert.equal(isCurrent(READY, { ...READY, user_name: 'older' }), true, 'of two equal states the last one counts');
  assert.equal(isCurrent(READY, undefined), true);
});

test('confirmation minutes stay within the Store API’s limits', () => {
  assert.deepEqual([stepMinutes(20, 1), stepMinutes(5, -1), stepMinutes(1440, 1)], [25, 5, 1440]);
  assert.deepEqual([lengthInWords(25, ENGLISH), lengthInWords(125, ENGLISH)], ['25 min', '2 h 05']);
  assert.deepEqual([countdown(NOW + 245, NOW), countdown(NOW - 5, NOW)], ['4:05', '0:00']);
  assert.deepEqual([minutesUntil(NOW + 61, NOW), minutesUntil(NOW - 61, NOW)], [2, -2]);
});

test('an order is ready after its minutes, and a scheduled order not before its slot needs it', () => {
  const slot = { quoted_ready_by: NOW + 86_400, scheduled: { id: 's', minimum: NOW + 86_400, maximum: NOW + 88_200 } };
  assert.equal(readyEpochS(order({ quoted_ready_by: NOW + 3600 }), 20, NOW), NOW + 1200);
  assert.equal(readyEpochS(order(slot), 20, NOW), NOW + 86_400);
  assert.equal(readyEpochS(order({ ...slot, quoted_ready_by: NOW + 600 }), 20, NOW), NOW + 1200);
});

test('moments are in the store’s time, and its day begins at midnight, also when clocks change', () => {
  const clock = storeClock('America/New_York', ENGLISH);
  assert.equal(clock.time(NOW), '6:18 PM');
  assert.equal(clock.moment(NOW, NOW), '6:18 PM');
  assert.equal(clock.moment(NOW, NOW + 86_400), 'Wed, Jun 10, 6:18 PM');
  const french = storeClock('America/New_York', formatOf('fr', 'CA'));
  assert.equal(french.slot(NOW, NOW + 1800, NOW).replaceAll('\u00a0', ' '), '18 h 18 – 18 h 48');
  assert.equal(clock.slot(NOW, NOW + 1800, NOW), '6:18 – 6:48 PM');
  assert.equal(clock.slot(NOW + 86_400, NOW + 88_200, NOW), 'Thu, Jun 11, 6:18 – 6:48 PM');
  for (const [zone, moment, start] of [
    ['America/New_York', '2026-06-10T22:18:00Z', '2026-06-10T04:00:00Z'],
    ['America/New_York', '2026-11-02T03:00:00Z', '2026-11-01T04:00:00Z'],
    ['America/New_York', '2026-03-08T23:00:00Z', '2026-03-08T05:00:00Z'],
    ['America/St_Johns', '2026-06-10T22:18:00Z', '2026-06-10T02:30:00Z'],
    ['America/New_York', '2026-06-10T04:00:00Z', '2026-06-10T04:00:00Z'],
  ] as const) {
    const epochOf = (text: string) => Temporal.Instant.from(text).epochMilliseconds / 1000;
    assert.equal(storeClock(zone, ENGLISH).dayStart(epochOf(moment)), epochOf(start), `${zone} ${moment}`);
  }
});

test('dates are counted by the calendar, over months, years and changes of the clock', () => {
  assert.deepEqual(
    [plusDays('2026-03-08', 1), plusDays('2026-01-01', -1), plusDays('2028-02-28', 1), plusDays('2026-11-01', -6)],
    ['2026-03-09', '2025-12-31', '2028-02-29', '2026-10-26'],
  );
});

test('a day of the weekly hours is edited by time fields; an end before its start is on the next day', () => {
  assert.deepEqual([fieldTime(545), fieldTime(1440), fieldTime(1560)], ['09:05', '00:00', '02:00']);
  assert.deepEqual(rangeOf('11:00', '22:30'), { startMinute: 660, endMinute: 1350 });
  assert.deepEqual(rangeOf('17:00', '02:00'), { startMinute: 1020, endMinute: 1560 });
  assert.equal(rangeOf('', '02:00'), undefined);
  const lunch = { startMinute: 660, endMinute: 900 };
  const week = withDay(
    weeklyHours(() => []),
    2,
    [lunch],
  );
  assert.deepEqual(
    week.map((ranges) => ranges.length),
    [0, 0, 1, 0, 0, 0, 0],
  );
  assert.ok(withEveryDay(week, 2).every(([range]) => range === lunch));
  assert.equal(withRange([lunch])[1]?.startMinute, 1020);
  assert.equal(withRange([])[0]?.startMinute, 660);
});

test('days with other hours are listed by their dates once they are to come, each with its place in the list', () => {
  const on = (from: string, to: string) => ({ from, to, hours: 'Closed', channel: null });
  const list = [on('2026-12-25', '2026-12-26'), on('2026-06-01', '2026-06-09'), on('2026-06-01', '2026-06-10')];
  assert.deepEqual(
    upcomingExceptions(list, '2026-06-10').map(({ index }) => index),
    [2, 0],
  );
  assert.equal(ENGLISH.dates('2026-12-25'), 'Fri, Dec 25, 2026');
  assert.equal(ENGLISH.dates('2026-12-25', '2026-12-26'), 'Fri, Dec 25 – Sat, Dec 26, 2026');
});

test('saving other days drops exceptions before yesterday, whose evening may still run', () => {
  const on = (from: string, to: string) => ({ from, to, hours: 'Closed', channel: null });
  const list = [on('2026-03-01', '2026-03-01'), on('2026-02-20', '2026-02-28'), on('2026-02-01', '2026-02-27')];
  assert.deepEqual(dropPastExceptions(list, '2026-03-01'), list.slice(0, 2));
});

test('one entry of other days is removed: of two alike the later, and none where the list has none like it', () => {
  const on = (from: string, channel: string | null = null) => ({ from, to: from, hours: 'Closed', channel });
  const list = [on('2026-07-04'), on('2026-12-25'), on('2026-07-04'), on('2026-07-04', 'pickup')];
  assert.deepEqual(withoutEntry(list, on('2026-07-04')), [list[0], list[1], list[3]]);
  assert.deepEqual(withoutEntry(list, on('2026-07-05')), list);
});

test('hours are sent as they are shown: a channel follows the opening hours or keeps its own, and unknown hours stay closed', () => {
  const week = (startMinute: number) => weeklyHours(() => [{ startMinute, endMinute: 1320 }]);
  const [late, early] = [week(660), week(540)];
  const closed = weeklyHours(() => []);
  const taken = (hours: Parameters<typeof hoursRequest>[0]) => {
    const parsed = parseStoreHours(hoursRequest(hours).hours);
    assert.ok(parsed.ok);
    return parsed.value;
  };
  const follows = { operational: early, delivery: early, pickup: late, dine_in: early };
  assert.deepEqual(taken(follows), follows);
  assert.deepEqual(Object.keys(hoursRequest(follows).hours), ['operational', 'pickup']);
  const unread = { operational: early, delivery: null, pickup: early, dine_in: null };
  assert.deepEqual(taken(unread), { operational: early, delivery: closed, pickup: early, dine_in: closed });
  const alone = { operational: null, delivery: late, pickup: null, dine_in: null };
  assert.deepEqual(taken(alone), alone);
});

test('hours that two tablets edit at one time are both kept, day by day and channel by channel', () => {
  const shop = weeklyHours(() => [{ startMinute: 600, endMinute: 1200 }]);
  const late = [{ startMinute: 600, endMinute: 1380 }];
  const base = { operational: shop, delivery: shop, pickup: shop, dine_in: null };
  const mine = { ...base, operational: withDay(shop, 0, late), delivery: withDay(shop, 0, late) };
  const theirs = { ...base, delivery: withDay(shop, 4, []), pickup: null };
  assert.deepEqual(mergeHours(base, mine, theirs), {
    operational: withDay(shop, 0, late),
    delivery: withDay(withDay(shop, 0, late), 4, []),
    pickup: null,
    dine_in: null,
  });
  assert.deepEqual(mergeHours(base, base, theirs), theirs);
  const unknown = { ...base, operational: null };
  assert.deepEqual(mergeHours(base, mine, unknown).operational, mine.operational, 'of unknown hours nothing is kept');
});

test('options share a line with their customization, and options with suboptions get their own line', () => {
  const option = (customization: string, name: string, options: OrderOption[] = []) => ({
    customization,
    name,
    quantity: 1,
    options,
  });
  const edge = option('Edge', 'Stuffed');
  const lines = optionLines([
    option('Crust', 'Deep pan', [edge]),
    option('Toppings', 'Olives'),
    option('Toppings', 'Chili'),
    option('Crust', 'Thin'),
  ]);
  const words = lines.map(({ customization, options }) => `${customization}: ${options.map(({ name }) => name)}`);
  assert.deepEqual(words, ['Crust: Deep pan', 'Toppings: Olives,Chili', 'Crust: Thin']);
  const halves = [option('Half', 'Left', [edge]), option('Half', 'Right')];
  assert.equal(optionLines(halves).length, 2);
});

/** A dish's options as in an order, in any order, and as the list writes them. */
const choices = fc.constantFrom(
  { options: [], text: '' },
  {
    options: [
      ['Deep pan', 1],
      ['Olives', 2],
    ],
    text: '2× Olives, Deep pan',
  },
  {
    options: [
      ['Olives', 2],
      ['Deep pan', 1],
    ],
    text: '2× Olives, Deep pan',
  },
  { options: [['Deep pan', 1, [['Stuffed', 1]]]], text: 'Deep pan (Stuffed)' },
);
const optionsOf = (list: readonly unknown[]): OrderOption[] =>
  (list as [string, number, unknown[]?][]).map(([name, quantity, inner = []]) => ({
    customization: 'Any',
    name,
    quantity,
    options: optionsOf(inner),
  }));
const items = fc.array(
  fc.record({ name: fc.constantFrom('Cola', 'Diavola', 'Caesar'), fulfilled_quantity: fc.nat(3), choice: choices }),
  { maxLength: 4 },
);
const dueIn = fc.integer({ min: -7200, max: 10_800 });
const boards = fc.array(
  fc.record({
    kind: fc.constantFrom(order({}), KITCHEN, READY, order({ status: 'completed', steps: [] })),
    items,
    dueIn,
  }),
  { maxLength: 12 },
);

test('all day has every unit to make of orders that are due within two hours, by dish and choice, the latest first', () => {
  const sum = (units: readonly { fulfilled_quantity: number }[]) =>
    units.reduce((total, { fulfilled_quantity: count }) => total + count, 0);
  fc.assert(
    fc.property(boards, (board) => {
      const orders = board.map(({ kind, items: made, dueIn: seconds }, n) => {
        const list = made.map(({ choice, ...item }) => ({ ...item, options: optionsOf(choice.options) }));
        return { ...kind, order_id: `${n}`, quoted_ready_by: NOW + seconds, items: list as StoreOrder['items'] };
      });
      const counted = board
        .filter(({ kind, dueIn: seconds }) => kind !== READY && kind.status !== 'completed' && seconds <= 7200)
        .flatMap(({ items: made, dueIn: seconds }) => made.map((item) => ({ ...item, lateS: Math.max(0, -seconds) })))
        .filter(({ fulfilled_quantity: count }) => count > 0);
      const dishes = allDay(orders, NOW);
      assert.deepEqual(dishes.map(({ name }) => name).sort(), [...new Set(counted.map(({ name }) => name))].sort());
      for (const [n, { name, count, lateS, choices: made }] of dishes.entries()) {
        const mine = counted.filter((item) => item.name === name);
        assert.deepEqual([count, lateS], [sum(mine), Math.max(...mine.map((item) => item.lateS))]);
        for (const text of ['2× Olives, Deep pan', 'Deep pan (Stuffed)']) {
          assert.equal(made.get(text) ?? 0, sum(mine.filter(({ choice }) => choice.text === text)));
        }
        const next = dishes[n + 1];
        if (next) assert.ok(lateS > next.lateS || (lateS === next.lateS && count >= next.count), 'out of sequence');
      }
      assert.deepEqual(
        allDay(orders.toReversed(), NOW).map(({ name }) => name),
        dishes.map(({ name }) => name),
      );
    }),
    { numRuns: runs(300) },
  );
});

test('late orders are the open ones behind the time that was promised of their food, then of their handover; the latest first', () => {
  const behind = (order_number: string, minutes: number, more: Partial<StoreOrder> = {}) =>
    order({ order_number, quoted_ready_by: NOW - 60 * minutes, eta_timestamp: NOW + 3600, ...more });
  const { status, steps, is_ready } = READY;
  const orders = [
    behind('A1', 5),
    behind('A2', 40, { ready_by: NOW + 60 }),
    behind('A3', 20, { status, steps }),
    behind('A4', 50, { status, steps, is_ready }),
    behind('A5', 0, { status, steps, is_ready, eta_timestamp: NOW - 600 }),
    behind('A6', 90, { status: 'canceled', steps: [] }),
    behind('A7', 0),
  ];
  assert.deepEqual(
    lateOrders(orders, NOW).map(({ order_number }) => order_number),
    ['A3', 'A5', 'A1'],
  );
});
