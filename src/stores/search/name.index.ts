import { grownUint32 } from '../../lib/columns/grow.ts';
import { createIntLists, type IntLists } from '../../lib/columns/int-lists.ts';
import { createSequenceInterner, type Run, runOf } from '../../lib/columns/sequence-interner.ts';
import { createUint32List, numbersOf, type Uint32List } from '../../lib/columns/uint32-list.ts';
import { wordsOf } from '../../lib/text/normalise-text.ts';
import { createTermDictionary } from '../../lib/text/term-dictionary.ts';
import type { RecentChanges } from './groups/recent-changes.index.ts';
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
  /** Begins to take in many names and their stores, which other calls see once `finish` has ended. */
  load(): NameLoad;
  /** Ends the load, in steps; the first call that needs its names would take as long. */
  finish(): Generator<void, void>;
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
};

export type NameLoad = {
  /** The number of a word, which is held until `releaseWord`. */
  acquireWord(word: string): number;
  releaseWord(termId: number): void;
  /** The number of the name of these words, numbers that are held, which comes once; it is held until `release`. */
  acquire(termIds: Run): number;
  release(nameId: number): void;
  /** Gives new stores, whose ordinals follow each other, names that are held. */
  placeAll(first: number, nameIds: Uint32Array): void;
};

/** Names that a step of a load's end takes. */
const NAMES_OF_STEP = 8192;

/**
 * `changes` hears of each store that gets another name or loses its name. `shownAmong` tells of the stores of each name
 * whether everyone's searches show the name.
 */
export function createNameIndex(
  changes: RecentChanges,
  shownAmong: (stores: IntLists) => (nameId: number) => boolean,
): NameIndex {
  const names = createSequenceInterner();
  const terms = createTermDictionary({ bucketLetters: 3 });
  const postings = createIntLists();
  const storesOf = createIntLists();
  const matcher = createNameMatcher({
    names: names.sequences,
    terms,
    postings,
    isShown: () => shownAmong(index.stores),
  });
  /** Names without postings, and stores that no list of their names has, as a load has left them. */
  let loadedNames = createUint32List();
  let [placedOrdinals, placedNames] = [createUint32List(), createUint32List()];
  /** The end of the load, once begun; each caller goes on with the same end. */
  let finishing: Generator<void, void> | undefined;

  const index: NameIndex = {
    get stores() {
      finishNow();
      return storesOf;
    },
    nameOf: new Uint32Array(1024),
    set(ordinal, name) {
      finishNow();
      const words = wordsOf(name);
      const known = idOf(words);
      if (known !== undefined && index.nameOf[ordinal] === known) return;
      const id = known === undefined ? addWords(words) : known;
      if (known !== undefined) names.hold(known);
      index.clear(ordinal);
      makeRoom(ordinal + 1);
      changes.note(ordinal);
      index.nameOf[ordinal] = id;
      storesOf.add(id, ordinal);
    },
    clear(ordinal) {
      finishNow();
      const id = index.nameOf[ordinal] ?? 0;
      if (id === 0) return;
      changes.note(ordinal);
      storesOf.remove(id, ordinal);
      release(id);
      index.nameOf[ordinal] = 0;
    },
    load,
    finish,
    reserve: makeRoom,
    forgetMatches: () => matcher.forget(),
    match(words, lastIsPrefix) {
      finishNow();
      return matcher.match(words, lastIsPrefix);
    },
    idOf(name) {
      finishNow();
      return idOf(wordsOf(name));
    },
    get ceiling() {
      return names.ceiling;
    },
  };

  function makeRoom(stores: number): void {
    if (stores > index.nameOf.length) index.nameOf = grownUint32(index.nameOf, stores);
  }

  function release(id: number): void {
    const termIds = names.release(id);
    if (termIds !== null) dropName(id, termIds);
  }

  function idOf(words: readonly string[]): number | undefined {
    const termIds = words.map(terms.idOf);
    return termIds.every((termId) => termId !== undefined) ? names.idOf(runOf(termIds)) : undefined;
  }

  /** The number of a name that is new; the name holds each of its terms as often as the name has the word. */
  function addWords(words: readonly string[]): number {
    const termIds = words.map(terms.acquire);
    const { id } = names.acquire(runOf(termIds));
    const distinct = [...new Set(termIds)];
    for (const termId of distinct) postings.add(termId, id);
    matcher.changeName(id, runOf(distinct));
    return id;
  }

  function dropName(id: number, termIds: readonly number[]): void {
    finishNow();
    const distinct = [...new Set(termIds)];
    for (const termId of distinct) postings.remove(termId, id);
    matcher.changeName(id, runOf(distinct));
    for (const termId of termIds) terms.release(termId);
  }

  function load(): NameLoad {
    finishNow();
    // A snapshot has each name once, so that no name of an empty index is looked for.
    const isEmpty = names.ceiling === 1;
    return {
      acquireWord: terms.acquire,
      releaseWord: terms.release,
      acquire(run) {
        const { id, isNew } = isEmpty ? { id: names.append(run), isNew: true } : names.acquire(run);
        if (!isNew) return id;
        for (let at = run.from; at < run.end; at += 1) terms.hold(run.data[at] as number);
        loadedNames.push(id);
        return id;
      },
      release,
      placeAll(first, nameIds) {
        names.holdAll(nameIds);
        changes.noteMany();
        makeRoom(first + nameIds.length);
        index.nameOf.set(nameIds, first);
        for (let at = 0; at < nameIds.length; at += 1) placedOrdinals.push(first + at);
        placedNames.append(nameIds);
      },
    };
  }

  function finish(): Generator<void, void> {
    finishing ??= finishSteps();
    return finishing;
  }

  function* finishSteps(): Generator<void, void> {
    const [own, ordinals, nameIds] = [loadedNames, placedOrdinals, placedNames];
    [loadedNames, placedOrdinals, placedNames] = [createUint32List(), createUint32List(), createUint32List()];
    yield* names.finish();
    yield* storesOf.addAll(numbersOf(nameIds), numbersOf(ordinals));
    const pairs = yield* postingsOf(numbersOf(own), names.sequences);
    yield* postings.addAll(numbersOf(pairs.termIds), numbersOf(pairs.nameIds));
    matcher.addNames(names.ceiling);
    finishing = undefined;
  }

  function finishNow(): void {
    if (placedOrdinals.length + loadedNames.length > 0 || finishing !== undefined) for (const _step of finish());
  }

  return index;
}

/** Each distinct term of each name, and beside the term the name. */
function* postingsOf(
  nameIds: Uint32Array,
  { data, starts, counts }: Pick<IntLists, 'data' | 'starts' | 'counts'>,
): Generator<void, Record<'termIds' | 'nameIds', Uint32List>> {
  const postings = { termIds: createUint32List(), nameIds: createUint32List() };
  for (const [nth, id] of nameIds.entries()) {
    const from = starts[id] ?? 0;
    const end = from + (counts[id] ?? 0);
    for (let at = from; at < end; at += 1) {
      // Words that a name has twice have one posting.
      if (data.indexOf(data[at] as number, from) < at) continue;
      postings.termIds.push(data[at] as number);
      postings.nameIds.push(id);
    }
    if (nth % NAMES_OF_STEP === 0) yield;
  }
  return postings;
}
