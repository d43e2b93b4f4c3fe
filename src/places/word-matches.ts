import { grownUint8, grownUint32 } from '../lib/columns/grow.ts';
import { createIntLists, type IntLists } from '../lib/columns/int-lists.ts';
import { createVocabulary, EXACT, PREFIX, TYPO, type WordCandidates } from '../lib/text/vocabulary.ts';
import type { PlaceWords } from './place-words.ts';

/** How well a word is answered: best first, and a word counts once, by its best answer. */
const ANSWERS = [
  { field: 'name', matchClass: EXACT, weight: 10 },
  { field: 'name', matchClass: PREFIX, weight: 8 },
  { field: 'other', matchClass: EXACT, weight: 6 },
  { field: 'name', matchClass: TYPO, weight: 5 },
  { field: 'other', matchClass: PREFIX, weight: 4 },
  { field: 'other', matchClass: TYPO, weight: 3 },
] as const;

/** The weight of words all answered exactly by a name is this many times their number. */
const BEST_WEIGHT = 10;

/** One place that answers some words of a query. */
export type WordMatch = {
  ordinal: number;
  /** Words answered. */
  matched: number;
  /** From 0 to 1: how well those words are answered. */
  quality: number;
  /** Answered by the name or the chain, without a typo. */
  inName: number;
  typos: number;
  /** Every word of the name is one of the query's, and well written. */
  isWholeName: boolean;
};

/** Places by the words of their names and of what else tells of them. */
export type WordMatches = {
  add(ordinal: number, words: PlaceWords): void;
  /** Whether some place has the word. */
  knows(word: string): boolean;
  /**
   * Shows every place that answers at least one of the words, at most 25; the last one may be unfinished. It is the same
   * object each time, since there may be millions of them.
   */
  visit(words: readonly string[], visitor: (match: WordMatch) => void): void;
};

export function createWordMatches(): WordMatches {
  const vocabulary = createVocabulary();
  const lists: Record<'name' | 'other', IntLists> = { name: createIntLists(), other: createIntLists() };
  let nameLengths = new Uint8Array(1024);
  /** Scratch of `visit`, all zero between two of them; `seen` is one more than the last word answered. */
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

  function answerWord(candidates: WordCandidates, nth: number): void {
    for (const answer of ANSWERS) {
      for (const wordId of candidates[answer.matchClass]) answerWith(lists[answer.field], wordId, nth, answer);
    }
  }

  function answerWith(
    { data, starts, counts }: IntLists,
    wordId: number,
    nth: number,
    { field, matchClass, weight }: (typeof ANSWERS)[number],
  ): void {
    const start = starts[wordId] ?? 0;
    const end = start + (counts[wordId] ?? 0);
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

  const shown: WordMatch = { ordinal: 0, matched: 0, quality: 0, inName: 0, typos: 0, isWholeName: false };

  function show(ordinal: number): WordMatch {
    shown.ordinal = ordinal;
    shown.matched = matched[ordinal] as number;
    shown.quality = (weights[ordinal] as number) / (shown.matched * BEST_WEIGHT);
    shown.inName = inName[ordinal] as number;
    shown.typos = typos[ordinal] as number;
    shown.isWholeName = shown.inName >= (nameLengths[ordinal] as number);
    return shown;
  }

  return {
    add(ordinal, { name, other, nameLength }) {
      makeRoom(ordinal);
      nameLengths[ordinal] = nameLength;
      for (const word of name) lists.name.add(vocabulary.acquire(word), ordinal);
      for (const word of other) lists.other.add(vocabulary.acquire(word), ordinal);
    },
    knows: (word) => vocabulary.idOf(word) !== undefined,
    visit(words, visitor) {
      touchedCount = 0;
      for (const [nth, word] of words.entries()) {
        answerWord(vocabulary.candidates(word, nth === words.length - 1), nth);
      }
      for (let i = 0; i < touchedCount; i += 1) {
        const ordinal = touched[i] as number;
        visitor(show(ordinal));
        seen[ordinal] = 0;
        matched[ordinal] = 0;
        inName[ordinal] = 0;
        typos[ordinal] = 0;
        weights[ordinal] = 0;
      }
    },
  };
}
