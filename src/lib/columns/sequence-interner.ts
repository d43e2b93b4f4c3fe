import { grownUint32 } from './grow.ts';
import { createHashTable, type HashTable, mixed } from './hash-table.ts';
import { createIntLists, type IntLists, listOf } from './int-lists.ts';

/** Numbers of an array, from an index up to another. */
export type Run = { data: ArrayLike<number>; from: number; end: number };

/**
 * Gives equal sequences of numbers one small number while it has a holder; a released number is given out again. Numbers
 * start at 1, so that 0 can mean no sequence. Nothing lies in the JavaScript heap.
 */
export type SequenceInterner = {
  /** By number: the sequence, as it was given. */
  readonly sequences: Readonly<Pick<IntLists, 'data' | 'starts' | 'counts'>>;
  /** `isNew` means that the sequence had no holder: the caller must set its data of that number. */
  acquire(run: Run): { id: number; isNew: boolean };
  /**
   * The number of a sequence that is known to be new, with one holder. It is found from then on, but the table of
   * sequences is made by `finish`, or by the first call that needs it.
   */
  append(run: Run): number;
  /** Makes the table of all sequences, in steps. Throws RangeError where a sequence was appended twice. */
  finish(): Generator<void, void>;
  /** Adds a holder to a number that has one. */
  hold(id: number): void;
  /** The same for each of the numbers, which may repeat. */
  holdAll(ids: Uint32Array): void;
  /** The sequence when the last holder released the number, which is free again then; null before that. */
  release(id: number): readonly number[] | null;
  idOf(run: Run): number | undefined;
  /** One more than the highest number ever given out. */
  readonly ceiling: number;
};

export function runOf(numbers: ArrayLike<number>): Run {
  return { data: numbers, from: 0, end: numbers.length };
}

export function createSequenceInterner(): SequenceInterner {
  const sequences = createIntLists();
  const table = createHashTable<Run>({ hashOf, isKeyOf: isSequence });
  const free: number[] = [];
  let holders = new Uint32Array(1024);
  let ceiling = 1;
  /** Numbers from this one up to the ceiling are in no table. */
  let appendedFrom = 1;
  /** The end of `append`, once begun; each caller goes on with the same end. */
  let finishing: Generator<void, void> | undefined;

  function isSequence(id: number, { data, from, end }: Run): boolean {
    if ((sequences.counts[id] ?? 0) !== end - from) return false;
    const start = (sequences.starts[id] as number) - from;
    for (let at = from; at < end; at += 1) if (sequences.data[start + at] !== data[at]) return false;
    return true;
  }

  function runAt(id: number): Run {
    const from = sequences.starts[id] ?? 0;
    return { data: sequences.data, from, end: from + (sequences.counts[id] ?? 0) };
  }

  function* finishSteps(): Generator<void, void> {
    const [from, end] = [appendedFrom, ceiling];
    appendedFrom = end;
    if (from < end) yield* table.addAll({ from, end, keyAt: runAt, onReplaced: refuse });
    finishing = undefined;
  }

  function finish(): Generator<void, void> {
    finishing ??= finishSteps();
    return finishing;
  }

  /** The table with all sequences. */
  function ids(): HashTable<Run> {
    if (appendedFrom < ceiling || finishing !== undefined) for (const _step of finish());
    return table;
  }

  function add(id: number, { data, from, end }: Run): void {
    sequences.set(id, data, from, end);
    if (id >= holders.length) holders = grownUint32(holders, id + 1);
    holders[id] = 1;
  }

  return {
    sequences,
    acquire(run) {
      const known = ids();
      const next = free.at(-1) ?? ceiling;
      const id = known.getOrAdd(run, next);
      if (id !== next) {
        holders[id] = (holders[id] as number) + 1;
        return { id, isNew: false };
      }
      if (free.pop() === undefined) ceiling += 1;
      appendedFrom = ceiling;
      add(id, run);
      return { id, isNew: true };
    },
    append(run) {
      if (finishing !== undefined) ids();
      const id = ceiling;
      ceiling += 1;
      add(id, run);
      return id;
    },
    finish,
    hold(id) {
      holders[id] = (holders[id] as number) + 1;
    },
    holdAll(ids) {
      const counts = holders;
      for (let nth = 0; nth < ids.length; nth += 1)
        counts[ids[nth] as number] = (counts[ids[nth] as number] as number) + 1;
    },
    release(id) {
      holders[id] = (holders[id] as number) - 1;
      if (holders[id] !== 0) return null;
      const sequence = [...listOf(sequences, id)];
      ids().delete(runOf(sequence));
      sequences.clear(id);
      free.push(id);
      return sequence;
    },
    idOf: (run) => ids().get(run),
    get ceiling() {
      return ceiling;
    },
  };
}

function refuse(): never {
  throw new RangeError('A sequence was appended twice.');
}

function hashOf({ data, from, end }: Run): number {
  let hash = 0x811c_9dc5;
  for (let at = from; at < end; at += 1) {
    const word = data[at] as number;
    hash = Math.imul(hash ^ (word & 0xffff), 0x0100_0193);
    hash = Math.imul(hash ^ (word >>> 16), 0x0100_0193);
  }
  return mixed(hash);
}
