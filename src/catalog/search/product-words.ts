import { wordsOf } from '../../lib/text/normalise-text.ts';

/** Words that never exclude a product, in English, French and Spanish. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and au aux avec con d de del des du el en et for in la las le les los of or the to w with y'.split(' '),
);

/** A unit's names, the first of which stands for all. */
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
const UNIT_OF: ReadonlyMap<string, string> = new Map(
  UNITS.flatMap((line) => {
    const names = line.split(' ');
    return names.map((name): [string, string] => [name, names[0] as string]);
  }),
);

/** Plurals that no rule of `singularOf` makes, and words whose last letter is no plural. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  [
    ['loaves', 'loaf'],
    ['leaves', 'leaf'],
    ['halves', 'half'],
    ['calves', 'calf'],
    ['knives', 'knife'],
    ['shelves', 'shelf'],
    ['scarves', 'scarf'],
    ['children', 'child'],
    ['men', 'man'],
    ['women', 'woman'],
    ['feet', 'foot'],
    ['teeth', 'tooth'],
    ['geese', 'goose'],
    ['mice', 'mouse'],
    ['news', 'news'],
    ['plus', 'plus'],
    ['mars', 'mars'],
    ['lens', 'lens'],
    ['lenses', 'lens'],
    ['buses', 'bus'],
  ].map(([plural, singular]): [string, string] => [plural as string, singular as string]),
);

const LEAST_PLURAL_LENGTH = 4;
const PLURAL_S = /(?<!s)s$/;
const PLURAL_X = /(?<=[ae]u|ou)x$/;
const DIGITS = /^\p{N}+$/u;
const PERCENT = /(?<=\p{N}\s?)%/gu;
const PARTS = /\p{N}+|[^\p{N}]+/gu;

/** Where the words that say what a product is end: "Milk, 2%", "Eggs - large", "Bread with raisins", "Pain de mie". */
const BRACKET = /[([]/;
const AFTER_HEAD = /[,(;:[/]| - | (?:with|w\/|de|du|des|au|aux|avec) /i;

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** A number, or a unit of what is measured: words that say how much, not what. */
export function isMeasure(word: string): boolean {
  return isNumber(word) || UNIT_OF.has(singularOf(word));
}

export function isNumber(word: string): boolean {
  return DIGITS.test(word);
}

/** The name that a unit goes by, whichever of its names it is; undefined for other words. */
export function unitOf(word: string): string | undefined {
  return UNIT_OF.get(singularOf(word)) ?? UNIT_OF.get(word);
}

/**
 * What a word and its plural have in common, English and French: `tomatoes`, `tomatos` and `tomato` are one, and so are
 * `berries` and `berry`, `loaves` and `loaf`, `gâteaux` and `gâteau`. It need not be a word ("cookies" gives "cooky"):
 * it is compared with nothing but its like. No other ending is cut, so that `organ` stays apart from `organic`.
 */
export function singularOf(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (word.length < LEAST_PLURAL_LENGTH) return word;
  const base = word.replace(PLURAL_S, '').replace(PLURAL_X, '');
  if (base.length < LEAST_PLURAL_LENGTH) return base;
  return base
    .replace(/ie$/, 'y')
    .replace(/oe$/, 'o')
    .replace(/(?<=ch|sh|x|ss|zz)e$/, '');
}

/** The same for words that are compared: units by all their names are one, too. */
export function stemOf(word: string): string {
  return unitOf(word) ?? singularOf(word);
}

/**
 * The words of a product's name, a category or a query: those of `wordsOf`, with numbers and letters apart, so that
 * "12oz" and "12 oz" are the same, and "2%" in words, so that it is not the 2 of "1/2".
 */
export function productWordsOf(text: string): string[] {
  const words: string[] = [];
  for (const word of wordsOf(text.replace(PERCENT, ' percent '))) {
    const parts = word.match(PARTS) ?? [];
    for (const part of parts) words.push(part);
  }
  return words;
}

/** The word of a list that says what is meant: the last that is neither a stop word nor a measure. -1 for none. */
export function headOf(words: readonly string[]): number {
  for (let at = words.length - 1; at >= 0; at -= 1) {
    const word = words[at] as string;
    if (!isStopWord(word) && !isMeasure(word)) return at;
  }
  return -1;
}

/** How many of a name's words, counted by `productWordsOf`, come before what tells its kind or size; all where none does. */
export function countHeadWords(name: string, count: number): number {
  return countBefore(name, AFTER_HEAD, count);
}

/** How many come before the first bracket: what stands in brackets is a remark, and no word of the name. */
export function countNameWords(name: string, count: number): number {
  return countBefore(name, BRACKET, count);
}

function countBefore(name: string, mark: RegExp, count: number): number {
  const end = name.search(mark);
  return end <= 0 ? count : Math.min(count, productWordsOf(name.slice(0, end)).length);
}
