import { type Static, Type } from 'typebox';
import { component, describedObject, integer, text } from '../../platform/http/api-components.ts';
import { e164Of, readPhone } from '../../platform/lib/phone.ts';
import { formatHours } from '../stores/format-hours.ts';
import { WEEKDAYS } from '../stores/hours.ts';
import type { Store } from '../stores/store.ts';
import { COUNTRY_NAMES, partsOfStore, writeAddress } from '../stores/street-address.ts';
import { PLACE_STATUSES, type Place } from './place.ts';

/** A place in a response (docs/places.md#place-element). */
export const PlaceSchema = component('Place', 'A place in the directory.', {
  directory_place_id: text("The directory's own ID. Send it to add_store."),
  service_store_id: Type.Optional(text("The store's `_id`. Absent if the place isn't in the service.")),
  service_place_id: Type.Optional(text('Present only with `service_store_id`.')),
  place_link: text("A page about the place: its own website, the directory's page or a map."),
  place_name: text("The place's name."),
  place_address: text('The address on one line. Empty if unknown.'),
  place_address_components: describedObject('The parts of the address. A part is empty if unknown.', {
    street_addr: text('The house number and street.'),
    city: text('Town.'),
    state: text('The state or province.'),
    zipcode: text('The postal code.'),
    country: text('`US` or `CA`. Empty elsewhere.'),
  }),
  place_location: Type.Array(Type.Number(), {
    minItems: 2,
    maxItems: 2,
    description: 'Latitude, then longitude, in degrees.',
  }),
  place_phone: Type.Optional(integer('Digits only, with the country code first. Absent if unknown.')),
  place_hours: Type.Array(Type.String(), {
    description:
      "One `<Weekday>: <hours>` line per weekday, starting with Monday, in the place's time zone. Empty if unknown.",
  }),
  status: Type.Enum([...PLACE_STATUSES], { description: 'The business status.' }),
  type: text("The directory's category, such as `restaurant` or `supermarket`."),
});

/** The existing store of a place, and this service's id of the place. */
export type KnownPlace = { storeId: string; placeId: string };

/** Presents a place. Its store's facts replace the directory's. */
export function presentPlace(listed: Place, known?: KnownPlace, store?: Store): Static<typeof PlaceSchema> {
  const place = store ? { ...listed, ...factsOf(store, listed) } : listed;
  const { address, country, hours, phone } = place;
  const digits = readPhone(phone)?.number;
  const week = hours && formatHours(hours);
  return {
    directory_place_id: place.placeId,
    ...(known ? { service_store_id: known.storeId, service_place_id: known.placeId } : {}),
    place_link: place.link || mapLink(place),
    place_name: place.name,
    // A region by itself is no address.
    place_address:
      address.streetAddr || address.city || address.zipcode
        ? writeAddress(partsOfStore(address), country ? COUNTRY_NAMES[country] : '')
        : '',
    place_address_components: {
      street_addr: address.streetAddr,
      city: address.city,
      state: address.state,
      zipcode: address.zipcode,
      country: country ?? '',
    },
    place_location: [place.latitude, place.longitude],
    ...(digits === undefined ? {} : { place_phone: digits }),
    place_hours: week ? WEEKDAYS.map((weekday) => `${weekday}: ${week[weekday]}`) : [],
    status: place.status,
    type: place.category,
  };
}

function factsOf({ name, phoneNumber, address, latitude, longitude, hours }: Store, listed: Place): Partial<Place> {
  const where = address.streetAddr ? { address, country: address.country, latitude, longitude } : {};
  const phone = phoneNumber === null ? listed.phone : e164Of(phoneNumber);
  return { ...where, name, phone, hours: hours.operational ?? listed.hours };
}

/** Returns a link to OpenStreetMap with a marker, for open data without its own page. */
function mapLink({ latitude, longitude }: Place): string {
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=19/${latitude}/${longitude}`;
}
