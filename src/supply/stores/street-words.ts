/** Equivalent forms of a word in addresses, the written-out one first. */
type Forms = readonly (readonly string[])[];

const TYPES: Forms = [
  ['alley', 'aly'],
  ['avenue', 'ave', 'av'],
  ['boulevard', 'blvd', 'boul'],
  ['circle', 'cir'],
  ['crescent', 'cres'],
  ['court', 'ct'],
  ['drive', 'dr'],
  ['expressway', 'expy'],
  ['highway', 'hwy'],
  ['lane', 'ln'],
  ['parkway', 'pkwy'],
  ['place', 'pl'],
  ['plaza', 'plz'],
  ['road', 'rd'],
  ['square', 'sq'],
  ['street', 'st'],
  ['terrace', 'ter'],
  ['trail', 'trl'],
];

const DIRECTIONS: Forms = [
  ['east', 'e'],
  ['north', 'n'],
  ['northeast', 'ne'],
  ['northwest', 'nw'],
  ['south', 's'],
  ['southeast', 'se'],
  ['southwest', 'sw'],
  ['west', 'w'],
];

export const STREET_WORDS: Forms = [...TYPES, ...DIRECTIONS, ['fort', 'ft'], ['mount', 'mt']];

/** Types of streets, written out. */
export const STREET_TYPES: ReadonlySet<string> = new Set(TYPES.map(([whole = '']) => whole));

/** `St. Charles Ave` and `Saint Charles Ave` compare equal as well. */
const SAINT = ['street', 'saint', 'sainte', 'ste'];
const WRITTEN_OUT: ReadonlyMap<string, string> = new Map(
  [...STREET_WORDS, SAINT].flatMap(([whole = '', ...forms]) => forms.map((form) => [form, whole] as const)),
);

/** `N.W.` is split into two words. */
const TWO_DIRECTIONS = /\b(north|south) (east|west)\b/g;

/** Returns the words as they are written out, so that `st` and `street`, `N.W.` and `Northwest` compare equal. */
export function writeOutStreet(words: readonly string[]): string[] {
  const text = words.map((word) => WRITTEN_OUT.get(word) ?? word).join(' ');
  return text === '' ? [] : text.replaceAll(TWO_DIRECTIONS, '$1$2').split(' ');
}
