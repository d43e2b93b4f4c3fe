import type { Place } from '../src/imports/open-data/place.ts';

/** Downtown Vancouver. */
export const NEAR_PLACES = { latitude: 49.2827, longitude: -123.1207, radiusMetres: 10_000 };

/** A restaurant in Vancouver, as a directory describes it. */
export function placeOf(changes: Partial<Place> & { placeId: string }): Place {
  return {
    name: 'Harbour Fern',
    address: { streetAddr: '100 Water Street', streetAddr2: '', city: 'Vancouver', state: 'BC', zipcode: 'V6B 1A1' },
    country: 'CA',
    latitude: 49.2841,
    longitude: -123.1089,
    phone: '',
    hours: null,
    datedRules: null,
    cuisines: [],
    brand: null,
    storeType: 'restaurant',
    category: 'restaurant',
    status: 'OPERATIONAL',
    link: '',
    origins: [],
    ...changes,
  };
}
