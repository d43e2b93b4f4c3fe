import { type Static, Type } from 'typebox';
import { component, describedObject } from '../../platform/http/api-components.ts';
import { readPhone } from '../../platform/lib/phone.ts';
import { formatHours } from '../stores/format-hours.ts';
import { WEEKDAYS } from '../stores/hours.ts';
import { COUNTRY_NAMES, partsOfStore, writeAddress } from '../stores/street-address.ts';
import { PLACE_STATUSES, type Place } from './place.ts';

/** A place in an answer (docs/places.md#place-element). */
export const PlaceSchema = component('Place', 'A place of the directory.', {
  directory_place_id: Type.String({ description: "The directory's own id; add_store takes it." }),
  service_store_id: Type.Optional(
    Type.String({ description: 'The `_id` of its store; absent while the place is not in the service.' }),
  ),
  service_place_id: Type.Optional(Type.String({ description: 'Comes with `service_store_id`.' })),
  place_link: Type.String({ description: "A page about it: its own, the directory's, or the map where it lies." }),
  place_name: Type.String({ description: 'What it is called.' }),
  place_address: Type.String({ description: 'On one line; empty where it is unknown.' }),
  place_address_components: describedObject('The parts of its address; one that is unknown is empty.', {
    street_addr: Type.String({ description: 'House number and street.' }),
    city: Type.String({ description: 'Town.' }),
    state: Type.String({ description: 'State or province.' }),
    zipcode: Type.String({ description: 'Postal code.' }),
    country: Type.String({ description: '`US` or `CA`; empty elsewhere.' }),
  }),
  place_location: Type.Array(Type.Number(), {
    minItems: 2,
    maxItems: 2,
    description: 'Latitude, then longitude, in degrees.',
  }),
  place_phone: Type.Optional(Type.Integer({ description: 'Digits only, country code first; absent where unknown.' })),
  place_hours: Type.Array(Type.String(), {
    description:
      'For each weekday from Monday on `<Weekday>: <hours>`, on its own clock; empty where they are unknown.',
  }),
  status: Type.Enum([...PLACE_STATUSES], { description: 'Business status.' }),
  type: Type.String({ description: "The directory's word for what it is, such as `restaurant` or `supermarket`." }),
});

/** The existing store of a place, and this service's id of the place. */
export type KnownPlace = { storeId: string; placeId: string };

export function presentPlace(place: Place, known: KnownPlace | undefined): Static<typeof PlaceSchema> {
  const { address, country, hours, phone } = place;
  const digits = readPhone(phone)?.number;
  const week = hours && formatHours(hours);
  return {
    directory_place_id: place.placeId,
    ...(known ? { service_store_id: known.storeId, service_place_id: known.placeId } : {}),
    place_link: place.link || mapLink(place),
    place_name: place.name,
    // A region alone is no address.
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

/** Returns a link to OpenStreetMap with a marker, for open data without its own page. */
function mapLink({ latitude, longitude }: Place): string {
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=19/${latitude}/${longitude}`;
}
