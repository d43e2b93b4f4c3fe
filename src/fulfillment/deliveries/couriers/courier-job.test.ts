import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order } from '../../../ordering/order/order.ts';
import type { Country } from '../../../supply/stores/store.ts';
import { courierJobOf, readyAtOf } from './courier-job.ts';

const NOW = Temporal.Instant.from('2026-06-10T17:00:00Z');
const PLACE = { name: 'Pizzeria', address: '210 E 18th St, New York', phoneNumber: 12125550123, country: 'US' };
const CUSTOMER = {
  name: 'Test Customer',
  phone: 12125550199,
  latitude: 40.74,
  longitude: -73.99,
  streetNum: '10',
  streetName: 'W 21st St',
  aptNum: '4B',
  city: 'New York',
  state: 'NY',
  zipcode: '10010',
  country: 'US',
  dropoffNotes: 'gate code',
  pickupNotes: 'ring',
};

function givenOrder(customer: object = {}, place: object = {}, eta: Temporal.Instant | null = null): Order {
  const order = {
    orderId: 'ord_1',
    orderNumber: 'A17',
    readyBy: null,
    eta,
    adjustments: [],
    addedTipCents: 200,
    waivedTipCents: 0,
    request: { mode: 'delivery', customer: { ...CUSTOMER, ...customer } },
    quote: {
      store: { ...PLACE, latitude: 40.7359, longitude: -73.986, ...place },
      items: [{ name: 'Soda', quantity: 4, notes: '' }],
      subtotalCents: 800,
      tipCents: 300,
      taxes: [],
      addedFee: { totalCents: 0, salesTaxCents: 0, taxes: [] },
      terms: { mode: 'delivery', fees: { deliveryFee: { taxable: false }, serviceFee: { taxable: false }, taxes: [] } },
    },
  };
  return order as unknown as Order;
}
const givenJob = (order: Order) => courierJobOf(order, { key: 'ord_1-1', readyAt: NOW, tipCents: null }, undefined);
const withAlcohol = (order: Order): Order => {
  const items = order.quote.items.map((item) => ({ ...item, isAlcoholic: true }));
  return { ...order, quote: { ...order.quote, items } };
};

test('a door is named in one line and in parts, whether or not the street repeats its number', () => {
  for (const streetName of ['W 21st St', '10 W 21st St']) {
    const { address } = givenJob(givenOrder({ streetName })).dropoff;
    assert.equal(address.text, '10 W 21st St, 4B, New York, NY 10010');
    assert.deepEqual(address.parts?.lines, ['10 W 21st St', '4B']);
  }
  assert.deepEqual(givenJob(givenOrder({ aptNum: '' })).dropoff.address.parts?.lines, ['10 W 21st St']);
});

test('the tip is the whole tip, raises after placing included', () => {
  assert.equal(givenJob(givenOrder()).tipCents, 500);
});

test('the courier asks at the counter for the order number', () => {
  assert.equal(givenJob(givenOrder()).reference, 'A17');
});

test('alcohol asks for 21 years in the US, and in Canada for the age of the province', () => {
  const ageIn = (country: Country, state: string) => givenJob(withAlcohol(givenOrder({}, { country, state }))).minAge;
  assert.deepEqual(
    [ageIn('US', 'NY'), ageIn('CA', 'ON'), ageIn('CA', 'QC'), ageIn('CA', 'Québec'), ageIn('CA', 'AB')],
    [21, 19, 18, 18, 18],
  );
  assert.equal(givenJob(givenOrder()).minAge, null);
});

test('the notes of both stops say how the order is handed over, and the code stays between customer and store', () => {
  const dropOff = { where: 'meet_outside', utensils: false, code: true };
  const { where, pickup, dropoff } = givenJob(givenOrder({ dropOff }));
  assert.deepEqual(
    [where, pickup.notes, dropoff.notes],
    ['meet_outside', 'No utensils. ring', 'Meet outside. gate code'],
  );
  assert.equal(givenJob(givenOrder()).where, null);
});

test("the courier arrives when the order is ready: by the store's time, otherwise the delivery time less the drive", () => {
  const readyIn = (minutes: number) =>
    readyAtOf(givenOrder({}, {}, NOW.add({ minutes })), NOW)
      .since(NOW)
      .total('minutes');
  assert.ok(readyIn(40) > 30 && readyIn(40) < 40);
  assert.equal(readyIn(1), 0);
  assert.equal(readyAtOf(givenOrder(), NOW), NOW);
  const readyBy = NOW.add({ minutes: 12 });
  assert.equal(readyAtOf({ ...givenOrder({}, {}, NOW.add({ minutes: 40 })), readyBy }, NOW), readyBy);
});
