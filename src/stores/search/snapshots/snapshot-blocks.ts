import type { Store } from '../../store.ts';
import { documentHead } from '../document-head.ts';
import type { IndexedStore } from '../indexed-store.ts';

/**
 * Listed stores as blocks of bytes, from which the index is built without parsing their profiles: the head of each
 * document as it is sent, and the properties that stores share as numbers of a dictionary, which grows with each block.
 */
export type BlockWriter = {
  add(store: Store): void;
  readonly size: number;
  /** About the bytes of the stores that were added since the last block. */
  readonly bytes: number;
  /** The stores that were added since the last block. */
  finish(): Buffer;
};

/** A store of a block, and the bytes of its document's head; the bytes are valid as long as the block. */
export type BlockStore = { store: IndexedStore; head: Uint8Array };

/** Reads blocks in the sequence in which they were written. Throws where the bytes are no such block. */
export type BlockReader = (block: Buffer) => Generator<BlockStore, void>;

/** Numbers of the head of a block: stores, bytes of new dictionary entries, bytes of documents. */
const HEAD_NUMBERS = 3;
const ID_BYTES = 12;
/** Numbers of the dictionary in a store. */
const SHARED = 9;
const COORDINATES = 2;

type Rest = Pick<
  Store,
  'type' | 'dollarSigns' | 'onlineOrdering' | 'hasCatalogue' | 'sandboxAccounts' | 'hoursExceptions'
> & { pausedUntil: string | null };

/** The properties of a store in the dictionary, in the sequence of their numbers. */
function sharedOf(store: Store): readonly unknown[] {
  const { type, dollarSigns, onlineOrdering, hasCatalogue, sandboxAccounts, hoursExceptions, pausedUntil } = store;
  const paused = pausedUntil === null ? null : pausedUntil.toString();
  const rest: Rest = {
    type,
    dollarSigns,
    onlineOrdering,
    hasCatalogue,
    sandboxAccounts,
    hoursExceptions,
    pausedUntil: paused,
  };
  const { name, timeZone, hours, cuisines, rating, pickup, delivery, address } = store;
  return [name, timeZone, hours, cuisines, rating, pickup, delivery, { city: address.city }, rest];
}

export function createBlockWriter(): BlockWriter {
  const numbers = new Map<string, number>();
  let entries: string[] = [];
  let ids: string[] = [];
  let coordinates: number[] = [];
  let shared: number[] = [];
  let heads: Buffer[] = [];
  let bytes = 0;

  function numberOf(value: unknown): number {
    const text = JSON.stringify(value);
    const known = numbers.get(text);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(text, number);
    entries.push(text);
    bytes += text.length;
    return number;
  }

  return {
    add(store) {
      ids.push(store.storeId);
      coordinates.push(store.latitude, store.longitude);
      for (const value of sharedOf(store)) shared.push(numberOf(value));
      const head = Buffer.from(documentHead(store));
      heads.push(head);
      bytes += head.length;
    },
    get size() {
      return ids.length;
    },
    get bytes() {
      return bytes;
    },
    finish() {
      const lengths = Uint32Array.from(heads, ({ length }) => length);
      const documents = Buffer.concat(heads);
      const dictionary = Buffer.from(`[${entries.join(',')}]`);
      const block = Buffer.concat([
        bytesOf(Uint32Array.of(ids.length, dictionary.length, documents.length)),
        bytesOf(Float64Array.from(coordinates)),
        bytesOf(Uint32Array.from(shared)),
        bytesOf(lengths),
        Buffer.from(ids.join(''), 'hex'),
        dictionary,
        documents,
      ]);
      [entries, ids, coordinates, shared, heads] = [[], [], [], [], []];
      bytes = 0;
      return block;
    },
  };
}

export function createBlockReader(): BlockReader {
  const dictionary: unknown[] = [];
  return function* read(block) {
    const { coordinates, shared, lengths, ids, entries, documents } = partsOf(block);
    for (const entry of JSON.parse(entries.toString()) as unknown[]) dictionary.push(revived(entry));
    let at = 0;
    for (let n = 0; n < lengths.length; n += 1) {
      const end = at + (lengths[n] as number);
      const from = n * SHARED;
      const valueAt = (nth: number) => dictionary[shared[from + nth] as number];
      const store: IndexedStore = {
        storeId: ids.toString('hex', n * ID_BYTES, (n + 1) * ID_BYTES),
        latitude: coordinates[n * COORDINATES] as number,
        longitude: coordinates[n * COORDINATES + 1] as number,
        name: valueAt(0) as string,
        timeZone: valueAt(1) as string,
        hours: valueAt(2) as Store['hours'],
        cuisines: valueAt(3) as Store['cuisines'],
        rating: valueAt(4) as Store['rating'],
        pickup: valueAt(5) as Store['pickup'],
        delivery: valueAt(6) as Store['delivery'],
        address: valueAt(7) as IndexedStore['address'],
        ...(valueAt(8) as Omit<Rest, 'pausedUntil'> & Pick<Store, 'pausedUntil'>),
      };
      yield { store, head: documents.subarray(at, end) };
      at = end;
    }
  };
}

/** Of the properties in the dictionary, only the rest has a moment. */
function revived(entry: unknown): unknown {
  if (entry === null || typeof entry !== 'object' || !('pausedUntil' in entry)) return entry;
  const { pausedUntil } = entry as Rest;
  return { ...entry, pausedUntil: pausedUntil === null ? null : Temporal.Instant.from(pausedUntil) };
}

/** Numbers are written in the byte sequence of the machine; a snapshot stays on the machine that wrote it. */
function bytesOf(numbers: Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>): Buffer {
  return Buffer.from(numbers.buffer);
}

function partsOf(block: Buffer) {
  let at = 0;
  const take = (bytes: number): Buffer => {
    if (at + bytes > block.length) throw new RangeError('The block is too short.');
    at += bytes;
    return block.subarray(at - bytes, at);
  };
  const numbers = (length: number) => new Uint32Array(aligned(take(length * 4)));
  const [count = 0, entryBytes = 0, documentBytes = 0] = numbers(HEAD_NUMBERS);
  const coordinates = new Float64Array(aligned(take(count * COORDINATES * 8)));
  const [shared, lengths, ids] = [numbers(count * SHARED), numbers(count), take(count * ID_BYTES)];
  return { coordinates, shared, lengths, ids, entries: take(entryBytes), documents: take(documentBytes) };
}

/** A copy that begins where arrays of numbers may begin. */
function aligned(bytes: Buffer): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
}
