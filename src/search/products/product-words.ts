import { MAX_TEXT_LENGTH, MAX_WORDS, singularOf, splitWords } from 'doorstep/search-engine/text';

/** Words without meaning for a match, in English, French and Spanish. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and au aux avec con d de del des du el en et for in la las le les los of or the to w with y'.split(' '),
);

/** Minimum length of an unfinished word; a shorter prefix would match nearly every term. */
export const MIN_UNFINISHED = 2;

/** Names of each unit; the first is its stem. */
const UNITS: readonly string[] = [
  'oz ounce onz',
  'lb lbs pound',
  'gal gallon ga',
  'qt quart',
  'pt pint',
  'l liter litre ltr',
  'ml milliliter millilitre',
  'g gm gr gram gramme',
  'kg kilo kilogram kilogramme',
  'ct count cnt',
  'pk pack',
  'dz dozen doz',
  'fl fluid',
  'ea each',
  'percent pct',
];
export const UNIT_NAMES: readonly string[] = UNITS.flatMap((line) => line.split(' '));
const UNIT_OF: ReadonlyMap<string, string> = new Map(
  UNITS.flatMap((line) => {
    const names = line.split(' ');
    const [stem = line] = names;
    return names.map((name): [string, string] => [name, stem]);
  }),
);

/** Abbreviations that registers print. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  'bnls boneless,br bread,brst breast,chkn chicken,choc chocolate,frzn frozen,sce sauce,sknls skinless,veg vegetable'
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
);

const DIGITS = /^\p{N}+$/u;
const PERCENT = /(?<=\p{N}\s?)%/gu;
const PARTS = /\p{N}+|[^\p{N}]+/gu;
/** Matches text of letters, digits and separators only: no accent, apostrophe or percent sign. */
const PLAIN_TEXT = /^[A-Za-z0-9 ,.;:!?()&/*+_-]*$/;
const PLAIN_PARTS = /[a-z]+|[0-9]+/g;

/**
 * Separators that end a product's name: brackets with remarks; of kind or size ("Milk, 2%", "Eggs - large", "Bread with
 * raisins", "Pain de mie"), without slashes for "Potato/Tortilla Chips", which names one product.
 */
export const BRACKET = /[([]/;
export const AFTER_LIST = /[,(;:[]| - | (?:with|w\/|in|on|over|de|du|des|au|aux|avec) /i;
export const AFTER_HEAD = new RegExp(`/|${AFTER_LIST.source}`, 'i');

/** The "and" of a name: Mac & Cheese, Mac 'n' Cheese, Mac y Queso. */
export const AND = /[&+]| (?:and|et|y|'?n'?) /i;

/** Kinds of words: content, measure (an amount), and stop word. */
export const CONTENT = 0;
export const MEASURE = 1;
export const STOP = 2;

export function wordKindOf(word: string): typeof CONTENT | typeof MEASURE | typeof STOP {
  return isMeasure(word) ? MEASURE : isStopWord(word) ? STOP : CONTENT;
}

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);

/** Whether a word is a number or unit, and so describes the amount and not the product. */
export const isMeasure = (word: string): boolean => isNumber(word) || UNIT_OF.has(singularOf(word));

export const isNumber = (word: string): boolean => DIGITS.test(word);

/** Returns the stem of a unit's name; undefined for other words. */
export const unitOf = (word: string): string | undefined => UNIT_OF.get(singularOf(word)) ?? UNIT_OF.get(word);

/** Returns the stem of a word for comparison. All names of a unit have the same, and a word and its abbreviation. */
export const stemOf = (word: string): string => unitOf(word) ?? ABBREVIATIONS.get(word) ?? singularOf(word);

/**
 * Returns the words of a product name, category or query: `splitWords`, with numbers and letters separated ("12oz"
 * equals "12 oz"), and "2%" spelled out to differ from the 2 of "1/2".
 */
export const productWordsOf = (text: string): string[] => plainWordsOf(text) ?? foldedWordsOf(text);

/** Splits short plain text without normalization, which is faster; undefined for other text. */
function plainWordsOf(text: string): string[] | undefined {
  if (text.length > MAX_TEXT_LENGTH || !PLAIN_TEXT.test(text)) return undefined;
  const words = text.toLowerCase().match(PLAIN_PARTS) ?? [];
  return words.length > MAX_WORDS ? undefined : words;
}

function foldedWordsOf(text: string): string[] {
  const words: string[] = [];
  for (const word of splitWords(text.replace(PERCENT, ' percent '))) {
    const parts = word.match(PARTS) ?? [];
    for (const part of parts) words.push(part);
  }
  return words;
}

/** Returns the position of the last content word; -1 if there is none. */
export function headPosition(words: readonly string[]): number {
  return words.findLastIndex((word) => !isStopWord(word) && !isMeasure(word));
}

/** Counts a name's words (`productWordsOf`) before the first separator; all if there is none. */
export function countWordsBefore(mark: RegExp, name: string, count: number): number {
  const end = name.search(mark);
  return end <= 0 ? count : Math.min(count, productWordsOf(name.slice(0, end)).length);
}
