import { MAX_TEXT_LENGTH } from 'doorstep/search-engine/text';
import { isNumber, isStopWord, productWordsOf, unitOf } from './product-words.ts';

/** Words of a size in a query: `1 lb`, `12 fl oz`, `1 2 gal`, `6 pack`, `pack 6`, `half gallon`, `dozen`. */
export type TypedSize = readonly string[];

/** Units that count pieces. */
const PACK_UNITS: ReadonlySet<string> = new Set(['ct', 'pk', 'dz', 'ea']);
const NUMBER_WORDS: ReadonlySet<string> = new Set(
  'half quarter one two three four five six seven eight nine ten twelve'.split(' '),
);

/**
 * Matches sizes in a text of signs: a pack, an amount (1, 1.5, 1 1/2, half) with a unit, or a unit. Signs without a
 * space between them come from one run of text: 10.5 is `nn`, and V8 is `wn`, whose 8 is not an amount.
 */
const SIZES = /(?<!w)(?:p ?n{1,2}(?! ?[nupf])|(?:n nn|n{1,2}|h) ?[upf](?: ?[upf])*)|[up](?: ?[up])*/g;

/** Parses the sizes in a text, in order. Stop words within them are ignored ("pack of 6", "gallon of milk"). */
export function parseTypedSizes(text: string): TypedSize[] {
  let signs = '';
  /** Words by the position of their sign; empty for a space. */
  const words: string[] = [];
  for (const run of text.slice(0, MAX_TEXT_LENGTH).split(/\s+/)) {
    const withoutStops = productWordsOf(run).filter((word) => !isStopWord(word));
    if (withoutStops.length === 0) continue;
    signs += ` ${withoutStops.map(signOf).join('')}`;
    words.push('', ...withoutStops);
  }
  return [...signs.matchAll(SIZES)].map(({ index, 0: { length } }) =>
    words.slice(index, index + length).filter((word) => word !== ''),
  );
}

/**
 * The kind of a word in `SIZES`: number, number word (half), pack, unit, `f`: a unit only next to a number, unlike in
 * "vitamin g" or "lighter fluid"; other word.
 */
function signOf(word: string): 'n' | 'h' | 'p' | 'u' | 'f' | 'w' {
  if (isNumber(word)) return 'n';
  if (NUMBER_WORDS.has(word)) return 'h';
  const unit = unitOf(word);
  // A percentage describes the product (2% milk), not its amount.
  if (unit === undefined || unit === 'percent') return 'w';
  if (PACK_UNITS.has(unit)) return 'p';
  return word.length === 1 || unit === 'fl' ? 'f' : 'u';
}
