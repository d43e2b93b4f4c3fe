import { Type } from 'typebox';
import { cleanText } from '../../platform/lib/plain-text.ts';
import { readAddressLine } from '../stores/address-line.ts';
import { readCountry, readRegion } from '../stores/region.ts';
import { MAX_ADDRESS_CHARACTERS, type StreetAddress, writeAddress } from '../stores/street-address.ts';

/** Returns why a text cannot be an address; undefined if it can. */
export function addressFault(text: string): string | undefined {
  if (text.length > MAX_ADDRESS_CHARACTERS) return `must have at most ${MAX_ADDRESS_CHARACTERS} characters`;
  if (/\p{Cc}/u.test(text)) return 'must be one line without control characters';
  return /[\p{L}\p{N}]/u.test(text) ? undefined : 'must have a letter or a digit';
}

/** Returns the schema of an address on one line. */
export const addressText = (description: string) =>
  Type.Refine(
    Type.String({ maxLength: MAX_ADDRESS_CHARACTERS, description, examples: ['932 W Randolph St, Chicago, IL 60607'] }),
    (text) => addressFault(text) === undefined,
    (text) => addressFault(String(text)) ?? '',
  );

/** An address that a request may have instead of a coordinate. */
export const ADDRESS_PARAMETER = Type.Optional(
  addressText(
    "An address, a postal code, or a city and its state, in the US or Canada. It's geocoded and used instead of the coordinate. If both are sent, the coordinate is used.",
  ),
);

/** Makes coordinates required in requests without an address. */
export function coordinateOrAddress(...coordinate: readonly string[]) {
  return { if: { required: ['address'] }, else: { required: [...coordinate] } };
}

/** The code of a region of the stated country, otherwise of either. */
export function regionOf(text: string, country: string): string | null {
  const first = readCountry(country) ?? 'US';
  return readRegion(text, first) ?? readRegion(text, first === 'US' ? 'CA' : 'US');
}

type UserAddress = StreetAddress & { country: string };
type Members = 'street_num' | 'street_name' | 'apt_num' | 'city' | 'state' | 'zipcode' | 'country';
export type AddressMembers = { [Member in `user_${Members}`]?: string };

/** Reads the parts of a user's address from a request's fields. */
export function userAddress(given: AddressMembers): UserAddress {
  const country = given.user_country?.trim() ?? '';
  const state = given.user_state?.trim() ?? '';
  return {
    streetNum: given.user_street_num?.trim() ?? '',
    streetName: given.user_street_name?.trim() ?? '',
    aptNum: given.user_apt_num?.trim() ?? '',
    city: given.user_city?.trim() ?? '',
    state: regionOf(state, country) ?? state,
    zipcode: given.user_zipcode?.trim() ?? '',
    country,
  };
}

/** An address to look up, its parts as they were typed, and the member that errors name. */
export type DoorAddress = { text: string; typed: StreetAddress; name: 'user_street_name' | 'address' };

/**
 * The address of a door without a coordinate: the street that the driver goes to, if it is whole, otherwise the
 * request's `address`.
 */
export function doorAddress(street: UserAddress, address: string | null): DoorAddress | undefined {
  if (street.streetName !== '' && (street.city !== '' || street.zipcode !== '')) {
    const text = cleanText(writeAddress({ ...street, aptNum: '' }, street.country));
    return { text, typed: street, name: 'user_street_name' };
  }
  return address ? { text: address, typed: readAddressLine(address), name: 'address' } : undefined;
}
