/**
 * Postal addresses of the US and Canada in their parts, and the only writer of them, for every page, message, courier
 * and tax service. Parts that came apart are never split again, and no word is dropped.
 */

/** The parts of an address as they were given; '' where unknown. */
export type StreetAddress = {
  /** `12`, `12-34`, `N6W23001`, `1½`; '' for a rural route. */
  streetNum: string;
  streetName: string;
  /** An apartment, suite or floor: `4B`, `Suite 200`. */
  aptNum: string;
  city: string;
  state: string;
  zipcode: string;
};

export const NO_ADDRESS: StreetAddress = {
  streetNum: '',
  streetName: '',
  aptNum: '',
  city: '',
  state: '',
  zipcode: '',
};

/** Longer than any address. */
export const MAX_ADDRESS_CHARACTERS = 300;

/** `5th`, `1re`, `2e Avenue`, and Detroit's `12 Mile Rd`: names of streets that begin with a number. */
const NUMBERED_STREET =
  /^(?:\d+(?:st|nd|rd|th|re|er|nde?|[eè]re|i?[eè]me)(?![\p{L}\p{N}])|\d+e\s+(?:av|rue|rang|rg|boul|ch|ligne|concession)|\d{1,2}\s+mile\s+r(?:oa)?d(?!\p{L}))/iu;
/** `120`, `12B`, `1-123`, `85-080`, `26W123`, `12 1/2`, `1½`; the grids of Wisconsin: `N6W23001`, `W239 N3490`. */
const HOUSE_NUMBER =
  /^((?:\d[\w/\u2010-\u2015\p{No}-]*|[nsew]\d{1,6}\s?[nsew]\d{1,6}[a-z]?|[nsew]\d{2,6})(?:\s+(?:\d\/\d[a-z]?|[½¼¾]))?),?\s+(\S.*)$/iu;
/** `One Apple Park Way`, `Two Penn Plaza`. */
const NUMBER_WORD =
  /^(one(?=\s+\S+\s+\S)|(?:two|three|four|five|six|seven|eight|nine|ten)(?=\s.*\s(?:plaza|cent(?:er|re)|square|place|tower)$))\s+(\S.*)$/iu;
/** A route, box or kilometer of rural delivery, which has no house number. A post office box is no door. */
const RURAL =
  /(?<![\p{L}\p{N}])(?:(?<!p\.?\s?o\.?\s?)box|r\.?\s?r\.?|rural\s+r(?:ou)?te\.?|r(?:ou)?te\s+rurale|hcr?|(?:star|contract)\s+r(?:ou)?te\.?|lot|site|km|mile)\s{0,2}#?\s{0,2}\d/iu;
const BOX = /(?<![\p{L}\p{N}])(?:box|lot|site|km|mile(?=\s{0,2}\d))\s{0,2}#?\s{0,2}[\p{L}\p{N}.-]+/giu;

/** Splits the house number from a street that is one text. Without one, the whole line is the name. */
export function readStreet(line: string): Pick<StreetAddress, 'streetNum' | 'streetName'> {
  const text = line.trim();
  const isBounded = text.length <= MAX_ADDRESS_CHARACTERS && !NUMBERED_STREET.test(text);
  const [, streetNum = '', streetName = text] =
    (isBounded && (HOUSE_NUMBER.exec(text) ?? NUMBER_WORD.exec(text))) || [];
  return { streetNum, streetName };
}

/** Whether a driver finds the door: by a house number, or by the box or route that the street names. */
export function namesDoor({ streetNum, streetName }: Pick<StreetAddress, 'streetNum' | 'streetName'>): boolean {
  if (streetName === '') return false;
  if (streetNum !== '' || readStreet(streetName).streetNum !== '') return true;
  return RURAL.test(streetName.slice(0, MAX_ADDRESS_CHARACTERS));
}

/** The street without its house number and box, from any of the fields. */
export function streetWithoutDoor({ streetNum, streetName }: Pick<StreetAddress, 'streetNum' | 'streetName'>): string {
  if (repeatsNumber(streetNum, streetName)) return streetName.slice(streetNum.length).trim();
  const name = streetNum === '' ? readStreet(streetName).streetName : streetName;
  return name.slice(0, MAX_ADDRESS_CHARACTERS).replaceAll(BOX, '').trim();
}

/** `4B`, `#12`: a unit without the word for it. */
export const BARE_UNIT = /^#?\s?(?:\p{L}?[\d-]+\p{L}?|\p{L})$/u;

/** The parts of a typed address: as a geocoder states them; the street as typed where the geocoder lacks the house. */
export function partsOfMatch(typed: StreetAddress, found: StreetAddress): StreetAddress {
  const { streetNum, streetName } = !namesDoor(found) && namesDoor(typed) ? typed : found;
  return {
    streetNum,
    streetName,
    aptNum: found.aptNum || typed.aptNum,
    city: found.city || typed.city,
    state: found.state || typed.state,
    zipcode: found.zipcode || typed.zipcode,
  };
}

/** Some clients repeat the number in the name of the street. A `12 Mile Rd` is no repetition. */
function repeatsNumber(streetNum: string, streetName: string): boolean {
  return streetNum !== '' && streetName.startsWith(`${streetNum} `) && !/^\d+\s+mile /i.test(streetName);
}

/** Writes number and street: `932 W Randolph St`. */
export function writeStreet({ streetNum, streetName }: Pick<StreetAddress, 'streetNum' | 'streetName'>): string {
  return joinParts(repeatsNumber(streetNum, streetName) ? [streetName] : [streetNum, streetName], ' ');
}

/** Writes an address on two lines: `932 W Randolph St, 4B` and `Chicago, IL 60607`; an unknown line is left out. */
export function writeAddressLines(address: StreetAddress): string[] {
  const { aptNum, city, state, zipcode } = address;
  const lines = [joinParts([writeStreet(address), aptNum]), joinParts([city, joinParts([state, zipcode], ' ')])];
  return lines.filter((line) => line !== '');
}

/** Writes an address on one line, with a country where it is wanted. */
export function writeAddress(address: StreetAddress, country = ''): string {
  const lines = writeAddressLines(address);
  return lines.length === 0 ? '' : joinParts([...lines, country]);
}

export const COUNTRY_NAMES = { US: 'USA', CA: 'Canada' } as const;

/** A store's or place's address, whose street and number are one text. */
type OneLineStreet = { streetAddr: string; streetAddr2?: string; city: string; state: string; zipcode: string };

/** The parts of a store's address; its street is never split. */
export function partsOfStore({ streetAddr, streetAddr2 = '', city, state, zipcode }: OneLineStreet): StreetAddress {
  return { streetNum: '', streetName: streetAddr, aptNum: streetAddr2, city, state, zipcode };
}

/** Names a bare number as an apartment; `Suite 200` names itself. */
export function writeUnit(aptNum: string, apartment: (pieces: { number: string }) => string): string {
  return BARE_UNIT.test(aptNum) ? apartment({ number: aptNum.replace(/^#\s?/, '') }) : aptNum;
}

function joinParts(parts: readonly string[], separator = ', '): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(separator);
}
