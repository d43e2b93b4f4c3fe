import { readPhone } from '../../platform/lib/phone.ts';
import type { FeedStore } from '../imports/parse-store-line.ts';
import { completeHours } from '../stores/hours.ts';
import { type Country, MODE_OFF, NO_FEES, NO_SCHEDULING, plainParty, type StoreType } from '../stores/store.ts';
import { isCovered, timeZoneAt } from '../stores/time-zone.ts';
import type { LeftOutReason, Place } from './place.ts';

/** A store whose id in its feed is the place's id. */
export type PlacedStore = { ok: true; store: FeedStore } | { ok: false; reason: LeftOutReason };

/**
 * Converts a place to a store without products, which can be found but takes no orders. Unknown address parts are
 * empty; temporarily closed places are included.
 */
export function storeOfPlace(place: Place): PlacedStore {
  const { storeType, country, latitude, longitude } = place;
  if (storeType === null) return { ok: false, reason: 'no_shop' };
  if (place.status === 'CLOSED_PERMANENTLY') return { ok: false, reason: 'closed_for_good' };
  if (country === null || !isCovered(latitude, longitude)) return { ok: false, reason: 'outside' };
  const profile = placeProfile(place, storeType, country);
  return {
    ok: true,
    store: {
      externalId: place.placeId,
      profile,
      says: { cuisines: true, pickup: true },
      catalog: { categories: [], products: [] },
      categoriesFile: null,
      brand: place.brand,
      origins: place.origins,
      ...(place.datedRules && isOpenAtTimes(place) ? { datedRules: [{ channel: null, rules: place.datedRules }] } : {}),
    },
  };
}

const isOpenAtTimes = ({ status }: Place) => status === 'OPERATIONAL';

function placeProfile(place: Place, type: StoreType, country: Country): FeedStore['profile'] {
  const timeZone = timeZoneAt(place.latitude, place.longitude, country, place.address.state);
  const { name, phone, address, latitude, longitude, hours, cuisines } = place;
  const { number: phoneNumber = null, extension: phoneExtension } = readPhone(phone) ?? {};
  const { streetAddr, streetAddr2, city, state, zipcode } = address;
  return {
    name,
    type,
    phone,
    phoneNumber,
    ...(phoneExtension ? { phoneExtension } : {}),
    description: '',
    address: { streetAddr, streetAddr2, city, state, zipcode, country },
    latitude,
    longitude,
    timeZone,
    hours: completeHours({ operational: isOpenAtTimes(place) ? hours : null }),
    hoursExceptions: [],
    cuisines,
    dollarSigns: null,
    photos: { food: [], logo: [], store: [] },
    rating: null,
    onlineOrdering: false,
    pickup: MODE_OFF,
    delivery: { ...MODE_OFF, parties: [plainParty()] },
    fees: NO_FEES,
    scheduling: NO_SCHEDULING,
  };
}
