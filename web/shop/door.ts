import type { CreateOrderBody, GeocodeAnswer, StoreAddress } from '../../clients/typescript/src/api-types.ts';
import type { Coordinate } from '../../packages/search-engine/geography/sphere.ts';
import { readAddressLine } from '../../src/supply/stores/address-line.ts';
import {
  NO_ADDRESS,
  namesDoor,
  partsOfMatch,
  type StreetAddress,
  writeAddress,
} from '../../src/supply/stores/street-address.ts';
import type { Near } from './boot.ts';
import { areParts, isObject, type Kept } from './device.ts';

/*
 * The door of a delivery. A place is an address on one line and a coordinate; a driver needs its parts, which come from
 * the geocoder, from the typed line, and from the customer's additions.
 */

const PART_NAMES = Object.keys(NO_ADDRESS) as (keyof StreetAddress)[];

/** The parts that the customer has entered for an address. */
export type EnteredDoor = { address: string; parts: StreetAddress };

export const KEPT_DOOR: Kept<EnteredDoor> = { name: 'door', isValue: isEnteredDoor };

function isEnteredDoor(value: unknown): value is EnteredDoor {
  return isObject(value) && typeof value.address === 'string' && areParts(value.parts);
}

/** The parts of the door at a place: as entered for this address, otherwise as found, otherwise as its line says. */
export function doorParts({ address, parts }: Near, entered: EnteredDoor | undefined): StreetAddress {
  if (entered?.address === address) return entered.parts;
  if (parts) return parts;
  const { country: _, ...read } = readAddressLine(address);
  // Words without a number, such as `Your location`, are no street.
  return namesDoor(read) ? read : { ...read, streetNum: '', streetName: '' };
}

type Match = GeocodeAnswer['results'][number];

/** The place of a geocoder's match: where that lacks the house, with the street that the customer has typed. */
export function placeOf(typed: string, match: Match): Near {
  const { address, latitude, longitude, components } = match;
  const { street_num: streetNum, street_name: streetName, apt_num: aptNum, city, state, zipcode } = components;
  const found = { streetNum, streetName, aptNum, city, state, zipcode };
  const parts = partsOfMatch(readAddressLine(typed), found);
  const isAsFound = PART_NAMES.every((name) => parts[name] === found[name]);
  return {
    address: isAsFound ? address : writeAddress(parts),
    latitude,
    longitude,
    parts,
    isArea: isAreaOf(typed, match),
  };
}

/** The place of a device: its own coordinate, and the address that the geocoder finds there. */
export function placeOfDevice({ latitude, longitude }: Coordinate, match: Match | undefined, unknown: string): Near {
  const found = match ? placeOf('', match) : { address: unknown };
  return { ...found, latitude, longitude, isDevice: true };
}

/** Whether a match is a whole area although a door was typed. */
export function isAreaOf(typed: string, { precision }: Pick<Match, 'precision'>): boolean {
  return (precision === 'city' || precision === 'postal_code') && namesDoor(readAddressLine(typed));
}

/** Where a store is, without its region. */
export function storeStreet({ street_addr: streetName, city }: StoreAddress): string {
  return writeAddress({ ...NO_ADDRESS, streetName, city });
}

/** Whether a driver finds the door: an order cannot be placed without these parts. */
export function isWhole(parts: StreetAddress): boolean {
  return namesDoor(parts) && [parts.city, parts.state, parts.zipcode].every((part) => part.trim() !== '');
}

/** The fields of an order that say where it goes. */
export function orderDoor({ latitude, longitude }: Near, parts: StreetAddress): Partial<CreateOrderBody> {
  return {
    user_latitude: latitude,
    user_longitude: longitude,
    user_street_num: parts.streetNum,
    user_street_name: parts.streetName,
    user_apt_num: parts.aptNum,
    user_city: parts.city,
    user_state: parts.state,
    user_zipcode: parts.zipcode,
  };
}
