import { type ByteStore, createByteStore } from '../../lib/columns/byte-store.ts';
import { grownUint32 } from '../../lib/columns/grow.ts';
import { createInterner } from '../../lib/columns/interner.ts';
import { CHANNELS, type WeeklyHours } from '../hours.ts';
import type { Store } from '../store.ts';

/** The wire's strings for a week by weekday; null hours read as `Closed` (docs/behaviour.md#hours-and-time-zones). */
export type FormatHours = (weekly: WeeklyHours | null) => Readonly<Record<string, string>>;

/**
 * The Store element of each ordinal as bytes, up to and including `"is_open":`. What follows changes with each
 * request. Hours are two thirds of an element and shared by many stores, so each distinct set is kept once.
 */
export type StoreDocuments = {
  set(ordinal: number, store: Store): void;
  clear(ordinal: number): void;
  byteLength(ordinal: number): number;
  /** Copies the bytes to the target at that place; returns the place after them. */
  copyTo(ordinal: number, target: Buffer, at: number): number;
  toText(ordinal: number): string;
  readonly reservedBytes: number;
};

export function createStoreDocuments(formatHours: FormatHours): StoreDocuments {
  const heads: ByteStore = createByteStore();
  const tails: ByteStore = createByteStore();
  const hours = createInterner();
  let hoursOf = new Uint32Array(1024);

  function release(ordinal: number): void {
    const id = hoursOf[ordinal] as number;
    if (id > 0 && hours.release(id)) tails.clear(id);
  }

  return {
    set(ordinal, store) {
      if (ordinal >= hoursOf.length) hoursOf = grownUint32(hoursOf, ordinal + 1);
      const { id, isNew } = hours.acquire(JSON.stringify(store.hours));
      if (isNew) tails.set(id, `${JSON.stringify(presentHours(store, formatHours))},"is_open":`);
      release(ordinal);
      hoursOf[ordinal] = id;
      heads.set(ordinal, `${JSON.stringify(presentLastingFields(store)).slice(0, -1)},"local_hours":`);
    },
    clear(ordinal) {
      release(ordinal);
      hoursOf[ordinal] = 0;
      heads.clear(ordinal);
    },
    byteLength: (ordinal) => heads.byteLength(ordinal) + tails.byteLength(hoursOf[ordinal] as number),
    copyTo(ordinal, target, at) {
      return tails.copyTo(hoursOf[ordinal] as number, target, heads.copyTo(ordinal, target, at));
    },
    toText: (ordinal) => heads.toText(ordinal) + tails.toText(hoursOf[ordinal] as number),
    get reservedBytes() {
      return heads.reservedBytes + tails.reservedBytes;
    },
  };
}

function presentHours(store: Store, formatHours: FormatHours): Record<string, Readonly<Record<string, string>>> {
  return Object.fromEntries(CHANNELS.map((channel) => [channel, formatHours(store.hours[channel])]));
}

/** The Store element (docs/behaviour.md#store-element) without `local_hours`, `is_open` and `miles`. */
function presentLastingFields(store: Store): Record<string, unknown> {
  const { address, delivery, photos, rating } = store;
  return {
    _id: store.storeId,
    name: store.name,
    ...(store.phoneNumber === null ? {} : { phone_number: store.phoneNumber }),
    address: {
      street_addr: address.streetAddr,
      city: address.city,
      state: address.state,
      zipcode: address.zipcode,
      country: address.country,
      street_addr_2: address.streetAddr2,
      latitude: store.latitude,
      longitude: store.longitude,
    },
    type: store.type,
    description: store.description,
    cuisines: store.cuisines,
    food_photos: photos.food,
    logo_photos: photos.logo,
    store_photos: photos.store,
    dollar_signs: store.dollarSigns,
    pickup_enabled: store.pickup.enabled,
    delivery_enabled: delivery.enabled,
    offers_first_party_delivery: delivery.enabled && delivery.party === 'first',
    offers_third_party_delivery: delivery.enabled && delivery.party !== 'first',
    ...(rating === null ? {} : { weighted_rating_value: rating.value }),
    ...(rating?.count == null ? {} : { aggregated_rating_count: rating.count }),
    supports_upc_codes: store.supportsUpcCodes,
  };
}
