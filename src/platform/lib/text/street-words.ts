/** Equivalent forms of a word in addresses, the written-out one first. */
export const STREET_WORDS: readonly (readonly string[])[] = [
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

const WRITTEN_OUT: ReadonlyMap<string, string> = new Map(
  STREET_WORDS.flatMap(([whole = '', ...forms]) => forms.map((form) => [form, whole] as const)),
);

/** Returns the word as it is written out, so that `st` and `street` compare equal. */
export function expandStreetWord(word: string): string {
  return WRITTEN_OUT.get(word) ?? word;
}
