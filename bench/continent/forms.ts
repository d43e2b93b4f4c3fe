import { completeHours, type StoreHours } from '../../src/supply/stores/hours.ts';
import { readHours } from '../../src/supply/stores/read-hours.ts';
import { MODE_OFF, plainParty, type Store } from '../../src/supply/stores/store.ts';
import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import { storeOf } from '../../test/oracles/store-search.ts';
import type { ContinentStore } from './continent-stores.ts';
import { categoriesOf } from './menus.ts';

/** The name of the continent's feed. */
export const SOURCE = 'continent';

/** The store as a line of a feed (docs/feed-format.md#the-store), without the end of the line. */
export function lineOf(store: ContinentStore): string {
  const { town, pickup, delivery, logo } = store;
  return JSON.stringify({
    external_id: store.externalId,
    name: store.name,
    type: store.type,
    ...(store.phone === null ? {} : { phone: store.phone }),
    description: store.description,
    address: {
      street_addr: store.streetAddr,
      city: town.city,
      state: town.state,
      zipcode: store.zipcode,
      country: town.country,
    },
    latitude: store.latitude,
    longitude: store.longitude,
    time_zone: town.timeZone,
    ...(store.hours === null ? {} : { hours: { operational: store.hours } }),
    cuisines: store.cuisines,
    dollar_signs: store.dollarSigns,
    photos: { food: store.foodPhotos, logo: logo === null ? [] : [logo], store: [] },
    rating: store.rating,
    pickup: pickup === null ? { enabled: false } : { prep_minutes: pickup.prepMinutes },
    ...(delivery === null
      ? {}
      : {
          delivery: {
            prep_minutes: delivery.prepMinutes,
            party: delivery.party,
            radius_miles: delivery.radiusMiles,
          },
        }),
    ...(store.products > 0 ? { categories: categoriesOf(store) } : {}),
  });
}

const NO_HOURS = completeHours({});

/** Builds stores as the import does, without running it. Stores with equal hours share one object. */
export function createStoreForm(): (store: ContinentStore) => Store {
  const hoursOf = new Map<string, StoreHours>();
  const hoursOfText = (text: string): StoreHours => {
    const known = hoursOf.get(text);
    if (known !== undefined) return known;
    const read = readHours(text);
    if (!read.ok) throw new Error(`Hours of no week: ${text}`);
    const hours = completeHours({ operational: read.hours });
    hoursOf.set(text, hours);
    return hours;
  };
  const defaults = storeOf('');
  return (store) => {
    const { town, pickup, delivery, logo } = store;
    const { city, state, country, timeZone } = town;
    return {
      ...defaults,
      storeId: storeIdOf(SOURCE, store.externalId),
      name: store.name,
      type: store.type,
      phoneNumber: store.phone === null ? null : Number(`1${store.phone}`),
      description: store.description,
      address: { streetAddr: store.streetAddr, streetAddr2: '', city, state, zipcode: store.zipcode, country },
      latitude: store.latitude,
      longitude: store.longitude,
      timeZone,
      hours: store.hours === null ? NO_HOURS : hoursOfText(store.hours),
      cuisines: store.cuisines,
      dollarSigns: store.dollarSigns,
      photos: { food: store.foodPhotos, logo: logo === null ? [] : [logo], store: [] },
      rating: store.rating,
      pickup: pickup === null ? MODE_OFF : { ...MODE_OFF, enabled: true, prepMinutes: pickup.prepMinutes },
      delivery:
        delivery === null
          ? { ...MODE_OFF, parties: [plainParty()] }
          : {
              enabled: true,
              accepting: true,
              prepMinutes: delivery.prepMinutes,
              parties: [plainParty(delivery.party, delivery.radiusMiles)],
            },
      hasCatalog: store.products > 0,
    };
  };
}
