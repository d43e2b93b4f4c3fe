import { readCountry, readRegion } from './region.ts';
import {
  BARE_UNIT,
  MAX_ADDRESS_CHARACTERS,
  NO_ADDRESS,
  namesDoor,
  readStreet,
  type StreetAddress,
} from './street-address.ts';
import { STREET_WORDS } from './street-words.ts';

/**
 * The only reader of an address that was typed on one line. Every word comes out in a part: words of no
 * other part stay in the name of the street. A geocoder's answer contains its parts already.
 */

const GAP = '(?<![\\s,])[\\s,]+';
const END = `(?:^|${GAP})`;
const TRAILING = new RegExp(`${GAP}$`);
const POSTAL = new RegExp(`${END}(\\d{5}(?:[ -]?\\d{4})?|[a-z]\\d[a-z][ -]?\\d[a-z]\\d)$`, 'iu');
/** Of `Ste-Foy` the first part is no suite: a unit is a number or one letter. */
const UNIT =
  '(?:(?:apt|apartment|unit|unité|suite|ste|app|appartement|bureau|floor|fl|étage|room|rm|bldg|building|trlr|spc|lot|ph)(?![\\p{L}-])\\.?(?: ?#)?|#) ?(?:[\\p{L}-]{0,3}\\d[\\p{L}\\p{N}-]*|\\p{L})(?![\\p{L}\\p{N}-])';
const LAST_UNIT = new RegExp(`${GAP}((?:${UNIT} ?)+)$`, 'iu');
const FIRST_UNIT = new RegExp(`^((?:${UNIT} ?)+)`, 'iu');
const MAX_PLACE_WORDS = 4;

const STREET_FORMS: ReadonlySet<string> = new Set([...STREET_WORDS.flat(), 'ne', 'nw', 'se', 'sw']);
const isStreetForm = (word: string) => STREET_FORMS.has(word.replace('.', '').toLowerCase());

/** Reads a line from its end to its beginning. */
export function readAddressLine(typed: string): StreetAddress & { country: string } {
  if (typed.length > MAX_ADDRESS_CHARACTERS) return { ...NO_ADDRESS, streetName: typed, country: '' };
  let rest = typed.trim().replace(/\s+/g, ' ').replace(TRAILING, '');
  const take = (pattern: RegExp) => {
    const [whole = '', part = ''] = pattern.exec(rest) ?? [];
    rest = rest.slice(0, rest.length - whole.length);
    return part.trim();
  };
  const takeEnd = (found: { rest: string; end: string } | undefined) => {
    if (found) rest = found.rest;
    return found?.end ?? '';
  };
  let zipcode = take(POSTAL);
  const country = takeEnd(countryAtEnd(rest));
  zipcode ||= take(POSTAL);
  const state = takeEnd(regionAtEnd(rest, zipcode + country !== ''));
  zipcode = (zipcode || take(POSTAL)).toUpperCase();
  const leading = leadingUnit(rest);
  rest = rest.slice(leading.length).replace(/^[\s,]+/, '');
  const [first = '', ...others] = rest
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  // Of `12, rue Principale` the first two parts are the street.
  const line = /^\d+$/.test(first) && others.length > 0 ? `${first} ${others.shift()}` : first;
  const isPlaced = zipcode + state + country !== '';
  if (others.length === 0 && isPlaced && !namesDoor(readStreet(line))) {
    return { ...NO_ADDRESS, city: line, state, zipcode, country };
  }
  const lastUnit = unitAtEnd(line);
  const street = line.slice(0, line.length - lastUnit.length).replace(lastUnit === '' ? '' : TRAILING, '');
  const units = [leading.trim(), lastUnit.trim()].filter((unit) => unit !== '');
  const last = others.at(-1) ?? '';
  const isCity = last !== '' && !BARE_UNIT.test(last) && FIRST_UNIT.exec(last)?.[0] !== last;
  if (isCity) others.pop();
  units.push(...others);
  const joined = isPlaced && !isCity && units.length === 0 ? cityAfterStreet(street) : undefined;
  const parts = joined ?? { line: street, unit: units.join(', '), city: isCity ? last : '' };
  return { ...readStreet(parts.line), aptNum: parts.unit, city: parts.city, state, zipcode, country };
}

/** The unit before a house number: `Apt 5, 932 W Randolph St`. */
function leadingUnit(line: string): string {
  const [, unit = ''] = FIRST_UNIT.exec(line) ?? [];
  const [street = ''] = line
    .slice(unit.length)
    .replace(/^[\s,]+/, '')
    .split(',');
  return readStreet(street).streetNum === '' ? '' : unit;
}

/** The unit after a street; in `RR #2` the number is the door. */
function unitAtEnd(line: string): string {
  const [whole = '', unit = ''] = LAST_UNIT.exec(line) ?? [];
  const street = line.slice(0, line.length - whole.length);
  return namesDoor(readStreet(line)) && !namesDoor(readStreet(street)) ? '' : unit;
}

/** The last words of a line's last part, the longest end first, and the rest of the line. */
function endsOf(line: string): { rest: string; end: string }[] {
  const start = line.lastIndexOf(',') + 1;
  const words = line.slice(start).trim().split(' ');
  return words.slice(-MAX_PLACE_WORDS).map((_, index, { length }) => {
    const before = words.slice(0, words.length - length + index).join(' ');
    return {
      rest: `${line.slice(0, start)}${before}`.replace(TRAILING, ''),
      end: words.slice(index - length).join(' '),
    };
  });
}

/** The country at the end of a line. `CA` is one after a postal code or a city and province, or California. */
function countryAtEnd(line: string): { rest: string; end: string } | undefined {
  return endsOf(line).find(({ rest, end }) => {
    if (readCountry(end) === undefined) return false;
    if (readRegion(end, 'US') === null || (/^ca$/i.test(end) && /\d[a-z]\d$/i.test(rest))) return true;
    const region = regionAtEnd(rest.replace(POSTAL, ''), true);
    if (!region || region.rest === '' || readRegion(region.end, 'CA') === null) return false;
    return region.rest.includes(',') || !namesDoor(readStreet(region.rest));
  });
}

/**
 * The region at the end of a line. Where no comma is before it, `8 Oak Ct` is a court and no state: there a postal code
 * or a country must follow, and a word for a street stand earlier.
 */
function regionAtEnd(line: string, isFollowed: boolean): { rest: string; end: string } | undefined {
  // Of `Washington DC` the code is the region, and of `West Virginia` both words.
  const ends = /(?:^|[\s,])(?:[a-z]{2}|(?:[a-z]\.){2}|\([^\s()]+\))$/i.test(line)
    ? endsOf(line).slice(-1)
    : endsOf(line);
  return ends
    .map(({ rest, end }) => ({ rest, end: end.replace(/^\(|\)$/g, '') }))
    .find(({ rest, end }) => {
      if (end === '' || !(readRegion(end, 'US') ?? readRegion(end, 'CA'))) return false;
      const isStreet = isStreetForm(end) && /\d/.test(line) && !rest.split(' ').slice(1).some(isStreetForm);
      return line.includes(',') || (isFollowed && !isStreet);
    });
}

/** Splits `932 W Randolph St Apt 4 Chicago`, which has no comma, after the word for a street. */
function cityAfterStreet(line: string): { line: string; unit: string; city: string } | undefined {
  const words = line.split(' ');
  const type = words.findIndex((word, index) => index > 1 && isStreetForm(word));
  if (type === -1) return undefined;
  const end = /^(?:[nsew]\.?){1,2}$/i.test(words[type + 1] ?? '') ? type + 2 : type + 1;
  const after = words.slice(end).join(' ');
  const [, unit = ''] = FIRST_UNIT.exec(after) ?? [];
  const city = after.slice(unit.length).trim();
  return /^\D+$/.test(city) ? { line: words.slice(0, end).join(' '), unit: unit.trim(), city } : undefined;
}
