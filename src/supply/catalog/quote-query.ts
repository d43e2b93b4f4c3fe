import { Type } from 'typebox';
import type { Caller } from '../../access/accounts/account.ts';
import { flag, optionalNumber, optionalText } from '../../platform/http/api-components.ts';
import { ADDRESS_PARAMETER, type AddressMembers, doorAddress, userAddress } from '../addresses/address-parameter.ts';
import type { Geocoding } from '../addresses/geocoding.cache.ts';
import { QUOTE_PREFERENCES } from '../pricing/quote.ts';
import type { Mode } from '../stores/store.ts';
import type { Door } from '../stores/zone-at-door.ts';

const AddressPart = optionalText(256, 'Part of the delivery address, geocoded as in orders without a coordinate.');

/** Query parameters of quotes, in inventories and product details. */
export const QUOTE_QUERY = {
  include_quote: flag('Whether the response includes a quote.'),
  quote_preference: Type.Optional(
    Type.Enum([...QUOTE_PREFERENCES], {
      description:
        "The preferred delivery provider if several deliver to the address. `first_available` (the default) and `fastest`: the lowest maximum time. `first_party`: the store itself, if it delivers to the address. `cheapest`: the lowest delivery fee at the store's order minimum.",
    }),
  ),
  user_latitude: optionalNumber(-90, 90, "The delivery address's latitude. A delivery quote needs it or an address."),
  user_longitude: optionalNumber(-180, 180, "The delivery address's longitude. Requires the latitude."),
  address: ADDRESS_PARAMETER,
  user_street_num: AddressPart,
  user_street_name: AddressPart,
  user_city: AddressPart,
  user_state: AddressPart,
  user_zipcode: AddressPart,
  user_country: AddressPart,
};

type DoorQuery = { user_latitude?: number; user_longitude?: number; address?: string } & AddressMembers;

/**
 * The delivery address's coordinate, given or looked up. Refuses a delivery quote without either with 400; pickup needs
 * none, and looks nothing up.
 */
export async function requireDoor(
  { geocoding }: { geocoding: Geocoding },
  caller: Caller,
  query: DoorQuery,
  mode: Mode,
): Promise<Door | null> {
  const { user_latitude: latitude, user_longitude: longitude, address } = query;
  const isGiven = latitude !== undefined && longitude !== undefined;
  if (mode === 'pickup' && !isGiven) return null;
  const hasNone = latitude === undefined && longitude === undefined;
  const door = hasNone ? doorAddress(userAddress(query), address ?? null) : undefined;
  if (door?.name === 'user_street_name') return geocoding.findDoor(caller, door, { in: 'query' });
  return geocoding.locate(caller, { latitude, longitude, address, prefix: 'user_', in: 'query' });
}
