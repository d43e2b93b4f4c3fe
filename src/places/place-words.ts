import type { Place } from '../imports/open-data/place.ts';
import { wordsOf } from '../lib/text/normalise-text.ts';

/** A place is found by each form of a word, whichever form its address or the query has. */
const FORMS: readonly (readonly string[])[] = [
  ['avenue', 'ave', 'av'],
  ['boulevard', 'blvd', 'boul'],
  ['crescent', 'cres'],
  ['court', 'ct'],
  ['drive', 'dr'],
  ['highway', 'hwy'],
  ['lane', 'ln'],
  ['mount', 'mt'],
  ['parkway', 'pkwy'],
  ['place', 'pl'],
  ['road', 'rd'],
  ['square', 'sq'],
  ['street', 'st'],
  ['east', 'e'],
  ['north', 'n'],
  ['south', 's'],
  ['west', 'w'],
];

const OTHER_FORMS: ReadonlyMap<string, readonly string[]> = new Map(
  FORMS.flatMap((forms) => forms.map((form) => [form, forms.filter((other) => other !== form)])),
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
