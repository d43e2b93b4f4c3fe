import type { Place } from '../imports/open-data/place.ts';
import { wordsOf } from '../lib/text/normalise-text.ts';

/** A place is found by both forms, whichever form its address or the query has. */
const SHORT_FORMS: readonly (readonly [short: string, long: string])[] = [
  ['ave', 'avenue'],
  ['av', 'avenue'],
  ['blvd', 'boulevard'],
  ['boul', 'boulevard'],
  ['cres', 'crescent'],
  ['ct', 'court'],
  ['dr', 'drive'],
  ['hwy', 'highway'],
  ['ln', 'lane'],
  ['mt', 'mount'],
  ['pkwy', 'parkway'],
  ['pl', 'place'],
  ['rd', 'road'],
  ['sq', 'square'],
  ['st', 'street'],
  ['e', 'east'],
  ['n', 'north'],
  ['s', 'south'],
  ['w', 'west'],
];

const OTHER_FORMS: ReadonlyMap<string, string> = new Map(
  SHORT_FORMS.flatMap(([short, long]) => [
    [long, short],
    [short, long],
  ]),
);

/** The words that find a place. A word of the name or the chain is in `name` only. */
export type PlaceWords = {
  name: ReadonlySet<string>;
  /** Words of the address, the cuisines and the category. */
  other: ReadonlySet<string>;
  /** Number of words of the name itself. */
  nameLength: number;
};

export function placeWordsOf({ name, brand, address, cuisines, category }: Place): PlaceWords {
  const ownWords = new Set(wordsOf(name));
  const nameWords = new Set([...ownWords, ...wordsOf(brand ?? '')]);
  const { streetAddr, city, state, zipcode } = address;
  const addressWords = [streetAddr, city, state, zipcode].flatMap(wordsOf);
  const forms = addressWords.flatMap((word) => OTHER_FORMS.get(word) ?? []);
  // A Canadian postal code is typed with and without its space.
  const joined = wordsOf(zipcode).join('');
  const kinds = [...cuisines, category.replaceAll('_', ' ')].flatMap(wordsOf);
  const other = new Set([...addressWords, ...forms, ...(joined ? [joined] : []), ...kinds]);
  return { name: nameWords, other: other.difference(nameWords), nameLength: ownWords.size };
}
