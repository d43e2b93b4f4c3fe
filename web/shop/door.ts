import type { CreateOrderBody } from '../../clients/typescript/src/api-types.ts';
import { splitStreet } from '../../src/supply/pricing/street.ts';
import type { Near } from './boot.ts';
import type { Kept } from './device.ts';

/*
 * The door of a delivery. A place is an address on one line and a coordinate; a driver needs its parts, which are read
 * of the line, and of what the customer adds.
 */

export const PART_NAMES = ['streetNum', 'streetName', 'apt', 'city', 'state', 'zip'] as const;
/** The parts of an address; empty where unknown. */
export type AddressParts = Record<(typeof PART_NAMES)[number], string>;

/** The parts that the customer has entered for an address. */
export type EnteredDoor = { address: string; parts: AddressParts };

export const KEPT_DOOR: Kept<EnteredDoor> = { name: 'door', isValue: isEnteredDoor };

function isEnteredDoor(value: unknown): value is EnteredDoor {
  if (typeof value !== 'object' || value === null || !('address' in value) || !('parts' in value)) return false;
  const { address, parts } = value;
  if (typeof address !== 'string' || typeof parts !== 'object' || parts === null) return false;
  const texts = new Map<string, unknown>(Object.entries(parts));
  return PART_NAMES.every((name) => typeof texts.get(name) === 'string');
}

/** The parts of the door at a place: as entered for this address, else as its line says. */
export function doorParts({ address }: Near, entered: EnteredDoor | undefined): AddressParts {
  return entered?.address === address ? entered.parts : parseAddress(address);
}

const COUNTRY = /(?:^|(?<![\s,])[\s,]+)(?:usa?|united states(?: of america)?|canada)$/i;
const POSTAL = /(?:^|(?<![\s,])[\s,]+)(\d{5}(?:-\d{4})?|[a-z]\d[a-z] ?\d[a-z]\d)$/i;
const STATE = /(?:^|(?<![\s,])[\s,]+)([a-z]{2})$/i;
const CITY = /(?:^|,\s*)([^,\d\s][^,]*)$/;
const UNIT = /(?<![\s,])[\s,]+(?:(?:apt|apartment|unit|suite|ste|app|bureau)\b\.?|#)\s*([\w-]+)$/i;

/** Reads the parts of an address on one line, from its end to its beginning. */
export function parseAddress(line: string): AddressParts {
  let rest = line.trim();
  const take = (pattern: RegExp) => {
    const [whole = '', part = ''] = pattern.exec(rest) ?? [];
    rest = rest.slice(0, rest.length - whole.length).trim();
    return part;
  };
  take(COUNTRY);
  const zip = take(POSTAL).toUpperCase();
  const state = take(STATE).toUpperCase();
  // Of `12, rue Principale` the last part is the street; words alone are no address.
  const hasCity = zip + state !== '' && !/^\d+,[^,]*$/.test(rest);
  const city = hasCity ? take(CITY).trim() : '';
  const apt = take(UNIT);
  const { streetNum, streetName } = splitStreet(rest);
  return { streetNum, streetName: streetNum === '' ? '' : streetName, apt, city, state, zip };
}

/** The place of a geocoder's match: where that is a whole area, with the street that the customer has typed. */
export function placeOf(typed: string, { address, latitude, longitude }: Near): Near {
  const isArea = isAreaOf(typed, { address });
  return { address: isArea ? `${streetIn(typed)}, ${address}` : address, latitude, longitude };
}

/** Whether a match is a whole area although a street was typed. */
export function isAreaOf(typed: string, { address }: Pick<Near, 'address'>): boolean {
  return parseAddress(address).streetName === '' && parseAddress(streetIn(typed)).streetName !== '';
}

function streetIn(typed: string): string {
  const [first = '', second = ''] = typed.split(',');
  return (/^\s*\d+\s*$/.test(first) ? `${first},${second}` : first).trim();
}

/** Whether a driver finds the door: an order cannot be placed without these parts. */
export function isWhole({ streetNum, streetName, city, state, zip }: AddressParts): boolean {
  return [streetNum, streetName, city, state, zip].every((part) => part.trim() !== '');
}

/** The members of an order that say where it goes. */
export function orderDoor({ latitude, longitude }: Near, parts: AddressParts): Partial<CreateOrderBody> {
  return {
    user_latitude: latitude,
    user_longitude: longitude,
    user_street_num: parts.streetNum,
    user_street_name: parts.streetName,
    user_apt_num: parts.apt,
    user_city: parts.city,
    user_state: parts.state,
    user_zipcode: parts.zip,
  };
}
