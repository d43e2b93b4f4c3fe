import { grownUint8, grownUint32 } from '../../lib/columns/grow.ts';
import { createIntLists } from '../../lib/columns/int-lists.ts';
import { createTermDictionary, PREFIX, type TermDictionary, TYPO } from '../../lib/text/term-dictionary.ts';
import { isMeasure, stemOf, wordKindOf } from './product-words.ts';
import { EXACT, MISSPELT, PLURAL, type TermMatches, UNFINISHED } from './term-matches.ts';
import { type NameWord, nameWordOf } from './word-roles.ts';

/**
 * The terms that all product indexes in memory share. A number stands for its term while some product index holds the
 * term: a caller may use the numbers of an index for as long as it has the index.
 */
export type ProductTerms = {
  acquire(term: string): number;
  release(termId: number): void;
  termOf(termId: number): string;
  /** `CONTENT`, `MEASURE` or `STOP`. */
  kindOf(termId: number): number;
  nameWordOf(termId: number): NameWord;
  /** Terms that match a word. `maxTypos` are forgiven; without it, as many as the word's length allows. */
  match(word: string, mayBeUnfinished: boolean, maxTypos?: number): TermMatches;
  /** Numbers of the terms that are the word in singular or plural. */
  formsOf(word: string): Uint32Array;
  /** Terms held, and stems of terms. */
  readonly size: number;
};

/** No term has this number. */
const NONE = 0;

export function createProductTerms(): ProductTerms {
  const dictionary = createTermDictionary();
  const forms = createForms(dictionary);
  return {
    acquire: forms.acquire,
    release: forms.release,
    termOf: dictionary.termOf,
    kindOf: forms.kindOf,
    nameWordOf: forms.nameWordOf,
    match: (word, mayBeUnfinished, maxTypos) => matchTerms(dictionary, forms, { word, mayBeUnfinished, maxTypos }),
    formsOf: (word) => forms.ofStem(dictionary.idOf(stemOf(word))),
    get size() {
      return dictionary.size;
    },
  };
}

type Forms = ReturnType<typeof createForms>;

/** The terms of each stem. The dictionary has terms and stems alike: its terms hold a stem, which may be no term itself. */
function createForms(dictionary: TermDictionary) {
  const termsOfStem = createIntLists();
  let stems = new Uint32Array(1024);
  let holders = new Uint32Array(1024);
  let kinds = new Uint8Array(1024);
  const nameWords: NameWord[] = [];
  return {
    acquire(term: string): number {
      const id = dictionary.acquire(term);
      if (id >= stems.length) {
        stems = grownUint32(stems, id + 1);
        holders = grownUint32(holders, id + 1);
        kinds = grownUint8(kinds, id + 1);
      }
      holders[id] = (holders[id] as number) + 1;
      if (holders[id] === 1) {
        const word = nameWordOf(term);
        const stem = dictionary.acquire(word.stem);
        stems[id] = stem;
        kinds[id] = wordKindOf(term);
        nameWords[id] = word;
        termsOfStem.add(stem, id);
      }
      return id;
    },
    release(termId: number): void {
      const left = (holders[termId] as number) - 1;
      holders[termId] = left;
      if (left === 0) {
        const stem = stems[termId] as number;
        termsOfStem.remove(stem, termId);
        dictionary.release(stem);
      }
      dictionary.release(termId);
    },
    kindOf: (termId: number): number => kinds[termId] as number,
    nameWordOf: (termId: number): NameWord => nameWords[termId] as NameWord,
    /** False for a number that is only the stem of terms. */
    isTerm: (id: number): boolean => id < holders.length && (holders[id] as number) > 0,
    ofStem(stemId = NONE): Uint32Array {
      const start = termsOfStem.starts[stemId] ?? 0;
      return termsOfStem.data.subarray(start, start + (termsOfStem.counts[stemId] ?? 0));
    },
  };
}

type SearchedWord = { word: string; mayBeUnfinished: boolean; maxTypos: number | undefined };

/** A term counts once, by its best grade. */
function matchTerms(
  dictionary: TermDictionary,
  forms: Forms,
  { word, mayBeUnfinished, maxTypos }: SearchedWord,
): TermMatches {
  const grades = new Map<number, number>();
  const offer = (termIds: Iterable<number>, grade: number): void => {
    for (const id of termIds) if (forms.isTerm(id) && grade < (grades.get(id) ?? Infinity)) grades.set(id, grade);
  };
  const stem = stemOf(word);
  offer([dictionary.idOf(word) ?? NONE], EXACT);
  // All names of a unit are equal, and no number is a typo of another number.
  const isAmount = isMeasure(word);
  const typos = isAmount ? 0 : maxTypos;
  offer(forms.ofStem(dictionary.idOf(stem)), isAmount ? EXACT : PLURAL);
  const near = dictionary.match(word, mayBeUnfinished, typos);
  offer(near[PREFIX], UNFINISHED);
  offer(near[TYPO], MISSPELT);
  for (const id of dictionary.match(stem, false, typos)[TYPO]) offer(forms.ofStem(id), MISSPELT);
  const termIds = Uint32Array.from(grades.keys()).sort();
  return { termIds, grades: Uint8Array.from(termIds, (id) => grades.get(id) as number) };
}
