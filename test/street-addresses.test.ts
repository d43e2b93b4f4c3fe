import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { courierJobOf } from '../src/fulfillment/deliveries/couriers/courier-job.ts';
import { destinationFacts } from '../src/notify/messages/message-context.ts';
import type { Order } from '../src/ordering/order/order.ts';
import { doorAddress } from '../src/supply/addresses/address-parameter.ts';
import type { StreetAddress } from '../src/supply/stores/street-address.ts';
import { destinationWords } from '../src/surfaces/tracking/page-words.ts';
import { localeOf } from '../src/texts/catalogs.ts';
import { ADDRESS, wordsOf } from './given/street-addresses.ts';

const LOCALE = localeOf('en', 'US');
const CONTACT = {
  name: '',
  phone: null,
  country: '',
  latitude: 40.74,
  longitude: -73.99,
  dropoffNotes: '',
  pickupNotes: '',
};

function givenOrder(address: StreetAddress): Order {
  const store = { name: 'Pizzeria', address: '', phoneNumber: null, country: 'US', latitude: 40.73, longitude: -73.98 };
  const terms = {
    mode: 'delivery',
    fees: { deliveryFee: { taxable: false }, serviceFee: { taxable: false }, taxes: [] },
  };
  return {
    orderId: 'ord_1',
    orderNumber: 'A17',
    adjustments: [],
    addedTipCents: 0,
    waivedTipCents: 0,
    request: { mode: 'delivery', customer: { ...CONTACT, ...address } },
    quote: {
      store,
      items: [],
      subtotalCents: 0,
      tipCents: 0,
      taxes: [],
      addedFee: { totalCents: 0, taxes: [] },
      terms,
    },
  } as unknown as Order;
}

test('mails, couriers and geocoders get every word of an address, and the tracking page its whole street', () => {
  fc.assert(
    fc.property(ADDRESS, (address) => {
      const order = givenOrder(address);
      const { customer } = order.request;
      const all = wordsOf(Object.values(address).join(' '));
      const readyAt = Temporal.Instant.from('2026-06-10T17:00:00Z');
      const { dropoff } = courierJobOf(order, { key: 'k', readyAt, tipCents: null }, undefined);
      const { lines = [], city, state, postalCode } = dropoff.address.parts ?? {};
      assert.deepEqual(wordsOf(dropoff.address.text), all);
      assert.deepEqual(wordsOf([...lines, city, state, postalCode].join(' ')), all);
      assert.deepEqual(
        wordsOf(
          destinationFacts(order, LOCALE)
            .flatMap((fact) => fact.lines)
            .join(' '),
        ),
        all,
      );
      const lookedUp = doorAddress({ ...customer, aptNum: '' }, null)?.text ?? '';
      assert.deepEqual(wordsOf(`${lookedUp} ${address.aptNum}`), all);
      if (/^(?:\d+\w* (?:Mile )?\w+|Rue .*|Chemin .*)$/.test(address.streetName)) {
        assert.ok(
          destinationWords(customer).includes(address.streetName) || address.streetNum === '',
          address.streetName,
        );
      }
    }),
    { numRuns: 1000 },
  );
});
