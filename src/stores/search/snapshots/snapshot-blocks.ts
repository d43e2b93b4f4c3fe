import { UNIT_BYTES, unitsOf } from '../../../lib/columns/byte-store.ts';
import { wordsOf } from '../../../lib/text/normalise-text.ts';
import type { Store } from '../../store.ts';
import { documentHead, documentTail } from '../document-head.ts';
import { SHARED, type SharedValues, type StoreBlock, type StoreOpening } from '../store-block.ts';

/**
 * Listed stores as blocks of bytes, from which the index is built without parsing their profiles: the head of each
 * document as it is sent, and the properties that stores share as numbers of dictionaries, which grow with each block.
 */
export type BlockWriter = {
  add(store: Store): void;
  readonly size: number;
  /** About the bytes of the stores that were added since the last block. */
  readonly bytes: number;
  /** The stores that were added since the last block. */
  finish(): BlockBytes;
};

/** What indexes read of the stores of a block, and apart from that the heads of their documents, which they only keep. */
export type BlockBytes = { columns: Buffer; documents: Buffer };

/** Reads blocks in the sequence in which they were written. Throws where the bytes are no such block. */
export type BlockReader = (block: BlockBytes) => StoreBlock;

/** Numbers of the head of a block: stores, bytes of new dictionary entries. */
const HEAD_NUMBERS = 2;
const ID_BYTES = 12;

type Dates = Pick<StoreOpening, 'hoursExceptions' | 'pausedUntil'>;
type WrittenHours = Pick<StoreOpening, 'hours' | 'tail'>;
/** The numbers of the parts of an opening. */
type OpeningEntry = [timeZone: number, hours: number, dates: number];

/** New values of a block; a moment is text. */
type Entries = { [Name in Exclude<keyof SharedValues, 'opening'>]: SharedValues[Name][] } & {
  timeZone: string[];
  hours: WrittenHours[];
  dates: (Omit<Dates, 'pausedUntil'> & { pausedUntil: string | null })[];
  opening: OpeningEntry[];
  word: string[];
};
type Property = keyof Entries;

function newEntries(): Entries {
  const values = { name: [], kind: [], cuisines: [], rating: [], pickup: [], delivery: [], city: [] };
  return { ...values, timeZone: [], hours: [], dates: [], opening: [], word: [] };
}

export function createBlockWriter(): BlockWriter {
  const numbers = new Map<string, number>();
  const counts = new Map<Property, number>();
  let entries = newEntries();
  let ids: string[] = [];
  let coordinates: { latitude: number; longitude: number }[] = [];
  let shared: number[][] = SHARED.map(() => []);
  let heads: Buffer[] = [];
  let bytes = 0;

  /** Equal texts are one value; `entry` is what a reader learns of a new value. */
  function numberOf(property: Property, value: unknown, entry: () => unknown = () => value): number {
    const text = JSON.stringify(value);
    const key = `${property} ${text}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = counts.get(property) ?? 0;
    counts.set(property, number + 1);
    numbers.set(key, number);
    entries[property].push(entry() as never);
    bytes += text.length;
    return number;
  }

  function openingOf({ timeZone, hours, hoursExceptions, pausedUntil }: Store): OpeningEntry {
    const dates = { hoursExceptions, pausedUntil: pausedUntil === null ? null : pausedUntil.toString() };
    const hoursNumber = numberOf('hours', hours, () => ({ hours, tail: documentTail(hours) }));
    return [numberOf('timeZone', timeZone), hoursNumber, numberOf('dates', dates)];
  }

  return {
    add(store) {
      const { type, dollarSigns, onlineOrdering, hasCatalogue, sandboxAccounts, cuisines, rating, pickup, delivery } =
        store;
      const kind = { type, dollarSigns, onlineOrdering, hasCatalogue, sandboxAccounts };
      const name = wordsOf(store.name).map((word) => numberOf('word', word));
      const values = {
        name,
        opening: openingOf(store),
        kind,
        cuisines,
        rating,
        pickup,
        delivery,
        city: store.address.city,
      };
      ids.push(store.storeId);
      coordinates.push(store);
      for (const [nth, property] of SHARED.entries()) shared[nth]?.push(numberOf(property, values[property]));
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
      const dictionary = Buffer.from(JSON.stringify(entries));
      const columns = Buffer.concat([
        bytesOf(Float64Array.from(coordinates, ({ latitude }) => latitude)),
        bytesOf(Float64Array.from(coordinates, ({ longitude }) => longitude)),
        ...shared.map((column) => bytesOf(Uint32Array.from(column))),
        bytesOf(Uint32Array.from(heads, ({ length }) => length)),
        Buffer.from(ids.join(''), 'hex'),
        dictionary,
        bytesOf(Uint32Array.of(ids.length, dictionary.length)),
      ]);
      const documents = Buffer.concat(heads.map(padded));
      [entries, ids, coordinates, heads] = [newEntries(), [], [], []];
      shared = SHARED.map(() => []);
      bytes = 0;
      return { columns, documents };
    },
  };
}

export function createBlockReader(): BlockReader {
  const known: Pick<Entries, 'timeZone' | 'hours'> & { dates: Dates[] } = { timeZone: [], hours: [], dates: [] };
  const words: string[] = [];
  const values: { [Name in keyof SharedValues]: SharedValues[Name][] } = {
    ...{ name: [], opening: [], kind: [], cuisines: [], rating: [], pickup: [], delivery: [], city: [] },
  };

  function learn({ timeZone, hours, dates, opening, word, ...entries }: Entries): void {
    append(known.timeZone, timeZone);
    append(known.hours, hours);
    append(known.dates, dates.map(revived));
    append(values.opening, opening.map(openingOf));
    append(values.kind, entries.kind);
    append(words, word);
    append(values.name, entries.name);
    append(values.cuisines, entries.cuisines);
    append(values.rating, entries.rating);
    append(values.pickup, entries.pickup);
    append(values.delivery, entries.delivery);
    append(values.city, entries.city);
  }

  function openingOf([timeZone, hours, dates]: OpeningEntry): StoreOpening {
    const written = known.hours[hours] as WrittenHours;
    const { hoursExceptions, pausedUntil } = known.dates[dates] as Dates;
    return {
      timeZone: known.timeZone[timeZone] as string,
      ...{ hours: written.hours, tail: written.tail, hoursExceptions, pausedUntil },
    };
  }

  return ({ columns, documents }) => {
    const { entries, ids, ...parts } = partsOf(columns);
    const units = parts.headBytes.reduce((sum, length) => sum + unitsOf(length), 0);
    if (units * UNIT_BYTES !== documents.length) throw new RangeError('The documents have another length.');
    learn(JSON.parse(entries.toString()) as Entries);
    const storeIdAt = (nth: number) => ids.toString('hex', nth * ID_BYTES, (nth + 1) * ID_BYTES);
    return { ...parts, storeIdAt, documents, values, words };
  };
}

function append<Value>(to: Value[], values: readonly Value[]): void {
  for (const value of values) to.push(value);
}

function revived({ hoursExceptions, pausedUntil }: Entries['dates'][number]): Dates {
  return { hoursExceptions, pausedUntil: pausedUntil === null ? null : Temporal.Instant.from(pausedUntil) };
}

/** Numbers are written in the byte sequence of the machine; a snapshot stays on the machine that wrote it. */
function bytesOf(numbers: Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>): Buffer {
  return Buffer.from(numbers.buffer);
}

/** Whole units, so that an index keeps the documents where they are. */
function padded(head: Buffer): Buffer {
  return Buffer.concat([head], unitsOf(head.length) * UNIT_BYTES);
}

function partsOf(block: Buffer) {
  let at = 0;
  const take = (bytes: number): Buffer => {
    if (bytes < 0 || at + bytes > block.length) throw new RangeError('The block is too short.');
    at += bytes;
    return block.subarray(at - bytes, at);
  };
  const numbers = (length: number) => new Uint32Array(aligned(take(length * 4)));
  const tail = block.subarray(Math.max(0, block.length - HEAD_NUMBERS * 4));
  if (tail.length < HEAD_NUMBERS * 4) throw new RangeError('The block is too short.');
  const [size = 0, entryBytes = 0] = new Uint32Array(aligned(tail));
  const latitudes = new Float64Array(aligned(take(size * 8)));
  const longitudes = new Float64Array(aligned(take(size * 8)));
  const shared = Object.fromEntries(SHARED.map((property) => [property, numbers(size)]));
  const headBytes = numbers(size);
  const ids = take(size * ID_BYTES);
  const entries = take(entryBytes);
  if (at + HEAD_NUMBERS * 4 !== block.length) throw new RangeError('The block has another length.');
  return { size, latitudes, longitudes, numbers: shared as StoreBlock['numbers'], headBytes, ids, entries };
}

/** A copy that begins where arrays of numbers may begin. */
function aligned(bytes: Buffer): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
}
