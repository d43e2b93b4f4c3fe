import { withoutWhere } from '../../lib/text/where-words.ts';
import { ALL_STORES, type Groups } from './groups/store-group.ts';
import type { NameIndex } from './name.index.ts';
import { NAME_CLASSES, type NameClass, type NameMatch } from './name-classes.ts';

/** The names that a text matches (null: the text names none), and the city that the stores must be in (null: any). */
export type TextMatch = { names: NameMatch | null; city: number | null };

/**
 * `isShown` tells whether a store of the name exists for the caller: a name of hidden stores alone is as if unknown.
 * `cityOf` gives the number of a city by its words; undefined where no store is in the city.
 */
type TextInputs = {
  names: Pick<NameIndex, 'match'>;
  isShown(nameId: number): boolean;
  cityOf(words: string): number | undefined;
};

/** Where no name matches the text, its words for a location are taken out: "near me", or a city after the name. */
export function matchText(
  { names, isShown, cityOf }: TextInputs,
  words: readonly string[],
  autocomplete: boolean,
): TextMatch {
  if (words.length === 0) return { names: null, city: null };
  const match = names.match(words, autocomplete);
  if (!isEmpty(match, isShown)) return { names: match, city: null };
  for (const located of withoutWhere(words, (city) => cityOf(city) !== undefined)) {
    const found = names.match(located.words, false);
    const city = located.city === null ? null : (cityOf(located.city) ?? null);
    if (!isEmpty(found, isShown)) return { names: found, city };
  }
  return { names: match, city: null };
}

/** By relevance, better matches of the text come before nearer ones; any other sort ignores the quality of a match. */
export function groupsOf(match: NameMatch | null, isByRelevance: boolean): Groups {
  if (match === null) return ALL_STORES;
  if (!isByRelevance) return { count: 1, at: () => match.all() };
  return { count: NAME_CLASSES.length, at: (nameClass) => match.of(nameClass as NameClass) };
}

function isEmpty(match: NameMatch, isShown: (nameId: number) => boolean): boolean {
  return !NAME_CLASSES.some((nameClass) => match.of(nameClass).some(isShown));
}
