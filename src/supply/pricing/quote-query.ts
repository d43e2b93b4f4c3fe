import { Type } from 'typebox';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import type { Mode } from '../stores/store.ts';
import type { Door } from '../stores/zone-at-door.ts';
import { QUOTE_PREFERENCES } from './quote.ts';

const AddressPart = Type.Optional(
  Type.String({ maxLength: 256, description: "Part of the user's address; the coordinates decide the quote." }),
);

/** Query parameters of quotes, in inventories and product details. */
export const QUOTE_QUERY = {
  include_quote: Type.Optional(Type.Boolean({ description: 'Whether the answer has a quote.' })),
  quote_preference: Type.Optional(
    Type.Enum([...QUOTE_PREFERENCES], {
      description:
        "Which party delivers where several reach the door: `first_available` (when omitted) and `fastest` the one with the lowest maximum of minutes, `first_party` the store itself where it reaches the door, `cheapest` the one with the lowest delivery fee at the store's order minimum.",
    }),
  ),
  user_latitude: Type.Optional(
    Type.Number({
      minimum: -90,
      maximum: 90,
      description: 'Degrees north of the door; required for a delivery quote.',
    }),
  ),
  user_longitude: Type.Optional(
    Type.Number({
      minimum: -180,
      maximum: 180,
      description: 'Degrees east of the door; required for a delivery quote.',
    }),
  ),
  user_street_num: AddressPart,
  user_street_name: AddressPart,
  user_city: AddressPart,
  user_state: AddressPart,
  user_zipcode: AddressPart,
  user_country: AddressPart,
};

type Coordinates = { user_latitude?: number; user_longitude?: number };

/** The delivery address's coordinate. Refuses a delivery quote without both values with 400; pickup needs none. */
export function requireDoor(query: Coordinates, mode: Mode): Door | null {
  const { user_latitude: latitude, user_longitude: longitude } = query;
  if (latitude !== undefined && longitude !== undefined) return { latitude, longitude };
  if (mode === 'pickup') return null;
  const missing = (['user_latitude', 'user_longitude'] as const).filter((name) => query[name] === undefined);
  throw invalidRequest(missing.map((name) => ({ in: 'query', name, message: 'is required for a delivery quote' })));
}
