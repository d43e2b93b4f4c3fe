import { UNIT_BYTES, unitsOf } from '../../../lib/columns/byte-store.ts';
import { ID_BYTES } from '../../../lib/columns/id-table.ts';
import { createUint32List } from '../../../lib/columns/uint32-list.ts';
import type { StoreHours } from '../../hours.ts';
import type { Store } from '../../store.ts';
import { SHARED, type SharedProperty, type SharedValues, type StoreBlock, type WrittenHours } from '../store-block.ts';
import { float64sOf, splitSections, uint32sOf } from './block-sections.ts';
import { type BlockBytes, OPENING_NUMBERS, SECTIONS, type TextEntries } from './snapshot-blocks.ts';

/** Reads blocks in the sequence in which they were written. Throws where the bytes are no such block. */
export type BlockReader = (block: BlockBytes) => StoreBlock;

type Sections = Record<string, Buffer>;
type Dates = Pick<Store, 'hoursExceptions' | 'pausedUntil'>;

export function createBlockReader(): BlockReader {
  const dictionaries = createDictionaries();
  return ({ columns, documents }) => {
    const sections: Sections = {};
    const parts = splitSections(columns, SECTIONS.length);
    for (const [nth, name] of SECTIONS.entries()) sections[name] = parts[nth] as Buffer;
    const block = arraysOf(sections);
    let units = 0;
    for (const length of block.headBytes) units += unitsOf(length);
    if (units * UNIT_BYTES !== documents.length) throw new RangeError('The documents have another length.');
    dictionaries.learn(sections);
    return { ...block, documents, values: dictionaries.values };
  };
}

/** The arrays of a block, which lie in its memory. */
function arraysOf(sections: Sections): Omit<StoreBlock, 'documents' | 'values'> {
  const of = (name: string): Buffer => sections[name] as Buffer;
  const size = of('headBytes').length / 4;
  const ids = of('ids');
  if (ids.length !== size * ID_BYTES) throw new RangeError('The ids have another length.');
  const numbers = Object.fromEntries(SHARED.map((property) => [property, uint32sOf(of(property), size)]));
  return {
    size,
    ids,
    latitudes: float64sOf(of('latitudes'), size),
    longitudes: float64sOf(of('longitudes'), size),
    ratings: float64sOf(of('ratings'), size),
    numbers: numbers as Record<SharedProperty, Uint32Array>,
    headBytes: uint32sOf(of('headBytes'), size),
  };
}

/** The dictionaries of all blocks so far. A value that is read later keeps its dictionary, and not its block. */
function createDictionaries() {
  const names = createNames();
  const openings = createOpenings();
  const tails: Buffer[] = [];
  const keys: string[] = [];
  const values = {
    kind: [],
    cuisines: [],
    pickup: [],
    delivery: [],
    city: [],
    words: [] as string[],
    wordsOfName: names.wordsOf,
    openingOf: openings.openingOf,
    hoursOf: openings.hoursOf,
    writtenHours: (hours: number): WrittenHours => ({
      key: keys[hours] as string,
      tail: tails[hours] as Buffer,
      parse: () => openings.parsed(hours),
    }),
  } satisfies SharedValues;

  return {
    values: values as SharedValues,
    learn(sections: Sections): void {
      const of = (name: string): Buffer => sections[name] as Buffer;
      const { word, hoursKey, timeZone, dates, ...entries } = JSON.parse(of('entries').toString()) as TextEntries;
      for (const property of ['kind', 'cuisines', 'pickup', 'delivery', 'city'] as const) {
        append(values[property] as unknown[], entries[property]);
      }
      append(values.words, word);
      append(keys, hoursKey);
      names.learn(uint32sOf(of('nameSizes')), uint32sOf(of('nameWords')));
      append(tails, partsOf(Buffer.from(of('tails')), uint32sOf(of('tailBytes'))));
      const texts = partsOf(of('hours'), uint32sOf(of('hoursBytes'))).map(String);
      openings.learn({ openings: uint32sOf(of('openings')), texts, timeZone, dates });
    },
  };
}

/** The words of names by number. */
function createNames() {
  const words = createUint32List();
  /** By name: where its words end. */
  const ends = createUint32List();
  return {
    wordsOf: (name: number) => ({
      data: words.data,
      from: name === 0 ? 0 : (ends.data[name - 1] as number),
      end: ends.data[name] as number,
    }),
    learn(sizes: Uint32Array, ownWords: Uint32Array): void {
      let end = words.length;
      ends.append(sizes.map((size) => (end += size)));
      words.append(ownWords);
    },
  };
}

type NewOpenings = { openings: Uint32Array; texts: readonly string[] } & Pick<TextEntries, 'timeZone' | 'dates'>;

/** When stores are open, by number. Hours are parsed when they are first read. */
function createOpenings() {
  const openings = createUint32List();
  const timeZones: string[] = [];
  const dates: Dates[] = [];
  const hours: (string | StoreHours)[] = [];
  const numberAt = (opening: number, part: number): number => openings.data[opening * OPENING_NUMBERS + part] as number;

  function parsed(number: number): StoreHours {
    const known = hours[number] as string | StoreHours;
    if (typeof known !== 'string') return known;
    const own = JSON.parse(known) as StoreHours;
    hours[number] = own;
    return own;
  }

  return {
    parsed,
    hoursOf: (opening: number) => numberAt(opening, 1),
    openingOf: (opening: number) => ({
      timeZone: timeZones[numberAt(opening, 0)] as string,
      hours: parsed(numberAt(opening, 1)),
      ...(dates[numberAt(opening, 2)] as Dates),
    }),
    learn(own: NewOpenings): void {
      openings.append(own.openings);
      append(hours, own.texts);
      append(timeZones, own.timeZone);
      append(dates, own.dates.map(revived));
    },
  };
}

function append<Value>(to: Value[], values: readonly Value[]): void {
  for (const value of values) to.push(value);
}

function partsOf(bytes: Buffer, lengths: Uint32Array): Buffer[] {
  let end = 0;
  return Array.from(lengths, (length) => {
    end += length;
    return bytes.subarray(end - length, end);
  });
}

function revived({ hoursExceptions, pausedUntil }: TextEntries['dates'][number]): Dates {
  return { hoursExceptions, pausedUntil: pausedUntil === null ? null : Temporal.Instant.from(pausedUntil) };
}
