import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { storeOf } from '../../../test/oracles/store-search.ts';
import type { KeyMode } from '../../access/accounts/account.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { createTokenSealer } from '../../platform/lib/tokens.ts';
import { openSlot } from '../catalog/catalog-tokens.ts';
import { SlotList, type SlotListQuestion } from '../catalog/slot-list.ts';
import { parseStoreLine } from '../imports/parse-store-line.ts';
import type { Mode, Store } from '../stores/store.ts';
import { quoteFor, slotQuestionOf } from './quote.ts';
import { presentQuote } from './quote-schema.ts';
import { offeredSlots } from './slots.ts';

const ID = '0123456789abcdef01234567';
const OPEN_AT = Temporal.Instant.from('2026-06-10T17:00:00Z'); // a Wednesday, 1 p.m. in New York
const CLOSED_AT = Temporal.Instant.from('2026-06-10T05:00:00Z'); // 1 a.m.
const HERE = { latitude: 40.7383, longitude: -73.9927 };
const FAR = { latitude: 40.9, longitude: -73.9927 };
const DAY_HOURS = 'Mo-Su 10:00-22:00';
const tokens = createTokenSealer({ current: 'a secret of the tests', previous: [] });

type Over = Record<string, unknown>;

function givenStore(over: Over = {}, facts: Partial<Store> = {}): Store {
  const parsed = parseStoreLine({
    external_id: 'store-1',
    name: 'Brick Oven',
    type: 'restaurant',
    address: { street_addr: '120 5th Ave', city: 'New York', state: 'NY', zipcode: '10011', country: 'US' },
    ...HERE,
    time_zone: 'America/New_York',
    hours: { operational: DAY_HOURS },
    pickup: { enabled: true, prep_minutes: [10, 20] },
    delivery: { enabled: true, party: 'first', radius_miles: 3, prep_minutes: [10, 20] },
    ...over,
  });
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return storeOf(ID, { ...parsed.store.profile, hasCatalog: true, ...facts });
}

type QuoteOptions = {
  mode?: Mode;
  keyMode?: KeyMode;
  now?: Temporal.Instant;
  door?: typeof HERE | null;
  full?: number[];
};

function quoteStore(
  store: Store,
  { mode = 'delivery', keyMode = 'sandbox', now = OPEN_AT, door = HERE, full = [] }: QuoteOptions = {},
) {
  return quoteFor({
    store,
    mode,
    keyMode,
    door,
    preference: 'first_available',
    now,
    slots: offeredSlots(slotQuestionOf(store, mode, now, new Set(full))),
  });
}

function quoteError(store: Store, options: QuoteOptions = {}): string {
  const quote = quoteStore(store, options);
  return 'error' in quote ? quote.error : 'none';
}

function givenSlotList(question: SlotListQuestion): SlotList {
  const writing = SlotList.write(question, undefined);
  for (;;) {
    const step = writing.next();
    if (step.done) return step.value;
  }
}

/** The raw JSON of the response. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not there
function wireOf(store: Store, { mode = 'delivery', now = OPEN_AT, door = HERE, full = [] }: QuoteOptions = {}): any {
  const fullStarts = new Set(full);
  const list = givenSlotList({ store, storeVersion: 1, mode, now, fullStarts, tokens });
  const pieces = presentQuote(
    quoteFor({ store, mode, keyMode: 'sandbox', door, preference: 'first_available', now, slots: list.slots }),
    store,
    list,
  );
  return JSON.parse(pieces.map((piece) => (typeof piece === 'string' ? piece : piece.bytes.toString())).join(''));
}

const NO_SLOTS = { scheduling: { enabled: false } };
const SLOTS = { scheduling: { enabled: true, slot_minutes: 60, lead_minutes: 60, days_ahead: 1, capacity: 2 } };

test('the error of a quote is the first that applies, in the order of the contract', async (t) => {
  const paused = {
    delivery: { enabled: true, accepting: false, radius_miles: 3 },
    pickup: { enabled: true, accepting: false },
  };
  const unoffered = { delivery: { enabled: false }, pickup: { enabled: false } };
  const worst = { ...paused, ...NO_SLOTS, hours: { operational: 'Mo-Su 02:00-03:00' } };

  await t.test('none while it is open, near and accepting', () => {
    assert.deepEqual(
      [quoteError(givenStore()), quoteError(givenStore(), { mode: 'pickup', door: null })],
      ['none', 'none'],
    );
  });
  await t.test('STORE_NOT_AVAILABLE before all else: ordering off, no catalog, or out of its feed', () => {
    assert.equal(quoteError(givenStore({ ...worst, online_ordering: false }), { door: FAR }), 'STORE_NOT_AVAILABLE');
    assert.equal(quoteError(givenStore(worst, { hasCatalog: false }), { door: FAR }), 'STORE_NOT_AVAILABLE');
    assert.equal(quoteError(givenStore(worst, { listed: false }), { door: FAR }), 'STORE_NOT_AVAILABLE');
    assert.equal(quoteError(givenStore(worst), { door: FAR, keyMode: 'live' }), 'STORE_NOT_AVAILABLE', 'no channel');
  });
  await t.test('the mode not offered or not accepting, before range and hours, and though there are slots', () => {
    for (const over of [worst, { ...worst, ...unoffered }, { ...paused, ...SLOTS }]) {
      assert.equal(quoteError(givenStore(over), { door: FAR }), 'DELIVERY_NOT_AVAILABLE');
      assert.equal(quoteError(givenStore(over), { mode: 'pickup' }), 'PICKUP_NOT_AVAILABLE');
    }
  });
  await t.test('OUT_OF_RANGE before hours; a pickup has no range', () => {
    const store = givenStore(NO_SLOTS);
    assert.equal(quoteError(store, { door: FAR, now: CLOSED_AT }), 'OUT_OF_RANGE');
    assert.equal(quoteError(store, { mode: 'pickup', door: FAR }), 'none');
  });
  await t.test('STORE_CLOSED when closed for the mode and at all, and without slots', () => {
    const store = givenStore(NO_SLOTS);
    assert.equal(quoteError(store, { now: CLOSED_AT }), 'STORE_CLOSED');
    assert.equal(quoteError(store, { mode: 'pickup', now: CLOSED_AT }), 'STORE_CLOSED');
  });
  await t.test('the mode unavailable when only its own hours are closed', () => {
    const hours = { operational: 'Mo-Su 00:00-24:00', delivery: DAY_HOURS, pickup: DAY_HOURS };
    const store = givenStore({ ...NO_SLOTS, hours });
    assert.equal(quoteError(store, { now: CLOSED_AT }), 'DELIVERY_NOT_AVAILABLE');
    assert.equal(quoteError(store, { mode: 'pickup', now: CLOSED_AT }), 'PICKUP_NOT_AVAILABLE');
  });
  await t.test('unknown hours read as closed', () => {
    assert.equal(quoteError(givenStore({ ...SLOTS, hours: undefined })), 'STORE_CLOSED');
  });
  await t.test('closed now with slots is no error, and not ASAP', () => {
    const quote = quoteStore(givenStore(SLOTS), { now: CLOSED_AT });
    assert.ok(!('error' in quote));
    assert.equal(quote.asapAvailable, false);
    assert.ok(quote.slots.length > 0);
  });
  await t.test('closed with every slot full is closed', () => {
    const store = givenStore(SLOTS);
    const full = offeredSlots(slotQuestionOf(store, 'delivery', CLOSED_AT, new Set())).map((slot) => slot.startEpochS);
    assert.equal(quoteError(store, { now: CLOSED_AT, full }), 'STORE_CLOSED');
  });
});

test('an error is sent as its message only', () => {
  assert.deepEqual(wireOf(givenStore({ online_ordering: false })), { error: 'This store is not available.' });
  assert.deepEqual(wireOf(givenStore(), { door: FAR }), {
    error: 'This store is out of range for the provided address.',
  });
});

const PIZZERIA = pizzeria().fees as { service_fee: object; small_order_fee: object };
const FEES = {
  ...PIZZERIA,
  delivery_fee: {
    delivery_fee_flat: 299,
    delivery_fee_percent: 1.5,
    delivery_fee_taxable: true,
    threshold_fees: [{ minimum_subtotal: 4000, delivery_fee_flat: 0, delivery_fee_percent: 0 }],
  },
  service_fee: { ...PIZZERIA.service_fee, service_fee_flat: 10 },
};

test('a delivery quote returns every field of the contract', () => {
  const quote = wireOf(givenStore({ ...SLOTS, fees: FEES }));
  const { scheduled, ...estimate } = quote.time_estimate;
  assert.deepEqual(
    { ...quote, time_estimate: estimate },
    {
      time_estimate: { minimum: 11, maximum: 21 },
      sales_tax_percent: 8.875,
      taxes: [{ name: 'Sales tax', percent: 8.875 }],
      order_minimum: 500,
      delivery_fee: FEES.delivery_fee,
      service_fee: FEES.service_fee,
      small_order_fee: FEES.small_order_fee,
      asap_available: true,
      address: {
        street_num: '120',
        street_name: '5th Ave',
        city: 'New York',
        zipcode: '10011',
        state: 'NY',
        country: 'US',
      },
      first_party_quote: true,
      third_party_quote: false,
      courier_quote: false,
    },
  );
  const [first] = scheduled;
  assert.deepEqual(first, {
    id: first.id,
    minimum: epochSeconds(Temporal.Instant.from('2026-06-10T18:00:00Z')),
    maximum: epochSeconds(Temporal.Instant.from('2026-06-10T19:00:00Z')),
    delivery_fee: { delivery_fee_flat: 299, delivery_fee_percent: 1.5, delivery_fee_taxable: true },
  });
  assert.deepEqual(openSlot(tokens, 'delivery', first.id), {
    storeId: ID,
    mode: 'delivery',
    startEpochS: first.minimum,
    endEpochS: first.maximum,
  });
  assert.equal(openSlot(tokens, 'pickup', first.id), undefined);
  assert.equal(scheduled.length, 8 + 12, 'from 2 p.m. to 10 p.m. today, and all of tomorrow');
});

test('a pickup costs no delivery fee, and no service fee but one of its own', () => {
  const quote = wireOf(givenStore({ ...SLOTS, fees: FEES }), { mode: 'pickup', door: null });
  const nothing = { delivery_fee_flat: 0, delivery_fee_percent: 0, delivery_fee_taxable: false };
  assert.deepEqual(quote.delivery_fee, { ...nothing, threshold_fees: [] });
  assert.deepEqual(quote.time_estimate.scheduled[0].delivery_fee, nothing);
  assert.deepEqual(quote.service_fee, {
    service_fee_flat: 0,
    service_fee_percent: 0,
    service_fee_min: 0,
    service_fee_taxable: false,
  });
  assert.deepEqual([quote.time_estimate.minimum, quote.time_estimate.maximum], [10, 20]);
  const own = { ...FEES, pickup_service_fee: { ...FEES.service_fee, service_fee_percent: 3 } };
  assert.deepEqual(wireOf(givenStore({ fees: own }), { mode: 'pickup' }).service_fee, own.pickup_service_fee);
});

test('exactly one of the three kinds of quote is true', () => {
  const quotedKinds = (party: string, mode: Mode) => {
    const delivery = { enabled: true, party, radius_miles: 3 };
    const quote = wireOf(givenStore({ delivery }), { mode });
    return [quote.first_party_quote, quote.third_party_quote, quote.courier_quote];
  };
  assert.deepEqual(quotedKinds('first', 'delivery'), [true, false, false]);
  assert.deepEqual(quotedKinds('third', 'delivery'), [false, true, false]);
  assert.deepEqual(quotedKinds('courier', 'delivery'), [false, false, true]);
  assert.deepEqual(quotedKinds('courier', 'pickup'), [true, false, false]);
});

test('a store without its own sales tax has its state’s or province’s', () => {
  assert.equal(wireOf(givenStore()).sales_tax_percent, 4);
  const address = { street_addr: '1 Rue', city: 'Montréal', state: 'QC', zipcode: 'H2X', country: 'CA' };
  const montreal = givenStore({ address, latitude: 45.5, longitude: -73.57 });
  assert.equal(wireOf(montreal, { mode: 'pickup' }).sales_tax_percent, 14.975);
});

test('a store whose region is unknown is not sold untaxed: it has its own taxes or no quote', () => {
  const at = (state: string, fees: object = {}) => {
    const store = givenStore({ fees });
    return { ...store, address: { ...store.address, state } };
  };
  for (const state of ['', 'ZZ', 'Ontario']) {
    assert.equal(quoteError(at(state)), 'STORE_NOT_AVAILABLE', state);
    assert.equal(quoteError(at(state, { sales_tax_percent: 8.875 })), 'none', state);
  }
  for (const state of ['NY', 'N.Y.', 'New York State']) {
    const quote = quoteStore(at(state));
    assert.equal('error' in quote ? quote.error : quote.salesTaxPercent, 4, state);
  }
});
