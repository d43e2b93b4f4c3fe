import type { Coordinate } from 'doorstep/search-engine/geography';
import { formatOf, type Zone } from '../../platform/languages/format.ts';
import type { Country } from '../../supply/stores/store.ts';
import { canonicalTimeZone, timeZoneAt } from '../../supply/stores/time-zone.ts';
import { doorOf } from './arrival.ts';
import type { Customer, OrderRequest } from './order.ts';

/**
 * The clock of an order's times, for every reader: its door's, at a pickup its store's. Pages, mails, SMS, tickets
 * and answers format times in `orderZone`, so that they are the same everywhere.
 */

type Timed = {
  request: Pick<OrderRequest, 'mode'> & { customer: Pick<Customer, 'latitude' | 'longitude' | 'state' | 'timeZone'> };
  quote: { store: { timeZone: string; country: Country } };
};

/** Returns the zone of the door, in a state or province by its code, or the store's zone without a door. */
export function timeZoneOfDoor(
  { timeZone, country }: Timed['quote']['store'],
  door: Coordinate | null | undefined,
  state: string,
): string {
  return door ? timeZoneAt(door.latitude, door.longitude, country, state) : timeZone;
}

/** Returns the zones of the order, its store and the customer's device, where another time names it. */
export function orderZone({ request, quote: { store } }: Timed): readonly [zone: string, ...devices: string[]] {
  const device = canonicalTimeZone(request.customer.timeZone);
  return [
    timeZoneOfDoor(store, doorOf({ request }), request.customer.state),
    store.timeZone,
    ...(device === null ? [] : [device]),
  ];
}

/** Formats `expected_time_of_arrival`: `06:45 PM`, or `06:45 PM CDT`. */
export function formatEta(at: Temporal.Instant, zone: Zone): string {
  return formatOf('en', 'US')
    .time(at, zone)
    .replace(/^(?=\d:)/, '0');
}
