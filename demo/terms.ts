import type { Chance } from './chance.ts';
import type { City } from './cities.ts';
import type { FeedParty, FeedStore } from './feed-line.ts';

type Terms = Pick<FeedStore, 'online_ordering' | 'pickup' | 'delivery' | 'fees' | 'scheduling' | 'rating'>;

/** A few stores show exceptions: only one mode, a pause, no online orders. */
export type Exception = 'pickup only' | 'delivery only' | 'delivery paused' | 'no online orders' | undefined;

export function termsOf(
  chance: Chance,
  about: {
    index: number;
    isGrocery: boolean;
    neverCloses: boolean;
    tax: City['tax'];
    exception: Exception;
    /** Undefined for one party within a radius. */
    parties: FeedParty[] | undefined;
  },
): Terms {
  const { index, isGrocery, neverCloses, tax, exception, parties } = about;
  const low = isGrocery ? chance.between(20, 35) : chance.between(8, 20);
  const prep: [number, number] = [low, low + chance.between(5, 15)];
  const party = (['first', 'third', 'courier'] as const)[index % 3] ?? 'first';
  return {
    rating: { value: chance.between(36, 49) / 10, count: chance.between(12, 1900) },
    online_ordering: exception !== 'no online orders',
    pickup: { enabled: exception !== 'delivery only', accepting: true, prep_minutes: prep },
    delivery: {
      enabled: exception !== 'pickup only',
      accepting: exception !== 'delivery paused',
      prep_minutes: [prep[0] + 5, prep[1] + 10],
      ...(parties ? { parties } : { party, radius_miles: isGrocery ? 6 : chance.pick([2.5, 3, 4, 5]) }),
    },
    fees: feesOf(chance, { isGrocery, tax }),
    scheduling: {
      // At night, too, the demo has a store that takes orders now and for later.
      enabled: isGrocery || neverCloses || index % 4 !== 3,
      slot_minutes: isGrocery ? 60 : chance.pick([15, 30]),
      lead_minutes: isGrocery ? 120 : chance.pick([30, 45, 60]),
      days_ahead: isGrocery ? 6 : chance.between(1, 4),
      capacity: isGrocery ? 20 : chance.between(3, 10),
    },
  };
}

function feesOf(chance: Chance, about: { isGrocery: boolean; tax: City['tax'] }) {
  const flat = chance.pick([199, 249, 299, 349, 399, 499]);
  const free = { minimum_subtotal: about.isGrocery ? 7500 : 4000, delivery_fee_flat: 0, delivery_fee_percent: 0 };
  const reduced = { minimum_subtotal: 2500, delivery_fee_flat: Math.round(flat / 2), delivery_fee_percent: 0 };
  return {
    delivery_fee: {
      delivery_fee_flat: flat,
      delivery_fee_percent: chance.happens(0.2) ? 2.5 : 0,
      delivery_fee_taxable: chance.happens(0.3),
      threshold_fees: chance.happens(0.6) ? [reduced, free] : [],
    },
    service_fee: {
      service_fee_flat: 0,
      service_fee_percent: chance.pick([5, 8, 10, 12.5]),
      service_fee_min: chance.pick([0, 100, 150]),
      service_fee_max: chance.pick([600, 800, 1200]),
      service_fee_taxable: chance.happens(0.5),
    },
    small_order_fee: {
      minimum_order_value: about.isGrocery ? 2500 : 1200,
      small_order_fee_flat: about.isGrocery ? 399 : 200,
      small_order_fee_percent: 0,
    },
    order_minimum: chance.pick([0, 500, 800]),
    ...about.tax,
  };
}
