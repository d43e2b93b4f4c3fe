import { isStoreId } from '../../supply/stores/store-id.ts';

/** Where a store's shelf is: a file's number, position and bytes in it; and the store change that it includes. */
export type ShelfPlace = { file: number; at: number; length: number; seq: number };

/** Numbers of an entry: the store's id in three, file, position, length (0: no shelf), seq in two. */
const ENTRY = { id: 0, file: 3, at: 4, length: 5, seq: 6, numbers: 8 };
const NUMBER_BYTES = Uint32Array.BYTES_PER_ELEMENT;
const HASH_FACTOR = 0x9e37_79b1;
const HIGH = 2 ** 32;
const MIN_ENTRIES = 1024;
const MAX_FULL = 3 / 4;

/**
 * Where the shelves of stores are, as a hash table in shared memory: one thread writes, all read. A reader may see half
 * an entry, and so must check the shelf that it reads there.
 */
export class ShelfDirectory {
  readonly memory: SharedArrayBuffer;
  private readonly numbers: Uint32Array;
  private readonly capacity: number;
  private used = 0;

  constructor(memory = new SharedArrayBuffer(MIN_ENTRIES * ENTRY.numbers * NUMBER_BYTES)) {
    this.memory = memory;
    this.numbers = new Uint32Array(memory);
    this.capacity = this.numbers.length / ENTRY.numbers;
  }

  find(storeId: string): ShelfPlace | undefined {
    const entry = this.entryOf(storeId);
    return entry === undefined ? undefined : this.placeAt(entry);
  }

  /** Returns false if the directory is full; `grown` returns a larger one. */
  put(storeId: string, { file, at, length, seq }: ShelfPlace): boolean {
    const entry = this.entryOf(storeId);
    if (entry === undefined) return true;
    const { numbers } = this;
    if (numbers[entry + ENTRY.file] === 0) {
      if (this.used >= this.capacity * MAX_FULL) return false;
      this.used += 1;
      for (let nth = 0; nth < 3; nth += 1) numbers[entry + nth] = idNumber(storeId, nth);
    }
    numbers[entry + ENTRY.length] = 0;
    numbers[entry + ENTRY.at] = at;
    numbers[entry + ENTRY.seq] = seq % HIGH;
    numbers[entry + ENTRY.seq + 1] = Math.floor(seq / HIGH);
    numbers[entry + ENTRY.file] = file;
    Atomics.store(numbers, entry + ENTRY.length, length);
    return true;
  }

  delete(storeId: string): void {
    const entry = this.entryOf(storeId);
    if (entry !== undefined) Atomics.store(this.numbers, entry + ENTRY.length, 0);
  }

  /** A copy with twice the room, without deleted entries. */
  grown(): ShelfDirectory {
    const grown = new ShelfDirectory(new SharedArrayBuffer(2 * this.memory.byteLength));
    for (const [entry] of this.places()) {
      const numbers = this.numbers.subarray(entry, entry + ENTRY.numbers);
      grown.numbers.set(numbers, grown.entryWith(numbers));
      grown.used += 1;
    }
    return grown;
  }

  /** Every shelf has all changes of its store up to this one. */
  get minSeq(): number {
    return this.places().reduce((min, [, { seq }]) => Math.min(min, seq), Infinity);
  }

  private *places(): Generator<[entry: number, place: ShelfPlace]> {
    for (let entry = 0; entry < this.numbers.length; entry += ENTRY.numbers) {
      const place = this.placeAt(entry);
      if (place !== undefined) yield [entry, place];
    }
  }

  private placeAt(entry: number): ShelfPlace | undefined {
    const { numbers } = this;
    const length = Atomics.load(numbers, entry + ENTRY.length);
    if (length === 0) return undefined;
    const [file, at] = [numbers[entry + ENTRY.file] as number, numbers[entry + ENTRY.at] as number];
    const seq = (numbers[entry + ENTRY.seq + 1] as number) * HIGH + (numbers[entry + ENTRY.seq] as number);
    return { file, at, length, seq };
  }

  /** The store's entry, or a free one; undefined for an id that no shelf in a file has. */
  private entryOf(storeId: string): number | undefined {
    if (!isStoreId(storeId)) return undefined;
    return this.entryWith([idNumber(storeId, 0), idNumber(storeId, 1), idNumber(storeId, 2)]);
  }

  private entryWith(id: ArrayLike<number>): number {
    const [first, second, third] = [id[0] as number, id[1] as number, id[2] as number];
    const { numbers, capacity } = this;
    let nth = (Math.imul(first ^ third, HASH_FACTOR) >>> 0) % capacity;
    for (;;) {
      const entry = nth * ENTRY.numbers;
      if (numbers[entry + ENTRY.file] === 0) return entry;
      if (numbers[entry] === first && numbers[entry + 1] === second && numbers[entry + 2] === third) return entry;
      nth = (nth + 1) % capacity;
    }
  }
}

const idNumber = (storeId: string, nth: number): number => Number.parseInt(storeId.slice(8 * nth, 8 * nth + 8), 16);
