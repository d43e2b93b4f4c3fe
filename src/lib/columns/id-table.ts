import { grownUint32 } from './grow.ts';
import { createHashTable, mixed } from './hash-table.ts';

/**
 * Ids of 24 hexadecimal digits by small number, 12 bytes each, and the number of each id, outside of the JavaScript heap:
 * a text of each id is 40 bytes there, which every garbage collection visits. An id of another form is kept as text.
 */
export type IdTable = {
  /** The id of a number that has one. */
  at(number: number): string;
  numberOf(id: string): number | undefined;
  /** The number of the id; an unknown id is added with the number that is given, which is the id's until `delete`. */
  getOrAdd(id: string, number: number): number;
  /** The same with an id as its 12 bytes, which begin at that offset. */
  getOrAddBytes(ids: Uint8Array, offset: number, number: number): number;
  /** False for an unknown id. */
  delete(id: string): boolean;
  /** Whether the id of a number comes before the id of another number. */
  isBefore(one: number, other: number): boolean;
  /** Makes room for so many ids in all. */
  reserve(ids: number): void;
  readonly size: number;
};

export const ID_BYTES = 12;
const ID_WORDS = ID_BYTES / 4;
const HEXADECIMAL = /^[0-9a-f]{24}$/;

export function createIdTable(): IdTable {
  /** The first row has the id that is looked up; the id of a number is in the row after the number. */
  let words = new Uint32Array(1024 * ID_WORDS);
  let bytes = Buffer.from(words.buffer);
  const rows = createHashTable({ hashOf, isKeyOf: (number, row: number) => areEqual(number + 1, row) });
  const others = new Map<string, number>();
  const otherTexts = new Map<number, string>();

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
    return number;
  }

  /** False for an id of another form. */
  function putIntoFirstRow(id: string): boolean {
    if (!HEXADECIMAL.test(id)) return false;
    bytes.write(id, 0, ID_BYTES, 'hex');
    return true;
  }

  function addOther(id: string, number: number): number {
    const known = others.get(id);
    if (known !== undefined) return known;
    others.set(id, number);
    otherTexts.set(number, id);
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

  return {
    at,
    numberOf: (id) => (putIntoFirstRow(id) ? rows.get(0) : others.get(id)),
    getOrAdd: (id, number) => (putIntoFirstRow(id) ? addFirstRow(number) : addOther(id, number)),
    getOrAddBytes(ids, offset, number) {
      for (let nth = 0; nth < ID_BYTES; nth += 1) bytes[nth] = ids[offset + nth] as number;
      return addFirstRow(number);
    },
    delete: (id) => (putIntoFirstRow(id) ? rows.delete(0) : deleteOther(id)),
    isBefore(one, other) {
      if (otherTexts.size > 0) return at(one) < at(other);
      const from = (other + 1) * ID_BYTES;
      return bytes.compare(bytes, from, from + ID_BYTES, (one + 1) * ID_BYTES, (one + 2) * ID_BYTES) < 0;
    },
    reserve(ids) {
      rows.reserve(ids);
      makeRoom(ids + 1);
    },
    get size() {
      return rows.size + others.size;
    },
  };
}
