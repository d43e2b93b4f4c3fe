import { UNIT_BYTES, unitsOf } from '../../../lib/columns/byte-store.ts';
import { wordsOf } from '../../../lib/text/normalise-text.ts';
import type { StoreHours } from '../../hours.ts';
import type { Store } from '../../store.ts';
import { documentHead, documentTail } from '../document-head.ts';
import { hoursKey } from '../hours-key.ts';
import { SHARED, type SharedProperty } from '../store-block.ts';
import { bytesOf, joinSections } from './block-sections.ts';
import { type BlockBytes, newTextEntries, type TextEntries } from './snapshot-blocks.ts';

export type BlockWriter = {
  add(store: Store): void;
  readonly size: number;
  /** About the bytes of the stores that were added since the last block. */
  readonly bytes: number;
  /** The stores that were added since the last block. */
  finish(): BlockBytes;
};

const FIRST_HEADS_BYTES = 2 ** 21;
/** Bytes of UTF-8 for each unit of a text, at most; and room for the zeros of the last unit. */
const MAX_CHARACTER_BYTES = 3;
/** Stands for the dates of a store without dates and pause. */
const NO_DATES = '';

/** What a block has of its stores so far, and the values that no earlier block has. */
type Block = {
  ids: string[];
  latitudes: number[];
  longitudes: number[];
  ratings: number[];
  numbers: Record<SharedProperty, number[]>;
  nameSizes: number[];
  nameWords: number[];
  openings: number[];
  tails: Buffer[];
  hours: Buffer[];
  entries: TextEntries;
};

export function createBlockWriter(): BlockWriter {
  const numbersOf = createDictionary();
  const once = { hours: numberedOnce(), cuisines: numberedOnce(), pickup: numberedOnce(), delivery: numberedOnce() };
  const heads = createHeads();
  let block = newBlock();
  let bytes = 0;

  /** Equal texts are one value; `learn` notes what a reader learns of a new value. */
  function numberOf(property: string, text: string, learn: () => void): number {
    const numbers = numbersOf(property);
    const known = numbers.get(text);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(text, number);
    learn();
    bytes += text.length;
    return number;
  }

  /** The number of a value that a block has as JSON; the text tells the value from others. */
  function entryOf<Name extends keyof TextEntries>(
    property: Name,
    value: TextEntries[Name][number],
    text = typeof value === 'string' ? value : JSON.stringify(value),
  ): number {
    return numberOf(property, text, () => void block.entries[property].push(value as never));
  }

  function nameOf({ name }: Store): number {
    const words = wordsOf(name).map((word) => entryOf('word', word));
    return numberOf('name', words.join(' '), () => {
      block.nameSizes.push(words.length);
      block.nameWords.push(...words);
    });
  }

  function hoursOf(hours: StoreHours): number {
    return once.hours(hours, () => {
      const text = JSON.stringify(hours);
      return numberOf('hours', text, () => {
        block.entries.hoursKey.push(hoursKey(hours));
        block.tails.push(Buffer.from(documentTail(hours)));
        block.hours.push(Buffer.from(text));
      });
    });
  }

  function datesOf({ hoursExceptions, pausedUntil }: Store): number {
    const dates = { hoursExceptions, pausedUntil: pausedUntil === null ? null : pausedUntil.toString() };
    const hasNone = hoursExceptions.length === 0 && pausedUntil === null;
    return hasNone ? entryOf('dates', dates, NO_DATES) : entryOf('dates', dates);
  }

  function openingOf(store: Store): number {
    const opening = [entryOf('timeZone', store.timeZone), hoursOf(store.hours), datesOf(store)];
    return numberOf('opening', opening.join(' '), () => void block.openings.push(...opening));
  }

  function kindOf({ type, dollarSigns, onlineOrdering, hasCatalogue, sandboxAccounts }: Store): number {
    const text = `${type} ${dollarSigns} ${onlineOrdering} ${hasCatalogue} ${JSON.stringify(sandboxAccounts)}`;
    return entryOf('kind', { type, dollarSigns, onlineOrdering, hasCatalogue, sandboxAccounts }, text);
  }

  return {
    add(store) {
      const { numbers } = block;
      numbers.name.push(nameOf(store));
      numbers.opening.push(openingOf(store));
      numbers.kind.push(kindOf(store));
      numbers.cuisines.push(once.cuisines(store.cuisines, () => entryOf('cuisines', store.cuisines)));
      numbers.pickup.push(once.pickup(store.pickup, () => entryOf('pickup', store.pickup)));
      numbers.delivery.push(once.delivery(store.delivery, () => entryOf('delivery', store.delivery)));
      numbers.city.push(entryOf('city', store.address.city));
      block.ids.push(store.storeId);
      block.latitudes.push(store.latitude);
      block.longitudes.push(store.longitude);
      block.ratings.push(store.rating?.value ?? Number.NaN);
      bytes += heads.add(documentHead(store));
    },
    get size() {
      return block.ids.length;
    },
    get bytes() {
      return bytes;
    },
    finish() {
      const { documents, headBytes } = heads.finish();
      const columns = columnsOf(block, headBytes);
      [block, bytes] = [newBlock(), 0];
      return { columns, documents };
    },
  };
}

/** By property, the number of each text. */
function createDictionary(): (property: string) => Map<string, number> {
  const numbers = new Map<string, Map<string, number>>();
  return (property) => {
    const known = numbers.get(property) ?? new Map<string, number>();
    numbers.set(property, known);
    return known;
  };
}

/** The number of an object, which is worked out once: stores that are read together share objects. */
function numberedOnce(): (value: object, numberOf: () => number) => number {
  const numbers = new WeakMap<object, number>();
  return (value, numberOf) => {
    const known = numbers.get(value);
    if (known !== undefined) return known;
    const number = numberOf();
    numbers.set(value, number);
    return number;
  };
}

/** The heads of a block's documents, each in whole units, so that an index keeps the documents where they are. */
function createHeads() {
  let memory = Buffer.alloc(FIRST_HEADS_BYTES);
  let used = 0;
  let headBytes: number[] = [];
  return {
    /** Returns the bytes of the head. */
    add(head: string): number {
      if (used + head.length * MAX_CHARACTER_BYTES > memory.length) {
        const more = Buffer.alloc(2 * (memory.length + head.length * MAX_CHARACTER_BYTES));
        memory.copy(more, 0, 0, used);
        memory = more;
      }
      const written = memory.write(head, used);
      const end = used + unitsOf(written) * UNIT_BYTES;
      memory.fill(0, used + written, end);
      headBytes.push(written);
      used = end;
      return written;
    },
    finish(): { documents: Buffer; headBytes: readonly number[] } {
      const finished = { documents: Buffer.from(new Uint8Array(memory.subarray(0, used)).buffer), headBytes };
      [used, headBytes] = [0, []];
      return finished;
    },
  };
}

function newBlock(): Block {
  return {
    ids: [],
    latitudes: [],
    longitudes: [],
    ratings: [],
    numbers: { name: [], opening: [], kind: [], cuisines: [], pickup: [], delivery: [], city: [] },
    nameSizes: [],
    nameWords: [],
    openings: [],
    tails: [],
    hours: [],
    entries: newTextEntries(),
  };
}

/** `SECTIONS`, in their sequence. */
function columnsOf(block: Block, headBytes: readonly number[]): Buffer {
  const { numbers, tails, hours } = block;
  return joinSections([
    ...[block.latitudes, block.longitudes, block.ratings].map((column) => bytesOf(Float64Array.from(column))),
    ...SHARED.map((property) => uint32s(numbers[property])),
    ...[uint32s(headBytes), Buffer.from(block.ids.join(''), 'hex')],
    ...[block.nameSizes, block.nameWords, block.openings].map(uint32s),
    ...[uint32s(lengthsOf(tails)), Buffer.concat(tails), uint32s(lengthsOf(hours)), Buffer.concat(hours)],
    Buffer.from(JSON.stringify(block.entries)),
  ]);
}

function lengthsOf(texts: readonly Buffer[]): number[] {
  return texts.map(({ length }) => length);
}

function uint32s(numbers: readonly number[]): Uint8Array {
  return bytesOf(Uint32Array.from(numbers));
}
