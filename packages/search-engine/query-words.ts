import { memoized } from 'doorstep/collections';
import { isEverydayName } from './everyday-names.ts';
import { PLACE, type Term } from './term-dictionary.ts';
import { singularOf } from './text/singular.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Phrases that say nothing about a store: every search is near a coordinate. */
const FILLERS: ReadonlySet<string> = new Set([
  ...['the', 'hours', 'menu', 'locations'],
  ...['near me', 'nearby', 'near by', 'near here', 'nearest', 'around me', 'around here', 'close to me', 'close by'],
  ...['closest', 'open now', 'pres de moi', 'pres de chez moi', 'pres d ici', 'ouvert maintenant', 'cerca de mi'],
  ...['cerca de aqui', 'mas cercano', 'mas cercana', 'abierto ahora'],
]);
/** Words of judgment and time: they say nothing alongside others, unless a store's name has them all. */
const JUDGMENTS: ReadonlySet<string> = new Set([
  ...['best', 'good', 'great', 'nice', 'cheap', 'cheapest', 'affordable', 'inexpensive', 'popular', 'recommended'],
  ...['top', 'top rated', 'best rated', 'highest rated', 'highly rated', 'favorite', 'tasty', 'delicious', 'decent'],
  ...['late', 'late night', 'open late', 'all night', 'still open', 'now', 'right now', 'today', 'tonight', 'eats'],
  ...['24 hour', '24 hours', '24 hr', '24 hrs', '24hr', '24hrs', '24h', '24 7', 'open 24 hours', 'open 24 7'],
  ...['lunch', 'dinner', 'supper', 'for lunch', 'for dinner', 'for breakfast', 'in town', 'in my area', 'local'],
  ...['place', 'places', 'place to eat', 'places to eat', 'places to go', 'where to eat', 'somewhere to eat', 'to eat'],
  ...['spot', 'spots', 'joint', 'joints', 'kid friendly', 'kids friendly', 'family friendly', 'for kids', 'with kids'],
  ...['meilleur', 'meilleure', 'meilleurs', 'meilleures', 'bon', 'bonne', 'bons', 'bonnes', 'abordable', 'populaire'],
  ...['pas cher', 'pas chere', 'pas chers', 'bon marche', 'mieux note', 'mieux notes', 'bien note', 'tard', 'ce soir'],
  ...['ouvert tard', '24 heures', '24h sur 24', 'midi', 'souper', 'ou manger', 'pour enfants', 'pour les enfants'],
  ...['mejor', 'mejores', 'buen', 'bueno', 'buena', 'buenos', 'buenas', 'barato', 'barata', 'baratos', 'baratas'],
  ...['economico', 'economica', 'mejor valorado', 'mejor calificado', 'tarde', 'hasta tarde', '24 horas', 'almuerzo'],
  ...['cena', 'esta noche', 'donde comer', 'lugares para comer', 'lugar para comer', 'para ninos', 'para familias'],
]);
const OPEN_NOW: ReadonlySet<string> = new Set(['open now', 'ouvert maintenant', 'abierto ahora']);
/** Fillers only where a query has no other words. */
const ALONE: ReadonlySet<string> = new Set(['open', 'ouvert', 'abierto', 'near', 'me', 'what s', 'whats']);
/** By themselves they ask for the best rated stores. */
const BEST = /\b(?:best|top|highest rated|highly rated|meilleure?s?|mieux notes?|bien note|mejor(?:es)?)\b/;
/** Words that say nothing before a place: "pizza in boston". */
const PREPOSITIONS: ReadonlySet<string> = new Set(['in', 'near', 'at', 'around', 'a', 'en', 'cerca']);
const MAX_PHRASE_WORDS = 4;
const ALL_FILLERS: ReadonlySet<string> = new Set([...FILLERS, ...JUDGMENTS, ...ALONE]);
const FILLER_STARTS: ReadonlySet<string> = new Set([...ALL_FILLERS].map((phrase) => phrase.split(' ')[0] as string));
const MAX_KNOWN_WORDS = 4096;
const knownSingularOf = memoized(singularOf, MAX_KNOWN_WORDS);

type KeptWords = { words: readonly string[]; isOpenNow: boolean; endsAsTyped: boolean };
/** A query without words that say nothing, and whether they said "open now"; `judged` has its judgments, too. */
export type ReadQuery = KeptWords & { judged: readonly string[] };

/** Returns the request in a query of only fillers: open stores, the best rated, or any; null if it has other words. */
export function readFillers(typed: readonly string[]): { open: boolean; isBest: boolean } | null {
  const { words } = leaveOut(typed, ALL_FILLERS);
  // "Lunch" by itself is a kind of store.
  if (words.length > 0 || areEverydayNames(typed).includes(true)) return null;
  const text = typed.join(' ');
  return { open: /\b(?:open|ouvert|abierto)\b/.test(text), isBest: BEST.test(text) };
}

/** The stores' facts: `isNamed` says whether the query with its judgments names a store missed without them. */
export type QueryFacts = {
  isPlace: (place: string) => boolean;
  isNamed: (words: readonly string[], others: readonly string[]) => boolean;
};

/** Leaves out the words that say nothing, unless the query has no others. */
export function readQuery(typed: readonly string[], { isPlace, isNamed }: QueryFacts): ReadQuery {
  const plain = unlessEmpty(typed, leaveOut(typed, FILLERS, isPlace));
  const judged = plain.words;
  const others = unlessEmpty(judged, leaveOut(judged, JUDGMENTS));
  if (others.words.length === judged.length || isNamed(judged, others.words)) return { ...plain, judged };
  return { ...plain, judged, words: others.words, endsAsTyped: plain.endsAsTyped && others.endsAsTyped };
}

const unlessEmpty = (typed: readonly string[], kept: KeptWords): KeptWords =>
  kept.words.length > 0 ? kept : { words: typed, isOpenNow: false, endsAsTyped: true };

function leaveOut(
  typed: readonly string[],
  fillers: ReadonlySet<string>,
  isPlace: (place: string) => boolean = () => false,
): KeptWords {
  const words: string[] = [];
  let isOpenNow = false;
  let end = 0;
  for (let at = 0; at < typed.length; at += 1) {
    const phrases = FILLER_STARTS.has(typed[at] as string) ? phrasesFrom(typed, at) : [];
    const filler = phrases.findLastIndex((phrase) => fillers.has(phrase));
    if (filler >= 0) {
      isOpenNow ||= OPEN_NOW.has(phrases[filler] as string);
      at += filler;
    } else if (!PREPOSITIONS.has(typed[at] as string) || !phrasesFrom(typed, at + 1).some(isPlace)) {
      end = words.push(typed[at] as string) && at + 1;
    }
  }
  return { words, isOpenNow, endsAsTyped: end === typed.length };
}

/** Returns the kinds and places that each word names, by itself or with its neighbors: "ice cream", "new york". */
export function factsOfWords(words: readonly string[], vocabulary: Vocabulary): readonly (readonly Term[])[] {
  const facts = words.map((): Term[] => []);
  const kinds = words.map(knownSingularOf);
  for (let at = 0; at < words.length; at += 1) {
    const limit = vocabulary.startsPhrase(words[at] as string, kinds[at] as string) ? MAX_PHRASE_WORDS : 1;
    const kindPhrases = phrasesFrom(kinds, at, limit);
    for (const [more, phrase] of phrasesFrom(words, at, limit).entries()) {
      const place = vocabulary.find(PLACE, phrase);
      const named = [...(place === undefined ? [] : [place]), ...vocabulary.kindsNamed(kindPhrases[more] as string)];
      for (const list of facts.slice(at, at + more + 1)) list.push(...named.filter((term) => !list.includes(term)));
    }
  }
  return facts;
}

/** Returns whether each word is part of an everyday name of a kind of store, by itself or with its neighbors. */
export function areEverydayNames(words: readonly string[]): readonly boolean[] {
  const kinds = words.map(knownSingularOf);
  return words.map((_, nth) =>
    kinds.some(
      (_, at) =>
        at <= nth &&
        phrasesFrom(kinds, at)
          .slice(nth - at)
          .some(isEverydayName),
    ),
  );
}

/** Returns the phrases that start at a word, from one word up to `limit` words. */
export function phrasesFrom(words: readonly string[], at: number, limit = MAX_PHRASE_WORDS): string[] {
  const phrases: string[] = [];
  const end = Math.min(words.length, at + limit);
  for (let nth = at; nth < end; nth += 1) {
    phrases.push(nth === at ? (words[nth] as string) : `${phrases.at(-1)} ${words[nth]}`);
  }
  return phrases;
}
