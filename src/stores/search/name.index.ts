import { grownUint32 } from '../../lib/columns/grow.ts';
import { createIntLists, type IntLists } from '../../lib/columns/int-lists.ts';
import { createInterner } from '../../lib/columns/interner.ts';
import { wordsOf } from '../../lib/text/normalise-text.ts';
import { createTermDictionary } from '../../lib/text/term-dictionary.ts';
import { createNameMatcher } from './match-names.index.ts';
import type { NameMatch } from './name-classes.ts';

/**
 * Names by their terms. Stores of one chain share one name number, so that a search matches each distinct name once;
 * `stores` lists the ordinals of the stores of a name, `nameOf` has the name of each ordinal, 0 for none.
 */
export type NameIndex = {
  readonly stores: IntLists;
  nameOf: Uint32Array;
  /** Sets the name of a store, in place of its last name. */
  set(ordinal: number, name: string): void;
  clear(ordinal: number): void;
  /** The number of a word, which is held until `releaseWord`. */
  acquireWord(word: string): number;
  releaseWord(termId: number): void;
  /** The number of the name of these words, which is held until `release`; `termIds` are the words' numbers, held too. */
  acquire(words: readonly string[], termIds: readonly number[]): number;
  release(nameId: number): void;
  /** Gives a store without a name a name that is held. */
  place(ordinal: number, nameId: number): void;
  /** Called when stores that some searches leave out have come, gone or changed. */
  forgetMatches(): void;
  /**
   * Names with a term for each word of the query; with `lastIsPrefix` the last word may be unfinished. After them come
   * the names that rewrites of the query match (`rewritesOf`); where there is no shown name of either kind, the names
   * that loose rewrites match (`looseRewritesOf`).
   */
  match(words: readonly string[], lastIsPrefix: boolean): NameMatch;
  /** Number of the name with the same words in the same sequence; undefined where no store has it. */
  idOf(name: string): number | undefined;
  /** One more than the highest name number in use. */
  readonly ceiling: number;
  /** How often a store has got another name, or lost its name. */
  readonly changes: number;
};

/** `shownAmong` tells of the stores of each name whether everyone's searches show the name. */
export function createNameIndex(
  shownAmong: (stores: IntLists) => (nameId: number) => boolean = () => () => true,
): NameIndex {
  const names = createInterner();
  const terms = createTermDictionary({ bucketLetters: 3 });
  const postings = createIntLists();
  const stores = createIntLists();
  const matcher = createNameMatcher({ names, terms, postings, isShown: () => shownAmong(stores) });
  let changes = 0;

  const index: NameIndex = {
    stores,
    nameOf: new Uint32Array(1024),
    set(ordinal, name) {
      const words = wordsOf(name);
      const { id, isNew } = names.acquire(words.join(' '));
      if (isNew) addName(id, words.map(terms.acquire));
      if (index.nameOf[ordinal] === id) {
        names.release(id);
        return;
      }
      index.clear(ordinal);
      put(ordinal, id);
    },
    acquireWord: terms.acquire,
    releaseWord: terms.release,
    acquire(words, termIds) {
      const { id, isNew } = names.acquire(words.join(' '));
      if (!isNew) return id;
      for (const termId of termIds) terms.hold(termId);
      addName(id, termIds);
      return id;
    },
    release,
    place(ordinal, id) {
      names.hold(id);
      put(ordinal, id);
    },
    clear(ordinal) {
      const id = index.nameOf[ordinal] ?? 0;
      if (id === 0) return;
      changes += 1;
      stores.remove(id, ordinal);
      release(id);
      index.nameOf[ordinal] = 0;
    },
    forgetMatches: () => matcher.forget(),
    match: matcher.match,
    idOf: (name) => names.idOf(wordsOf(name).join(' ')),
    get ceiling() {
      return names.ceiling;
    },
    get changes() {
      return changes;
    },
  };

  function release(id: number): void {
    const key = names.keyOf(id);
    if (names.release(id)) dropName(id, key.split(' '));
  }

  /** The store holds the name already. */
  function put(ordinal: number, id: number): void {
    if (ordinal >= index.nameOf.length) index.nameOf = grownUint32(index.nameOf, ordinal + 1);
    changes += 1;
    index.nameOf[ordinal] = id;
    stores.add(id, ordinal);
  }

  /** The name holds each of its terms as often as the name has the word. */
  function addName(id: number, termIds: readonly number[]): void {
    const distinct = distinctOf(termIds);
    for (const termId of distinct) postings.add(termId, id);
    matcher.changeName(id, distinct);
  }

  function dropName(id: number, words: readonly string[]): void {
    const termIds = words.map((word) => terms.idOf(word)).filter((termId) => termId !== undefined);
    const distinct = distinctOf(termIds);
    for (const termId of distinct) postings.remove(termId, id);
    matcher.changeName(id, distinct);
    for (const termId of termIds) terms.release(termId);
  }

  return index;
}

/** Most names have no word twice. */
function distinctOf(termIds: readonly number[]): readonly number[] {
  const isTwice = termIds.some((termId, nth) => termIds.indexOf(termId) !== nth);
  return isTwice ? [...new Set(termIds)] : termIds;
}
