/** A query without its location words, and the city they name; null stands for "near the coordinate". */
export type LocatedName = { words: readonly string[]; city: string | null };

/** Phrases for "near the coordinate of the search". */
const LOCATION_PHRASES: readonly string[] = [
  'near me',
  'nearby',
  'near by',
  'near here',
  'nearest',
  'around me',
  'around here',
  'close to me',
  'close by',
  'closest',
  'open now',
];
const MAX_CITY_WORDS = 4;
const STATE_LETTERS = 2;

/**
 * Interpretations of a query with a location: "near me" before or after the name, or a city after it, with or without
 * its state. `isCity`: whether a city with stores has this name.
 */
export function splitLocation(words: readonly string[], isCity: (city: string) => boolean): LocatedName[] {
  const found: LocatedName[] = [];
  for (const phrase of LOCATION_PHRASES) {
    const length = phrase.split(' ').length;
    if (length >= words.length) continue;
    if (words.slice(-length).join(' ') === phrase) found.push({ words: words.slice(0, -length), city: null });
    if (words.slice(0, length).join(' ') === phrase) found.push({ words: words.slice(length), city: null });
  }
  const hasState = (words.at(-1) ?? '').length === STATE_LETTERS;
  for (const end of hasState ? [words.length, words.length - 1] : [words.length]) {
    for (let length = 1; length <= MAX_CITY_WORDS && length < end; length += 1) {
      const city = words.slice(end - length, end).join(' ');
      if (isCity(city)) found.push({ words: withoutIn(words.slice(0, end - length)), city });
    }
  }
  return found;
}

/** Removes the "in" of "pizza in boston". */
function withoutIn(words: readonly string[]): readonly string[] {
  return words.length > 1 && words.at(-1) === 'in' ? words.slice(0, -1) : words;
}
