import { grownUint32 } from './grow.ts';
import { createHashTable, mixed, type TableMemory } from './hash-table.ts';

/**
 * Ids of 24 hexadecimal digits by small number, 12 bytes each, and the number of each id, outside of the JavaScript heap:
 * a text of each id is 40 bytes there, which every garbage collection visits. An id of another form is kept as text.
 */
export type IdTable = {
  /** The id of a number that has one. */
  at(number: number): string;
  /** The same, kept as a text from then on: for ids that are asked for again and again. */
  keptAt(number: number): string;
  numberOf(id: string): number | undefined;
  /** The number of the id; an unknown id is added with the number that is given, which is the id's until `delete`. */
  getOrAdd(id: string, number: number): number;
  /**
   * Gives ids, 12 bytes each, numbers that follow each other, and returns the first number. They are looked up
   * from then on, but their table is made by `finish`, or by the first call that needs it: until then an id that
   * comes again has two numbers.
   */
  append(ids: Uint8Array): number;
  /** Makes the table of all ids, in steps. */
  finish(): Generator<void, void>;
  /** Ends `finish`, and gives the table away. Null where an id has come twice. */
  giveTable(): TableMemory | null;
  /**
   * Takes a table that was made of the same ids, appended in the same sequence, in place of making it. A table of another
   * number of ids is left.
   */
  adoptTable(table: TableMemory): void;
  /** False for an unknown id. */
  delete(id: string): boolean;
  /** Whether the id of a number comes before the id of another number. */
  isBefore(one: number, other: number): boolean;
  /** Makes room for so many ids in all. */
  reserve(ids: number): void;
  readonly size: number;
  /** One more than the highest number that an id has had. */
  readonly ceiling: number;
};

export const ID_BYTES = 12;
const ID_WORDS = ID_BYTES / 4;
const HEXADECIMAL = /^[0-9a-f]{24}$/;

/** `onReplaced` is called with the earlier number of an id that was appended again. */
export function createIdTable(onReplaced: (number: number) => void): IdTable {
  /** The first row has the id that is looked up; the id of a number is in the row after the number. */
  let words = new Uint32Array(1024 * ID_WORDS);
  let bytes = Buffer.from(words.buffer);
  const rows = createHashTable({ hashOf, isKeyOf: (number, row: number) => areEqual(number + 1, row) });
  /** The end of `append`, once begun; each caller goes on with the same end. */
  let finishing: Generator<void, void> | undefined;
  /** Numbers from this one up to the ceiling are in no table. */
  let appendedFrom = 0;
  let ceiling = 0;
  const others = new Map<string, number>();
  const otherTexts = new Map<number, string>();
  /** By number, where the id is kept as text. */
  const keptTexts: (string | undefined)[] = [];

  function hashOf(row: number): number {
    const at = row * ID_WORDS;
    const hash = Math.imul(words[at] as number, 0x0100_0193) ^ (words[at + 1] as number);
    return mixed(Math.imul(hash, 0x0100_0193) ^ (words[at + 2] as number));
  }

  function areEqual(one: number, other: number): boolean {
    const [a, b] = [one * ID_WORDS, other * ID_WORDS];
    return words[a] === words[b] && words[a + 1] === words[b + 1] && words[a + 2] === words[b + 2];
  }

  function makeRoom(rowCount: number): void {
    if (rowCount * ID_WORDS <= words.length) return;
    words = grownUint32(words, rowCount * ID_WORDS);
    bytes = Buffer.from(words.buffer);
  }

  /** Adds the id of the first row. */
  function addFirstRow(number: number): number {
    const found = rows.getOrAdd(0, number);
    if (found !== number) return found;
    makeRoom(number + 2);
    words.copyWithin((number + 1) * ID_WORDS, 0, ID_WORDS);
    if (number < keptTexts.length) keptTexts[number] = undefined;
    noteNumber(number);
    return number;
  }

  function noteNumber(number: number): void {
    if (number < ceiling) return;
    ceiling = number + 1;
    appendedFrom = ceiling;
  }

  function append(ids: Uint8Array): number {
    // A table that is being made has the ids that had come before.
    if (finishing !== undefined) finishNow();
    const first = ceiling;
    ceiling += ids.length / ID_BYTES;
    makeRoom(ceiling + 1);
    bytes.set(ids, (first + 1) * ID_BYTES);
    return first;
  }

  function* finishSteps(): Generator<void, void> {
    const [from, end] = [appendedFrom, ceiling];
    appendedFrom = end;
    if (from < end) yield* rows.addAll({ from, end, keyAt: (number) => number + 1, onReplaced });
    finishing = undefined;
  }

  function finish(): Generator<void, void> {
    finishing ??= finishSteps();
    return finishing;
  }

  function finishNow(): void {
    for (const _step of finish());
  }

  function giveTable(): TableMemory | null {
    finishNow();
    return rows.size === ceiling ? rows.giveAway() : null;
  }

  function adoptTable(table: TableMemory): void {
    const count = table.counts.reduce((sum, ids) => sum + ids, 0);
    const isNew = appendedFrom === 0 && others.size === 0 && finishing === undefined;
    if (!isNew || count !== ceiling) return;
    rows.adopt(table);
    appendedFrom = ceiling;
  }

  /** False for an id of another form. */
  function putIntoFirstRow(id: string): boolean {
    if (appendedFrom < ceiling || finishing !== undefined) finishNow();
    if (!HEXADECIMAL.test(id)) return false;
    bytes.write(id, 0, ID_BYTES, 'hex');
    return true;
  }

  function addOther(id: string, number: number): number {
    const known = others.get(id);
    if (known !== undefined) return known;
    others.set(id, number);
    otherTexts.set(number, id);
    if (number < keptTexts.length) keptTexts[number] = undefined;
    noteNumber(number);
    return number;
  }

  function deleteOther(id: string): boolean {
    const number = others.get(id);
    if (number !== undefined) otherTexts.delete(number);
    return others.delete(id);
  }

  function at(number: number): string {
    const other = otherTexts.size === 0 ? undefined : otherTexts.get(number);
    return other ?? bytes.toString('hex', (number + 1) * ID_BYTES, (number + 2) * ID_BYTES);
  }

  function keptAt(number: number): string {
    while (keptTexts.length <= number) keptTexts.push(undefined);
    const text = keptTexts[number] ?? at(number);
    keptTexts[number] = text;
    return text;
  }

  return {
    at,
    keptAt,
    numberOf: (id) => (putIntoFirstRow(id) ? rows.get(0) : others.get(id)),
    getOrAdd: (id, number) => (putIntoFirstRow(id) ? addFirstRow(number) : addOther(id, number)),
    append,
    finish,
    giveTable,
    adoptTable,
    delete: (id) => (putIntoFirstRow(id) ? rows.delete(0) : deleteOther(id)),
    isBefore(one, other) {
      if (otherTexts.size > 0) return at(one) < at(other);
      const from = (other + 1) * ID_BYTES;
      return bytes.compare(bytes, from, from + ID_BYTES, (one + 1) * ID_BYTES, (one + 2) * ID_BYTES) < 0;
    },
    reserve: (ids) => makeRoom(ids + 1),
    get size() {
      if (finishing !== undefined) finishNow();
      return rows.size + others.size + (ceiling - appendedFrom);
    },
    get ceiling() {
      return ceiling;
    },
  };
}
