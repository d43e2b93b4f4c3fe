import { splitWords } from 'doorstep/search-engine/text';
import { readStreet } from '../stores/street-address.ts';
import { writeOutStreet } from '../stores/street-words.ts';

/**
 * House numbers as they are compared: of one part (`100`, `12B`), of two (`37-12` of Queens, `98-1005` of Hawaii), or a
 * range of one side of a street (`100-102`). Hyphens separate words.
 */
type Door = { number: readonly string[]; street: readonly string[] };

/** Widest range of one building. */
const MAX_RANGE = 100;

/** Splits a street into comparable words: folded, and with abbreviations written out. */
export const addressWords = (text: string): string[] => writeOutStreet(splitWords(text));

/** A street's house number and name as they are compared. */
export function comparedDoor(street: string): Door {
  const { streetNum, streetName } = readStreet(street);
  return { number: splitWords(streetNum), street: addressWords(streetName) };
}

/** Whether a typed street begins with a store's own, whose number is the same or in the same range. */
export function isSameDoor(own: Door, typed: Door): boolean {
  if (own.street.length === 0 || own.street.some((word, index) => word !== typed.street[index])) return false;
  const isSame = own.number.join('') === typed.number.join('');
  return isSame || isWithin(own.number, typed.number) || isWithin(typed.number, own.number);
}

function isWithin(range: readonly string[], { length, 0: single = '' }: readonly string[]): boolean {
  const [low, high, number] = [Number(range[0]), Number(range[1]), Number(single)];
  if (length !== 1 || range.length !== 2 || range[0]?.length !== range[1]?.length) return false;
  const isRange = low < high && high - low <= MAX_RANGE && (high - low) % 2 === 0;
  return isRange && number >= low && number <= high && (number - low) % 2 === 0;
}
