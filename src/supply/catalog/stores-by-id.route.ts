import { type Coordinate, milesBetween } from 'doorstep/search-engine/geography';
import { type Static, Type } from 'typebox';
import { sandboxOf } from '../../access/accounts/account.ts';
import { operation } from '../../access/operations/operation.ts';
import { bool, flag, integer, number, optionalNumber, text } from '../../platform/http/api-components.ts';
import { bytesAnswer, jsonBytes } from '../../platform/http/send-bytes.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { ADDRESS_PARAMETER } from '../addresses/address-parameter.ts';
import { type Geocoding, REFUSES_ADDRESS } from '../addresses/geocoding.cache.ts';
import { deliveryRateFor } from '../pricing/price-order.ts';
import { type Quote, type QuoteQuestion, quoteFor } from '../pricing/quote.ts';
import { localDay } from '../pricing/slots.ts';
import { withSharedOffers } from '../promotions/shared-offers.ts';
import { EXAMPLE_DOOR, EXAMPLE_STORE_ID } from '../stores/example-store.ts';
import { formatDay } from '../stores/format-hours.ts';
import { dateOfDay } from '../stores/hours.ts';
import type { KnownStores } from '../stores/known-stores.cache.ts';
import { openingAt, pausedUntil } from '../stores/open-state.ts';
import { type Schedule, scheduleOf } from '../stores/schedule.ts';
import { isVisibleTo, type Store } from '../stores/store.ts';
import { presentHours, presentOpening, presentStore, StoreElementSchema } from '../stores/store-element.ts';
import { zoneAtDoor } from '../stores/zone-at-door.ts';
import { zoneClock } from '../stores/zone-clock.ts';

/* The endpoint that reads stores by their IDs, in the form of a search result. */

const MAX_STORES = 50;
/** Maximum days ahead for hours of single dates. */
const DATED_DAYS = 30;

const FoundStore = Type.Object({
  ...StoreElementSchema.properties,
  miles: Type.Optional(StoreElementSchema.properties.miles),
  delivers_here: flag("Whether any provider delivers to the coordinate, even if the store isn't accepting orders now."),
  accepts_orders: bool("Whether the store's quote for the requested fulfillment type contains `asap_available`."),
  time_zone: text("The store's time zone, such as `America/Chicago`."),
  hours_exceptions: Type.Optional(
    Type.Array(
      Type.Object({
        from: text('The first date, such as `2026-12-25`.'),
        to: text('The last date.'),
        hours: text('In the format of `local_hours`: `Closed`, or the ranges for each date.'),
      }),
      {
        description: `Dates with different \`operational\` hours, from today in the store's time zone to ${DATED_DAYS} days ahead. Absent if there are none.`,
      },
    ),
  ),
  time_estimate: Type.Optional(
    Type.Object(
      { minimum: integer('Minutes from now.'), maximum: Type.Integer() },
      {
        description:
          'The estimate for an order for as soon as possible. Present only with `pickup`, while the store accepts orders. `false` also requires a coordinate.',
      },
    ),
  ),
  delivery_fee: Type.Optional(
    Type.Object(
      { delivery_fee_flat: integer('Cents.'), delivery_fee_percent: number('The minimum subtotal.') },
      {
        description:
          "The delivery fee to the coordinate for an order at the store's minimum. Present with the `time_estimate` of a delivery.",
      },
    ),
  ),
});

const idsOf = (list: string) => [...new Set(list.split(','))].filter((id) => id !== '');

type Deps = { clock: Clock; knownStores: Pick<KnownStores, 'of'>; geocoding: Geocoding };

/** Stores by their IDs, as store search shows them. */
export const readStoresOperation = operation({
  name: 'readStores',
  endpoint: 'GET /details/store',
  summary: 'List stores by their IDs',
  description:
    "Returns each store once, in the order of the request. IDs of stores that the key can't see are left out.",
  example: { query: { store_id: EXAMPLE_STORE_ID, ...EXAMPLE_DOOR } },
  query: Type.Object({
    store_id: Type.Refine(
      Type.String({ maxLength: 4096, description: `Up to ${MAX_STORES} stores' \`_id\`s, separated by commas.` }),
      (list) => idsOf(list).length <= MAX_STORES,
      () => `must have at most ${MAX_STORES} IDs`,
    ),
    latitude: optionalNumber(-90, 90, 'With `longitude`: adds `miles` and `delivers_here`.'),
    longitude: optionalNumber(-180, 180, 'Degrees east.'),
    address: ADDRESS_PARAMETER,
    pickup: flag('The fulfillment type that `accepts_orders` refers to. Defaults to either.'),
    has_menu: flag('`true` returns only stores with a menu or an inventory.'),
  }),
  answer: bytesAnswer(Type.Object({ stores: Type.Array(FoundStore) }, { description: 'The stores found.' })),
  refuses: REFUSES_ADDRESS,
  on: { account: { scope: 'read', config: { publishable: true } } },
}).run(async (deps: Deps, { by: { caller }, query }) => {
  const { latitude, longitude, address, pickup, has_menu: hasMenu = false } = query;
  const isNear = latitude !== undefined || longitude !== undefined || address !== undefined;
  const given = { latitude, longitude, address, prefix: '', in: 'query' } as const;
  const near = isNear ? await deps.geocoding.locate(caller, given) : undefined;
  const ids = idsOf(query.store_id);
  const found = await deps.knownStores.of(ids);
  const stores = ids
    .flatMap((id) => found.get(id) ?? [])
    .filter((store) => isVisibleTo(store, sandboxOf(caller)) && (store.hasCatalog || !hasMenu));
  const now = deps.clock.now();
  const modes = (['delivery', 'pickup'] as const).filter((mode) => pickup !== (mode === 'delivery'));
  const shown = stores.map((store) => {
    const quotes = modes.map((mode) => quoteNow(store, { mode, keyMode: caller.mode, door: near ?? null, now }));
    const [quote] = pickup === undefined || (!pickup && !near) ? [] : quotes;
    return {
      ...presentFound(withSharedOffers(store, caller), now, near),
      accepts_orders: quotes.some((one) => one !== undefined),
      ...(quote && quoteMembers(quote)),
    };
  });
  return jsonBytes(JSON.stringify({ stores: shown }));
});

function presentFound(store: Store, now: Temporal.Instant, near: Coordinate | undefined) {
  const { timeZone, onlineOrdering } = store;
  const schedule = scheduleOf(store, 'operational');
  const published = (epochS: number) => openingAt(schedule, zoneClock(timeZone), epochS);
  const openAt = store.pausedUntil ? pausedUntil(epochSeconds(store.pausedUntil), published) : published;
  return {
    ...presentStore(store),
    ...presentHours(store.hours),
    ...presentOpening(openAt(epochSeconds(now)), onlineOrdering),
    time_zone: timeZone,
    ...datedMember(schedule, localDay(timeZone, now)),
    ...(near ? placeMembers(store, near) : {}),
  };
}

function datedMember({ dated }: Schedule, today: number): Pick<Static<typeof FoundStore>, 'hours_exceptions'> {
  const near = dated.filter(({ fromDay, toDay }) => toDay >= today && fromDay <= today + DATED_DAYS);
  if (near.length === 0) return {};
  return {
    hours_exceptions: near.map(({ fromDay, toDay, ranges }) => ({
      from: dateOfDay(Math.max(fromDay, today)),
      to: dateOfDay(toDay),
      hours: formatDay(ranges),
    })),
  };
}

/** The quote of an order as soon as possible; undefined where the store takes none. */
function quoteNow(store: Store, question: Pick<QuoteQuestion, 'mode' | 'keyMode' | 'door' | 'now'>): Quote | undefined {
  const quote = quoteFor({ store, ...question, preference: 'first_available', slots: [] });
  return !('error' in quote) && quote.asapAvailable ? quote : undefined;
}

function quoteMembers({
  mode,
  estimate,
  deliveryFee: fee,
  orderMinimumCents,
}: Quote): Pick<Static<typeof FoundStore>, 'time_estimate' | 'delivery_fee'> {
  const { flatCents, percent } = deliveryRateFor(fee, null, orderMinimumCents);
  const deliveryFee = { delivery_fee_flat: flatCents, delivery_fee_percent: percent };
  return {
    time_estimate: { minimum: estimate.minMinutes, maximum: estimate.maxMinutes },
    ...(mode === 'delivery' && { delivery_fee: deliveryFee }),
  };
}

function placeMembers(store: Store, near: Coordinate): Pick<Static<typeof FoundStore>, 'miles' | 'delivers_here'> {
  const miles = milesBetween(store, near);
  const reaches = store.delivery.parties.some((party) => zoneAtDoor(party, near, miles) !== undefined);
  return { miles: Math.round(miles * 100) / 100, delivers_here: store.delivery.enabled && reaches };
}
