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

/** What a block has of its stores so far, and the values that no earlier block has. */
type Block = {
  ids: string[];
  latitudes: number[];
  longitudes: number[];
  ratings: number[];
  numbers: Record<SharedProperty, number[]>;
  heads: Buffer[];
  nameSizes: number[];
  nameWords: number[];
  openings: number[];
  tails: Buffer[];
  hours: Buffer[];
  entries: TextEntries;
};

export function createBlockWriter(): BlockWriter {
  const dictionary = createDictionary();
  let block = newBlock();
  let bytes = 0;

  /** Equal texts are one value; `learn` notes what a reader learns of a new value. */
  function numberOf(property: string, text: string, learn: () => void): number {
    const { number, isNew } = dictionary.numberOf(property, text);
    if (!isNew) return number;
    learn();
    bytes += text.length;
    return number;
  }

  /** The number of a value that a block has as JSON. */
  function entryOf<Property extends keyof TextEntries>(
    property: Property,
    value: TextEntries[Property][number],
  ): number {
    return numberOf(property, JSON.stringify(value), () => void block.entries[property].push(value as never));
  }

  function nameOf({ name }: Store): number {
    const words = wordsOf(name).map((word) => entryOf('word', word));
    return numberOf('name', words.join(' '), () => {
      block.nameSizes.push(words.length);
      block.nameWords.push(...words);
    });
  }

  function hoursOf(hours: StoreHours): number {
    const text = JSON.stringify(hours);
    return numberOf('hours', text, () => {
      block.entries.hoursKey.push(hoursKey(hours));
      block.tails.push(Buffer.from(documentTail(hours)));
      block.hours.push(Buffer.from(text));
    });
  }

  function openingOf({ timeZone, hours, hoursExceptions, pausedUntil }: Store): number {
    const dates = { hoursExceptions, pausedUntil: pausedUntil === null ? null : pausedUntil.toString() };
    const opening = [entryOf('timeZone', timeZone), hoursOf(hours), entryOf('dates', dates)];
    return numberOf('opening', opening.join(' '), () => void block.openings.push(...opening));
  }

  return {
    add(store) {
      const { type, dollarSigns, onlineOrdering, hasCatalogue, sandboxAccounts } = store;
      const { numbers } = block;
      numbers.name.push(nameOf(store));
      numbers.opening.push(openingOf(store));
      numbers.kind.push(entryOf('kind', { type, dollarSigns, onlineOrdering, hasCatalogue, sandboxAccounts }));
      numbers.cuisines.push(entryOf('cuisines', store.cuisines));
      numbers.pickup.push(entryOf('pickup', store.pickup));
      numbers.delivery.push(entryOf('delivery', store.delivery));
      numbers.city.push(entryOf('city', store.address.city));
      block.ids.push(store.storeId);
      block.latitudes.push(store.latitude);
      block.longitudes.push(store.longitude);
      block.ratings.push(store.rating?.value ?? Number.NaN);
      const head = Buffer.from(documentHead(store));
      block.heads.push(head);
      bytes += head.length;
    },
    get size() {
      return block.ids.length;
    },
    get bytes() {
      return bytes;
    },
    finish() {
      const { heads } = block;
      const written = { columns: columnsOf(block), documents: Buffer.concat(heads.map(padded)) };
      [block, bytes] = [newBlock(), 0];
      return written;
    },
  };
}

/** Numbers of equal texts, counted for each property. */
function createDictionary() {
  const numbers = new Map<string, number>();
  const counts = new Map<string, number>();
  return {
    numberOf(property: string, text: string): { number: number; isNew: boolean } {
      const key = `${property} ${text}`;
      const known = numbers.get(key);
      if (known !== undefined) return { number: known, isNew: false };
      const number = counts.get(property) ?? 0;
      counts.set(property, number + 1);
      numbers.set(key, number);
      return { number, isNew: true };
    },
  };
}

function newBlock(): Block {
  return {
    ...{ ids: [], latitudes: [], longitudes: [], ratings: [], heads: [] },
    numbers: { name: [], opening: [], kind: [], cuisines: [], pickup: [], delivery: [], city: [] },
    ...{ nameSizes: [], nameWords: [], openings: [], tails: [], hours: [] },
    entries: newTextEntries(),
  };
}

/** `SECTIONS`, in their sequence. */
function columnsOf(block: Block): Buffer {
  const { numbers, heads, tails, hours } = block;
  return joinSections([
    ...[block.latitudes, block.longitudes, block.ratings].map((column) => bytesOf(Float64Array.from(column))),
    ...SHARED.map((property) => uint32s(numbers[property])),
    ...[uint32s(lengthsOf(heads)), Buffer.from(block.ids.join(''), 'hex')],
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

/** Whole units, so that an index keeps the documents where they are. */
function padded(head: Buffer): Buffer {
  return Buffer.concat([head], unitsOf(head.length) * UNIT_BYTES);
}
