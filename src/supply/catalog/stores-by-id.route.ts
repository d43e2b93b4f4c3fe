import { type Coordinate, milesBetween } from 'doorstep/search-engine/geography';
import { type Static, Type } from 'typebox';
import { sandboxOf } from '../../access/accounts/account.ts';
import { flag, optionalNumber } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import { sendJsonBytes } from '../../platform/http/send-bytes.ts';
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
/** Days ahead for which hours of single dates are shown. */
const DATED_DAYS = 30;

const FoundStore = Type.Object({
  ...StoreElementSchema.properties,
  miles: Type.Optional(StoreElementSchema.properties.miles),
  delivers_here: flag('Whether some party delivers to the place, whether or not it accepts orders now.'),
  accepts_orders: Type.Boolean({ description: 'Whether its quote has `asap_available`, in the requested mode.' }),
  time_zone: Type.String({ description: 'Of its clock, such as `America/Chicago`.' }),
  hours_exceptions: Type.Optional(
    Type.Array(
      Type.Object({
        from: Type.String({ description: 'The first date, such as `2026-12-25`.' }),
        to: Type.String({ description: 'The last date.' }),
        hours: Type.String({ description: 'As in `local_hours`: `Closed`, or the ranges of each date.' }),
      }),
      {
        description: `Dates from today, on the store's clock, to ${DATED_DAYS} days ahead on which other \`operational\` hours count; absent without one.`,
      },
    ),
  ),
  time_estimate: Type.Optional(
    Type.Object(
      { minimum: Type.Integer({ description: 'Minutes from now.' }), maximum: Type.Integer() },
      {
        description:
          'Of an order as soon as possible. With `pickup`, for `false` also the place, while it accepts orders.',
      },
    ),
  ),
  delivery_fee: Type.Optional(
    Type.Object(
      {
        delivery_fee_flat: Type.Integer({ description: 'Cents.' }),
        delivery_fee_percent: Type.Number({ description: 'Of the subtotal.' }),
      },
      {
        description:
          'Beside `time_estimate` of a delivery: what delivery to the place costs the smallest order that the store takes.',
      },
    ),
  ),
});

const schema = {
  operationId: 'readStores',
  summary: 'Stores by their IDs',
  description: 'Each store once, in the sequence of the request. IDs that name no store of the key are left out.',
  example: { query: { store_id: EXAMPLE_STORE_ID, ...EXAMPLE_DOOR } },
  querystring: Type.Object({
    store_id: Type.Refine(
      Type.String({
        maxLength: 4096,
        description: `The \`_id\` of a store; at most ${MAX_STORES}, separated by commas.`,
      }),
      (list) => idsOf(list).length <= MAX_STORES,
      () => `must have at most ${MAX_STORES} IDs`,
    ),
    latitude: optionalNumber(-90, 90, 'With `longitude`: adds `miles` and `delivers_here`.'),
    longitude: optionalNumber(-180, 180, 'Degrees east.'),
    address: ADDRESS_PARAMETER,
    pickup: flag('The mode of `accepts_orders`; either when omitted.'),
    has_menu: flag('`true` keeps the stores that have a menu or an assortment.'),
  }),
  response: { 200: Type.Object({ stores: Type.Array(FoundStore) }, { description: 'The stores that were found.' }) },
};

const idsOf = (list: string) => [...new Set(list.split(','))].filter((id) => id !== '');

/** GET /details/store: stores by their IDs, as store search shows them. */
export function storesByIdRoute(
  http: Http,
  deps: { clock: Clock; knownStores: Pick<KnownStores, 'of'>; geocoding: Geocoding },
): void {
  const config = { scope: 'read', publishable: true, refuses: REFUSES_ADDRESS } as const;
  http.get('/details/store', { schema, config }, async (request, reply) => {
    const { caller, query } = request;
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
    return sendJsonBytes(request, reply, [Buffer.from(JSON.stringify({ stores: shown }))]);
  });
}

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
