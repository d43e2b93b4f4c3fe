import type { Place } from '../imports/open-data/place.ts';
import { grownUint8, grownUint32 } from '../lib/columns/grow.ts';
import { createIntLists, type IntLists } from '../lib/columns/int-lists.ts';
import { wordsOf } from '../lib/text/normalise-text.ts';
import { createTermDictionary, EXACT, PREFIX, type TermMatches, TYPO } from '../lib/text/term-dictionary.ts';

/** The ways to match a word, best first; a word counts once, by its best way. */
const WAYS = [
  { field: 'name', matchClass: EXACT, weight: 10 },
  { field: 'name', matchClass: PREFIX, weight: 8 },
  { field: 'other', matchClass: EXACT, weight: 6 },
  { field: 'name', matchClass: TYPO, weight: 5 },
  { field: 'other', matchClass: PREFIX, weight: 4 },
  { field: 'other', matchClass: TYPO, weight: 3 },
] as const;

/** Weight of the best way: words that all match so weigh this times their number. */
const MAX_WEIGHT = 10;

/** A place that matches some words of a query. */
export type PlaceMatch = {
  ordinal: number;
  /** Number of words that match. */
  matched: number;
  /** From 0 to 1: how well those words match. */
  quality: number;
  /** Number of words that match the name or the chain without a typo. */
  inName: number;
  typos: number;
  /** Whether the query has every word of the name, without a typo. */
  isWholeName: boolean;
};

/** Places by the terms of their names and of their other words. */
type PlaceTerms = {
  add(ordinal: number, words: PlaceWords): void;
  /** Whether some place has the word. */
  has(word: string): boolean;
  /**
   * Visits every place that matches at least one of the words, of which there are at most 25; the last word may be
   * unfinished. The visitor gets the same object each time, since a query may match millions of places.
   */
  visit(words: readonly string[], visitor: (match: PlaceMatch) => void): void;
};

export function createPlaceTerms(): PlaceTerms {
  const terms = createTermDictionary({ typoInFirstLetter: false });
  const lists: Record<'name' | 'other', IntLists> = { name: createIntLists(), other: createIntLists() };
  let nameLengths = new Uint8Array(1024);
  /** Scratch of `visit`, which clears the entries of the call before; `seen` is one more than the number of the last word that matched. */
  let seen = new Uint8Array(1024);
  let matched = new Uint8Array(1024);
  let inName = new Uint8Array(1024);
  let typos = new Uint8Array(1024);
  let weights = new Uint8Array(1024);
  let touched = new Uint32Array(1024);
  let touchedCount = 0;

  function makeRoom(ordinal: number): void {
    if (ordinal < nameLengths.length) return;
    nameLengths = grownUint8(nameLengths, ordinal + 1);
    seen = grownUint8(seen, ordinal + 1);
    matched = grownUint8(matched, ordinal + 1);
    inName = grownUint8(inName, ordinal + 1);
    typos = grownUint8(typos, ordinal + 1);
    weights = grownUint8(weights, ordinal + 1);
    touched = grownUint32(touched, ordinal + 1);
  }

  function matchWord(matches: TermMatches, nth: number): void {
    for (const way of WAYS) {
      for (const termId of matches[way.matchClass]) matchTerm(lists[way.field], termId, nth, way);
    }
  }

  function matchTerm(
    { data, starts, counts }: IntLists,
    termId: number,
    nth: number,
    { field, matchClass, weight }: (typeof WAYS)[number],
  ): void {
    const start = starts[termId] ?? 0;
    const end = start + (counts[termId] ?? 0);
    for (let i = start; i < end; i += 1) {
      const ordinal = data[i] as number;
      const before = seen[ordinal] as number;
      if (before === nth + 1) continue;
      if (before === 0) {
        touched[touchedCount] = ordinal;
        touchedCount += 1;
      }
      seen[ordinal] = nth + 1;
      matched[ordinal] = (matched[ordinal] as number) + 1;
      weights[ordinal] = (weights[ordinal] as number) + weight;
      if (matchClass === TYPO) typos[ordinal] = (typos[ordinal] as number) + 1;
      else if (field === 'name') inName[ordinal] = (inName[ordinal] as number) + 1;
    }
  }

  function clear(): void {
    for (let i = 0; i < touchedCount; i += 1) {
      const ordinal = touched[i] as number;
      seen[ordinal] = 0;
      matched[ordinal] = 0;
      inName[ordinal] = 0;
      typos[ordinal] = 0;
      weights[ordinal] = 0;
    }
    touchedCount = 0;
  }

  const shown: PlaceMatch = { ordinal: 0, matched: 0, quality: 0, inName: 0, typos: 0, isWholeName: false };

  function show(ordinal: number): PlaceMatch {
    shown.ordinal = ordinal;
    shown.matched = matched[ordinal] as number;
    shown.quality = (weights[ordinal] as number) / (shown.matched * MAX_WEIGHT);
    shown.inName = inName[ordinal] as number;
    shown.typos = typos[ordinal] as number;
    shown.isWholeName = shown.inName >= (nameLengths[ordinal] as number);
    return shown;
  }

  return {
    add(ordinal, { name, other, nameLength }) {
      makeRoom(ordinal);
      nameLengths[ordinal] = nameLength;
      for (const word of name) lists.name.add(terms.acquire(word), ordinal);
      for (const word of other) lists.other.add(terms.acquire(word), ordinal);
    },
    has: (word) => terms.idOf(word) !== undefined,
    visit(words, visitor) {
      clear();
      for (const [nth, word] of words.entries()) {
        matchWord(terms.match(word, nth === words.length - 1), nth);
      }
      for (let i = 0; i < touchedCount; i += 1) visitor(show(touched[i] as number));
    },
  };
}

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
type PlaceWords = {
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
