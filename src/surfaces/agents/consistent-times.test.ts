import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toMarkup } from 'doorstep/html';
import { type Coordinate, milesBetween } from 'doorstep/search-engine/geography';
import fc from 'fast-check';
import { DINNER, givenMessageContext } from '../../../test/given/message-context.ts';
import { runs } from '../../../test/runs.ts';
import { driverMoved } from '../../fulfillment/deliveries/driver-location.ts';
import { driverParts } from '../../fulfillment/deliveries/driver-view.ts';
import { ticketLines } from '../../fulfillment/tickets/ticket-documents.ts';
import { cancelationMail, deliveredMail, onItsWayMail, receiptMail } from '../../notify/messages/order-mails.ts';
import { smsText } from '../../notify/messages/sms-texts.ts';
import { advanceOrder, allowsStep, type OrderStep, type StepDetails } from '../../ordering/order/advance-order.ts';
import { confirmedDetails, quotedPreparationMinutes } from '../../ordering/order/kitchen-times.ts';
import type { AdvanceEvent, Order } from '../../ordering/order/order.ts';
import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { travelMinutes } from '../../supply/stores/time-estimate.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { renderOrderPage } from '../tracking/live-order.ts';
import type { TakenStep, TrackedOrder } from '../tracking/tracked-order.ts';
import { showOrder } from './shown-order.ts';

/*
 * Orders of every kind live through steps at random moments. At each moment, the times on the page, in mail and SMS and
 * from an agent are parsed and compared.
 */

/** Stores, and doors of their zone and across the line of another, on the Apalachicola. */
const CITY = { latitude: 40.7402, longitude: -73.9903, timeZone: 'America/New_York', state: 'NY' };
const SNEADS = { latitude: 30.72, longitude: -84.93, timeZone: 'America/Chicago', state: 'FL' };
const ACROSS = { latitude: 30.75, longitude: -84.83, timeZone: 'America/New_York', state: 'FL' };
const PLACES = [
  { store: CITY, door: CITY },
  { store: SNEADS, door: ACROSS },
  { store: ACROSS, door: SNEADS },
];
const DEVICES = ['', 'America/New_York', 'America/Detroit', 'America/Los_Angeles', 'Europe/Paris'];
const PLACED_AT = Temporal.Instant.from('2026-06-10T15:07:20Z');
const ENGLISH = localeOf('en', 'US');
const VISITOR = { key: null, lang: undefined, maps: 'google' } as const;

type Life = {
  mode: 'delivery' | 'pickup';
  place: (typeof PLACES)[number];
  device: string;
  /** Degrees north of the place of the door. */
  away: number;
  preparation: readonly [number, number];
  slot: { inMinutes: number; minutes: number } | null;
  acts: readonly { waitS: number; act: Act; minutes: number; part: number }[];
};
const ACTS = [
  'confirm',
  'confirm_as_quoted',
  'confirm_with_minutes',
  'ready',
  'assign_driver',
  'pick_up',
  'move',
] as const;
const LAST_ACTS = ['approach', 'complete', 'nothing'] as const;
type Act = (typeof ACTS)[number] | (typeof LAST_ACTS)[number];

const lives: fc.Arbitrary<Life> = fc.record({
  mode: fc.constantFrom('delivery', 'delivery', 'pickup'),
  place: fc.constantFrom(...PLACES),
  device: fc.constantFrom(...DEVICES),
  away: fc.double({ min: 0, max: 0.1, noNaN: true }),
  preparation: fc
    .tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 30 }))
    .map(([shortest, spread]) => [shortest, shortest + spread] as const),
  slot: fc.option(fc.record({ inMinutes: fc.integer({ min: 0, max: 2000 }), minutes: fc.constantFrom(15, 30, 60) }), {
    freq: 3,
  }),
  acts: fc.array(
    fc.record({
      waitS: fc.oneof(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 9000 })),
      act: fc.constantFrom<Act>(...ACTS, ...LAST_ACTS),
      minutes: fc.integer({ min: 1, max: 90 }),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 12 },
  ),
});

function placedOrder({ mode, place, device, away, preparation, slot }: Life): Order {
  const { order } = givenMessageContext(DINNER);
  const door = { latitude: place.door.latitude + away, longitude: place.door.longitude };
  const trip = mode === 'delivery' ? tripMinutes(place.store, door) : 0;
  const [minimum, maximum] = preparation.map((minutes) => minutes + trip) as [number, number];
  const placedEpochS = epochSeconds(PLACED_AT);
  const startEpochS = placedEpochS + (slot?.inMinutes ?? 0) * 60;
  const scheduled = slot && { id: 's', startEpochS, endEpochS: startEpochS + slot.minutes * 60 };
  const etaEpochS = scheduled?.endEpochS ?? placedEpochS + maximum * 60;
  const toSlot = slot && { minimum: slot.inMinutes, maximum: slot.inMinutes + slot.minutes };
  const { customer } = order.request;
  return {
    ...order,
    status: 'awaiting_confirmation',
    isReady: false,
    driver: {},
    driverStage: 'none',
    driverLink: 0,
    chargeState: 'charged',
    readyBy: null,
    eta: instantOfEpochSeconds(etaEpochS),
    placedAt: PLACED_AT,
    offerAt: PLACED_AT,
    confirmBy: null,
    completedAt: null,
    canceledAt: null,
    checkoutKey: null,
    checkoutUntil: null,
    handoverCode: null,
    request: {
      ...order.request,
      mode,
      customer: {
        ...customer,
        ...(mode === 'delivery' ? { ...door, state: place.door.state } : { latitude: null, longitude: null }),
        timeZone: device,
      },
    },
    quote: {
      ...order.quote,
      store: { ...order.quote.store, ...place.store },
      minutes: toSlot ?? { minimum, maximum },
      etaEpochS,
      scheduled,
      ...(slot ? { asapMinutes: maximum } : {}),
    },
  };
}

const tripMinutes = (store: Coordinate, door: Coordinate): number => travelMinutes(milesBetween(store, door));

function tripOf({ request, quote }: Order): number {
  const { latitude, longitude } = request.customer;
  return latitude === null || longitude === null ? 0 : tripMinutes(quote.store, { latitude, longitude });
}

function between({ request: { customer }, quote: { store } }: Order, part: number) {
  const [north, east] = [customer.latitude ?? store.latitude, customer.longitude ?? store.longitude];
  return {
    latitude: store.latitude + (north - store.latitude) * part,
    longitude: store.longitude + (east - store.longitude) * part,
  };
}

function stepOf(
  order: Order,
  { act, minutes, part }: Life['acts'][number],
  now: Temporal.Instant,
): OrderStep | undefined {
  const take = (name: AdvanceEvent, details: StepDetails = {}) =>
    allowsStep(order, name) ? advanceOrder(order, name, now, details) : undefined;
  switch (act) {
    case 'confirm':
      return take('confirm');
    case 'confirm_as_quoted':
      return take('confirm', confirmedDetails(order, quotedPreparationMinutes(order), now));
    case 'confirm_with_minutes':
      return take('confirm', confirmedDetails(order, minutes, now));
    case 'assign_driver':
    case 'pick_up':
      return take(act, { driver: { name: 'Ana', ...(part > 0.5 ? between(order, 0) : {}) } });
    case 'approach':
      return take('approach', { driver: between(order, 0.99) });
    case 'move': {
      if (order.status !== 'in_progress' || order.driverStage === 'none') return undefined;
      const moved = driverMoved(order, between(order, part), now);
      return moved.step ?? { order: moved.order, event: { type: 'order.confirmed', data: {} } };
    }
    case 'nothing':
      return undefined;
    default:
      return take(act);
  }
}

/** Every moment of a life when someone reads: right after each act, and a while later. */
function* momentsOf(life: Life): Generator<{ tracked: TrackedOrder; now: Temporal.Instant }> {
  let order = placedOrder(life);
  let now = PLACED_AT;
  const steps: TakenStep[] = [{ type: 'order.placed', epochS: epochSeconds(now) }];
  const tracked = () => ({ order, steps: [...steps], refunds: [], version: '1', care: CARE, photo: null });
  yield { tracked: tracked(), now };
  for (const act of life.acts) {
    now = now.add({ seconds: act.waitS });
    yield { tracked: tracked(), now };
    const step = stepOf(order, act, now);
    if (!step) continue;
    order = step.order;
    if (act.act !== 'move') steps.push({ type: step.event.type, epochS: epochSeconds(now) });
    yield { tracked: tracked(), now };
  }
}

const CARE = { helpUrl: null, helpEmail: null, helpPhone: null, customerCancel: false, reorderUrl: null };

type Shown = { earliestEpochS: number; latestEpochS: number; text: string; kitchen: string };

function readPage(tracked: TrackedOrder, now: Temporal.Instant): Shown | undefined {
  const { parts } = renderOrderPage(tracked, VISITOR, ENGLISH, now);
  const found = /data-earliest="(\d+)" data-latest="(\d+)">[^<]*<\/strong>\s*<span>(.*?)<\/span>/s.exec(
    toMarkup(parts.now),
  );
  if (!found) return undefined;
  const [, earliest, latest, text = ''] = found;
  const kitchen = /id="kitchen-title">([^<]*)/.exec(toMarkup(parts.driver))?.[1] ?? '';
  return {
    earliestEpochS: Number(earliest),
    latestEpochS: Number(latest),
    text: text.replaceAll(/<[^>]*>/g, ''),
    kitchen,
  };
}

/** The last time of day in a text, in minutes from midnight. */
function clockIn(text: string): number {
  const [, hour, minute, half] =
    [...text.matchAll(/(\d{1,2}):(\d\d)\s(AM|PM)/g)].at(-1) ?? assert.fail(`no time: ${text}`);
  return (Number(hour) % 12) * 60 + Number(minute) + (half === 'PM' ? 720 : 0);
}

/** The zone of the door, found without the map of zones. */
const doorZone = ({ request: { mode, customer }, quote: { store } }: Order) =>
  mode === 'pickup' ? store.timeZone : (customer.longitude ?? 0) > -84.9 ? 'America/New_York' : 'America/Chicago';

function clockOf(order: Order, epochS: number): number {
  const { hour, minute } = instantOfEpochSeconds(epochS).toZonedDateTimeISO(doorZone(order));
  return hour * 60 + minute;
}

/** The minute when a moment lies: clocks on the page show no seconds. */
const minuteOf = (now: Temporal.Instant) => Math.floor(epochSeconds(now) / 60) * 60;

/** Minutes from one time of day to the next occurrence of another. */
const minutesFrom = (from: number, to: number) => (to - from + 1440) % 1440;

const assertLives = (holds: (moment: { tracked: TrackedOrder; now: Temporal.Instant }) => void) =>
  fc.assert(
    fc.property(lives, (life) => {
      for (const moment of momentsOf(life)) holds(moment);
    }),
    { numRuns: runs(400) },
  );

test('an order is ready before it arrives by the trip, at every moment and in whatever words', () => {
  assertLives(({ tracked, now }) => {
    const { order } = tracked;
    const shown = readPage(tracked, now);
    if (!shown) return;
    assert.ok(shown.earliestEpochS <= shown.latestEpochS, shown.text);
    if (order.request.mode === 'pickup' || order.driverStage === 'picked_up' || order.driverStage === 'nearby') return;
    const trip = tripOf(order);
    if (shown.kitchen.startsWith('Ready around')) {
      const gap = minutesFrom(clockIn(shown.kitchen), clockOf(order, shown.earliestEpochS));
      assert.ok(gap >= trip && gap < 720, `${shown.kitchen}, ${shown.text}, ${trip} minutes away`);
    } else if (order.status === 'in_progress' && order.driverStage === 'none') {
      const left = shown.earliestEpochS - minuteOf(now);
      assert.ok(left >= trip * 60, `${shown.kitchen}, ${shown.text}, ${trip} minutes away, ${left} s left`);
    }
    if (order.status !== 'in_progress' || order.eta === null || order.readyBy === null) return;
    assert.ok(epochSeconds(order.eta) >= epochSeconds(order.readyBy) + trip * 60, 'eta_timestamp');
  });
});

test('before the store confirms, an order is not expected sooner than it can be made', () => {
  assertLives(({ tracked, now }) => {
    const { order } = tracked;
    const shown = readPage(tracked, now);
    if (!shown || order.status !== 'awaiting_confirmation' || order.quote.scheduled) return;
    assert.ok(shown.earliestEpochS >= minuteOf(now) + order.quote.minutes.minimum * 60);
  });
});

test('the words of the page are its times, and a time that has passed is not promised', () => {
  assertLives(({ tracked, now }) => {
    const shown = readPage(tracked, now);
    if (!shown) return;
    assert.equal(clockIn(shown.text), clockOf(tracked.order, shown.latestEpochS), shown.text);
    const isPast = shown.latestEpochS + 300 <= epochSeconds(now);
    assert.equal(shown.text.startsWith('Expected around'), isPast, shown.text);
  });
});

test('mail, SMS and agents say the time of the page', () => {
  assertLives(({ tracked, now }) => {
    const { order } = tracked;
    const shown = readPage(tracked, now);
    if (!shown) return;
    const context = { ...givenMessageContext(DINNER), order, at: now };
    const { expected = '' } = showOrder(order, {
      tokens: { sealLink: () => '' },
      site: { siteUrl: 'https://track.example' },
      now,
    });
    assert.equal(clockIn(expected), clockOf(tracked.order, shown.latestEpochS));
    const sms = smsText('store_confirmed', context);
    const facts = [receiptMail(context), onItsWayMail(context)].map(({ facts }) => facts[0]?.lines[0] ?? '');
    for (const text of [...facts, ...(/\d:\d\d/.test(sms) ? [sms] : [])]) {
      assert.equal(clockIn(text), clockOf(tracked.order, shown.latestEpochS), `${text} / ${shown.text}`);
    }
  });
});

/** At midnight a time loses the name of its day. */
const DAY = /\w{3}, \w{3} \d{1,2}, /;

test('a page is read again when its time of arrival changes without a step', () => {
  assertLives(({ tracked, now }) => {
    const shown = readPage(tracked, now);
    const { changesAtEpochS } = renderOrderPage(tracked, VISITOR, ENGLISH, now);
    if (!shown || changesAtEpochS === null) return;
    assert.ok(changesAtEpochS > epochSeconds(now));
    const before = readPage(tracked, instantOfEpochSeconds(changesAtEpochS - 1));
    const textsOf = (page: Shown | undefined) => [page?.text, page?.kitchen].map((text) => text?.replace(DAY, ''));
    assert.deepEqual(textsOf(before), textsOf(shown));
  });
});

/** Every text of an order with a time: page, receipt, mails, SMS, tickets, the driver's page and answers. */
function textsOf({ tracked, now }: { tracked: TrackedOrder; now: Temporal.Instant }): string[] {
  const { order } = tracked;
  // A long link would leave the time out of an SMS.
  const context = { ...givenMessageContext(DINNER), order, at: now, trackingLink: 'https://t.example/1' };
  const content = {
    brandName: 'B',
    customerLanguage: 'en',
    language: 'en',
    copy: 0,
    mayBeRepeated: false,
    now,
  } as const;
  const kinds = [
    'order_placed',
    'store_confirmed',
    'ready_for_pickup',
    'on_its_way',
    'driver_nearby',
    'delivered',
  ] as const;
  const mails = [receiptMail, onItsWayMail, deliveredMail, cancelationMail].map((write) =>
    JSON.stringify({ ...write(context), locale: null }),
  );
  const tickets = (['kitchen', 'changed', 'receipt', 'canceled'] as const).map((document) =>
    JSON.stringify(ticketLines(document, order, content)),
  );
  const delivery = { order, proof: undefined, tips: { dayCents: 0, sinceCents: 0 }, payCents: 0 };
  const { parts } = renderOrderPage(tracked, VISITOR, ENGLISH, now);
  const site = { siteUrl: 'https://track.example' };
  const { expected = '' } = showOrder(order, { tokens: { sealLink: () => '' }, site, now });
  const all = [
    ...[...Object.values(parts), ...Object.values(driverParts(delivery, { maps: 'google', language: 'en' }))].map(
      (part) => (part === null ? '' : toMarkup(part)),
    ),
    ...[...mails, ...kinds.map((kind) => smsText(kind, context)), ...tickets, expected],
  ];
  return all.map((text) => text.replaceAll(/<[^>]*>/g, ' '));
}

const ZONED = / (?:[ECP][SD]T|GMT[+-]\d+)\b/g;

test('every text has the times of the door, at a pickup of the store, and names the zone where a device shows another', () => {
  let named = 0;
  fc.assert(
    fc.property(lives, (life) => {
      for (const { tracked, now } of momentsOf(life)) {
        const { order } = tracked;
        const zone = doorZone(order);
        const { customer } = order.request;
        const [request, store] = [
          { ...order.request, customer: { ...customer, timeZone: '' } },
          { ...order.quote.store, timeZone: zone },
        ];
        // The same order where everyone is in one zone.
        const plain = { ...order, request, quote: { ...order.quote, store } };
        const expected = textsOf({ tracked: { ...tracked, order: plain }, now });
        const texts = textsOf({ tracked, now });
        assert.deepEqual(
          texts.map((text) => text.replaceAll(ZONED, '')),
          expected,
        );
        const shownIn = (timeZone: string) => String(now.toZonedDateTimeISO(timeZone).toPlainDateTime());
        const differs = [life.device, order.quote.store.timeZone].some(
          (other) => other !== '' && shownIn(other) !== shownIn(zone),
        );
        for (const text of texts) {
          const bare = /\d:\d\d [AP]M(?! [ECP][SD]T\b| [–-] )/.test(text);
          if (/\d:\d\d [AP]M/.test(text)) assert.equal(bare, !differs, text);
          named += text.match(ZONED)?.length ?? 0;
        }
      }
    }),
    { numRuns: runs(100) },
  );
  assert.ok(named > 100);
});
