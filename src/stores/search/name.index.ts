import { grownUint32 } from '../../lib/columns/grow.ts';
import { createIntLists, type IntLists } from '../../lib/columns/int-lists.ts';
import { createSequenceInterner, type Run, runOf } from '../../lib/columns/sequence-interner.ts';
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
  /** The number of the name of these words, which is held until `release`; the words are numbers, held too. */
  acquire(termIds: Run): number;
  release(nameId: number): void;
  /** Gives stores without a name names that are held. */
  placeAll(ordinals: Uint32Array, nameIds: Uint32Array): void;
  /** Makes room for the names of so many stores in all. */
  reserve(stores: number): void;
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
  const names = createSequenceInterner();
  const terms = createTermDictionary({ bucketLetters: 3 });
  const postings = createIntLists();
  const stores = createIntLists();
  const matcher = createNameMatcher({ names: names.sequences, terms, postings, isShown: () => shownAmong(stores) });
  let changes = 0;

  const index: NameIndex = {
    stores,
    nameOf: new Uint32Array(1024),
    set(ordinal, name) {
      const words = wordsOf(name);
      const known = idOf(words);
      if (known !== undefined && index.nameOf[ordinal] === known) return;
      const id = known === undefined ? addWords(words) : known;
      if (known !== undefined) names.hold(known);
      index.clear(ordinal);
      put(ordinal, id);
    },
    acquireWord: terms.acquire,
    releaseWord: terms.release,
    acquire(run) {
      const { id, isNew } = names.acquire(run);
      if (!isNew) return id;
      for (let at = run.from; at < run.end; at += 1) terms.hold(run.data[at] as number);
      addName(id, run);
      return id;
    },
    release,
    placeAll(ordinals, nameIds) {
      names.holdAll(nameIds);
      for (let nth = 0; nth < ordinals.length; nth += 1) put(ordinals[nth] as number, nameIds[nth] as number);
    },
    reserve(count) {
      names.reserve(count);
      if (count > index.nameOf.length) index.nameOf = grownUint32(index.nameOf, count);
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
    idOf: (name) => idOf(wordsOf(name)),
    get ceiling() {
      return names.ceiling;
    },
    get changes() {
      return changes;
    },
  };

  function release(id: number): void {
    const termIds = names.release(id);
    if (termIds !== null) dropName(id, termIds);
  }

  function idOf(words: readonly string[]): number | undefined {
    const termIds = words.map(terms.idOf);
    return termIds.every((termId) => termId !== undefined) ? names.idOf(runOf(termIds)) : undefined;
  }

  /** The number of a name that is new. */
  function addWords(words: readonly string[]): number {
    const termIds = runOf(words.map(terms.acquire));
    const { id } = names.acquire(termIds);
    addName(id, termIds);
    return id;
  }

  /** The store holds the name already. */
  function put(ordinal: number, id: number): void {
    if (ordinal >= index.nameOf.length) index.nameOf = grownUint32(index.nameOf, ordinal + 1);
    changes += 1;
    index.nameOf[ordinal] = id;
    stores.add(id, ordinal);
  }

  /** The name holds each of its terms as often as the name has the word. */
  function addName(id: number, run: Run): void {
    const { data, from, end } = run;
    for (let at = from; at < end; at += 1) if (isFirst(run, at)) postings.add(data[at] as number, id);
    matcher.changeName(id, run);
  }

  function dropName(id: number, termIds: readonly number[]): void {
    const distinct = [...new Set(termIds)];
    for (const termId of distinct) postings.remove(termId, id);
    matcher.changeName(id, runOf(distinct));
    for (const termId of termIds) terms.release(termId);
  }

  return index;
}

/** Whether a run has its number at an index for the first time. */
function isFirst({ data, from }: Run, at: number): boolean {
  for (let before = from; before < at; before += 1) if (data[before] === data[at]) return false;
  return true;
}
