import { unitVectorAt } from '../../platform/lib/geo/sphere.ts';
import {
  bytesOfColumns,
  type ColumnLengths,
  type Columns,
  MAX_SLOTS,
  mapColumns,
  type SegmentData,
} from './columns.ts';
import { NO_DELIVERY } from './delivery.ts';
import { hilbertKey } from './hilbert.ts';
import type { Segment } from './segment.ts';
import type { SegmentMemory } from './segment-memory.ts';
import { fillTable, idBytes, idWidthOf, tableLength } from './store-ids.ts';
import { kindBits, kindsOf, NO_MINUTES, orderBits, SANDBOX, type StoreRow, UNKNOWN_PRICE } from './store-row.ts';
import { ACCOUNT, type Field, KIND, NAME, PLACE } from './term-dictionary.ts';
import { fillTree, treeLengths } from './tree.ts';

/** Distinct values, numbered in order of arrival. */
class Dictionary<Value> {
  readonly values: Value[] = [];
  private readonly numbers = new Map<string, number>();

  numberOf(key: string, value: () => Value): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.values.push(value()) - 1;
    this.numbers.set(key, number);
    return number;
  }
}

/** Maps numbers of a sealed segment to those of the builder into which its slots are copied; -1 until copied. */
class CopiedNumbers {
  readonly terms: Int32Array;
  readonly schedules: Int32Array;
  readonly tails: Int32Array;
  readonly deliveries: Int32Array;
  readonly termSets: Int32Array;

  constructor({ columns }: Segment) {
    this.terms = new Int32Array(columns.termStarts.length).fill(-1);
    this.schedules = new Int32Array(columns.scheduleStarts.length).fill(-1);
    this.tails = new Int32Array(columns.tailStarts.length).fill(-1);
    this.deliveries = new Int32Array(columns.deliveryStarts.length).fill(-1);
    this.termSets = new Int32Array(columns.termSetStarts.length).fill(-1);
  }
}

const CHUNK_BYTES = 1 << 20;

/** Heads of documents: bytes of new rows in chunks; those of sealed segments are not copied. */
class Heads {
  readonly lengths: number[] = [];
  private readonly owners: Uint8Array[] = [];
  private readonly ownerOf: number[] = [];
  private readonly starts: number[] = [];
  private chunk = -1;
  private used = CHUNK_BYTES;

  add(bytes: Uint8Array): void {
    if (this.used + bytes.length > CHUNK_BYTES) {
      this.chunk = this.owners.push(Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, bytes.length))) - 1;
      this.used = 0;
    }
    (this.owners[this.chunk] as Uint8Array).set(bytes, this.used);
    this.refer(this.chunk, this.used, bytes.length);
    this.used += bytes.length;
  }

  addOwner(bytes: Uint8Array): number {
    return this.owners.push(bytes) - 1;
  }

  refer(owner: number, start: number, length: number): void {
    this.ownerOf.push(owner);
    this.starts.push(start);
    this.lengths.push(length);
  }

  copyTo(row: number, target: Buffer, at: number): void {
    const owner = this.owners[this.ownerOf[row] as number] as Uint8Array;
    const start = this.starts[row] as number;
    Buffer.from(owner.buffer, owner.byteOffset, owner.length).copy(
      target,
      at,
      start,
      start + (this.lengths[row] as number),
    );
  }
}

/**
 * Collects stores, new ones as rows and sealed ones as slots, and seals them: sorts them along a Hilbert curve and
 * writes the columns into one block of shared memory.
 */
export class SegmentBuilder {
  private readonly ids: string[] = [];
  private readonly latitudes: number[] = [];
  private readonly longitudes: number[] = [];
  private readonly traits: number[] = [];
  private readonly ratings: number[] = [];
  private readonly pickupMinutes: number[] = [];
  private readonly deliveryMinutes: number[] = [];
  private readonly places: number[] = [];
  private readonly kinds: number[] = [];
  private readonly deliveries: number[] = [];
  private readonly schedules: number[] = [];
  private readonly acceptingDeliveries: number[] = [];
  private readonly pickupOrders: number[] = [];
  private readonly deliveryOrders: number[] = [];
  private readonly tails: number[] = [];
  private readonly nameStarts: number[] = [0];
  private readonly nameTerms: number[] = [];
  private readonly sandboxes = new Map<number, readonly string[]>();
  private readonly heads = new Heads();
  private readonly terms: string[] = [];
  private readonly termNumbers: Readonly<Record<Field, Map<string, number>>> = {
    [NAME]: new Map(),
    [KIND]: new Map(),
    [PLACE]: new Map(),
    [ACCOUNT]: new Map(),
  };
  /** Entries of radii without areas, which are the most common deliveries. */
  private readonly radii = new Map<number, number>();
  private readonly termSets = new Dictionary<readonly number[]>();
  private readonly deliveryNumbers = new Dictionary<Float64Array>();
  private readonly scheduleTexts = new Dictionary<string>();
  private readonly tailBytes = new Dictionary<Uint8Array>();
  /** Entries of tails by object, because rows often share a tail's bytes. */
  private readonly tailOf = new WeakMap<Uint8Array, number>();

  get size(): number {
    return this.ids.length;
  }

  add(row: StoreRow): void {
    const { sandboxAccounts } = row;
    if (sandboxAccounts !== null) this.addSandboxes(sandboxAccounts);
    this.addPlace(row.storeId, row.latitude, row.longitude);
    const price = row.dollarSigns ?? UNKNOWN_PRICE;
    this.traits.push(kindBits(row) | (price << 5) | orderBits(row));
    this.ratings.push(row.rating ?? Number.NaN);
    this.pickupMinutes.push(row.pickupMinutes ?? NO_MINUTES);
    this.deliveryMinutes.push(row.deliveryMinutes ?? NO_MINUTES);
    this.places.push(this.termSet(row.places.map((place) => this.term(PLACE, place))));
    this.kinds.push(this.termSet(kindsOf(row).map((kind) => this.term(KIND, kind))));
    this.deliveries.push(this.delivery(row.delivery));
    this.acceptingDeliveries.push(this.delivery(row.acceptingDelivery));
    this.schedules.push(this.schedule(row.schedule));
    this.pickupOrders.push(this.schedule(row.pickupOrders ?? row.schedule));
    this.deliveryOrders.push(this.schedule(row.deliveryOrders ?? row.schedule));
    this.tails.push(this.tail(row.tail));
    for (const word of row.words) this.nameTerms.push(this.term(NAME, word));
    this.nameStarts.push(this.nameTerms.length);
    this.heads.add(row.head);
  }

  /** Copies a range of a segment's slots, without those that have a tombstone. */
  copier(segment: Segment): (from: number, end: number) => void {
    const copied = new CopiedNumbers(segment);
    const owner = this.heads.addOwner(segment.columns.headBytes);
    return (from, end) => {
      for (let slot = from; slot < end; slot += 1) {
        if (segment.columns.died[slot] === 0) this.copySlot(segment, slot, copied, owner);
      }
    };
  }

  private copySlot(segment: Segment, slot: number, copied: CopiedNumbers, owner: number): void {
    const { columns } = segment;
    const trait = columns.traits[slot] as number;
    if ((trait & SANDBOX) !== 0) this.addSandboxes(segment.sandboxAccounts(slot) ?? []);
    this.addPlace(segment.ids.at(slot), columns.degrees[slot * 2] as number, columns.degrees[slot * 2 + 1] as number);
    this.traits.push(trait);
    this.ratings.push(segment.ratingOf(slot));
    this.pickupMinutes.push(columns.pickupMinutes[slot] as number);
    this.deliveryMinutes.push(columns.deliveryMinutes[slot] as number);
    this.places.push(this.copyTermSet(segment, columns.places[slot] as number, copied));
    this.kinds.push(this.copyTermSet(segment, columns.kinds[slot] as number, copied));
    const delivery = (number: number) =>
      copyNumber(copied.deliveries, number, () => {
        const { deliveries, deliveryStarts } = columns;
        return this.delivery(deliveries.slice(deliveryStarts[number], deliveryStarts[number + 1]));
      });
    this.deliveries.push(delivery(columns.delivery[slot] as number));
    this.acceptingDeliveries.push(delivery(columns.acceptingDelivery[slot] as number));
    const schedule = (number: number) =>
      copyNumber(copied.schedules, number, () => this.schedule(segment.scheduleText(number)));
    this.schedules.push(schedule(columns.schedule[slot] as number));
    this.pickupOrders.push(schedule(columns.pickupOrders[slot] as number));
    this.deliveryOrders.push(schedule(columns.deliveryOrders[slot] as number));
    this.tails.push(
      copyNumber(copied.tails, columns.tail[slot] as number, () =>
        this.tail(Buffer.from(segment.documents.tailOf(slot))),
      ),
    );
    const nameEnd = columns.nameStarts[slot + 1] as number;
    for (let at = columns.nameStarts[slot] as number; at < nameEnd; at += 1) {
      this.nameTerms.push(this.copyTerm(segment, columns.nameTerms[at] as number, copied));
    }
    this.nameStarts.push(this.nameTerms.length);
    const start = columns.headStarts[slot] as number;
    this.heads.refer(owner, start, (columns.headStarts[slot + 1] as number) - start);
  }

  /** Seals the added stores in steps of a few milliseconds. The builder must not be used again. */
  *seal(id: number, memory: SegmentMemory): Generator<void, SegmentData> {
    const order = this.hilbertOrder();
    yield;
    const terms = rankTerms(this.terms);
    yield;
    const sets = this.termSets.values.map((set) => set.map((term) => terms.rankOf[term] as number));
    const postings = this.postingsOf(order, terms.rankOf, sets);
    yield;
    const termBytes = terms.sorted.map((term) => Buffer.from(term));
    const idWidth = idWidthOf(this.ids);
    const ratingValues = [...new Set(this.ratings)].filter((rating) => !Number.isNaN(rating)).sort((a, b) => a - b);
    const sandboxSlots = order.flatMap((row, slot) => (this.sandboxes.has(row) ? [slot] : []));
    const sandboxTexts = sandboxSlots.map((slot) =>
      Buffer.from(JSON.stringify(this.sandboxes.get(order[slot] as number))),
    );
    const scheduleTexts = this.scheduleTexts.values.map((text) => Buffer.from(text));
    const { size } = this;
    const lengths: ColumnLengths = {
      points: size * 3,
      degrees: size * 2,
      died: size,
      places: size,
      traits: size,
      rating: size,
      pickupMinutes: size,
      deliveryMinutes: size,
      delivery: size,
      schedule: size,
      acceptingDelivery: size,
      pickupOrders: size,
      deliveryOrders: size,
      tail: size,
      kinds: size,
      ids: size * idWidth,
      idTable: tableLength(size),
      ratingValues: ratingValues.length + 1,
      headStarts: size + 1,
      headBytes: sum(this.heads.lengths),
      tailStarts: this.tailBytes.values.length + 1,
      tailBytes: totalLength(this.tailBytes.values),
      scheduleStarts: scheduleTexts.length + 1,
      scheduleBytes: totalLength(scheduleTexts),
      deliveryStarts: this.deliveryNumbers.values.length + 1,
      deliveries: totalLength(this.deliveryNumbers.values),
      nameStarts: size + 1,
      nameTerms: this.nameTerms.length,
      termSetStarts: sets.length + 1,
      termSetTerms: totalLength(sets),
      termStarts: termBytes.length + 1,
      termBytes: totalLength(termBytes),
      postingStarts: termBytes.length + 1,
      postings: postings.slots.length,
      sandboxSlots: sandboxSlots.length,
      sandboxStarts: sandboxSlots.length + 1,
      sandboxBytes: totalLength(sandboxTexts),
      ...treeLengths(size),
    };
    const block = memory.acquire(bytesOfColumns(lengths));
    const columns = mapColumns(block, lengths);
    columns.died.fill(0);
    columns.ratingValues.set([Number.NaN, ...ratingValues]);
    putAll(columns.tailBytes, columns.tailStarts, this.tailBytes.values);
    putAll(columns.scheduleBytes, columns.scheduleStarts, scheduleTexts);
    putAll(columns.deliveries, columns.deliveryStarts, this.deliveryNumbers.values);
    putAll(columns.termSetTerms, columns.termSetStarts, sets);
    putAll(columns.termBytes, columns.termStarts, termBytes);
    putAll(columns.sandboxBytes, columns.sandboxStarts, sandboxTexts);
    columns.sandboxSlots.set(sandboxSlots);
    columns.postings.set(postings.slots);
    columns.postingStarts.set(postings.starts);
    yield;
    this.fillSlots(columns, order, {
      rankOf: terms.rankOf,
      codeOf: new Map(ratingValues.map((rating, nth) => [rating, nth + 1])),
    });
    yield;
    this.fillHeads(columns, order);
    yield;
    for (const [slot, row] of order.entries()) {
      columns.ids.set(idBytes(this.ids[row] as string, idWidth) as Buffer, slot * idWidth);
    }
    fillTable(columns.idTable, columns.ids, idWidth);
    yield;
    fillTree(columns, size);
    return { id, size, idWidth, lengths, memory: block };
  }

  /** Adds the accounts of the next store. */
  private addSandboxes(accounts: readonly string[]): void {
    this.sandboxes.set(this.size, [...new Set(accounts)]);
    for (const account of accounts) this.term(ACCOUNT, account);
  }

  private addPlace(storeId: string, latitude: number, longitude: number): void {
    if (this.size >= MAX_SLOTS) throw new RangeError('More stores than a segment holds.');
    this.ids.push(storeId);
    this.latitudes.push(latitude);
    this.longitudes.push(longitude);
  }

  private term(field: Field, text: string): number {
    const numbers = this.termNumbers[field];
    const known = numbers.get(text);
    if (known !== undefined) return known;
    const number = this.terms.push(field + text) - 1;
    numbers.set(text, number);
    return number;
  }

  private copyTerm(segment: Segment, term: number, copied: CopiedNumbers): number {
    return copyNumber(copied.terms, term, () => this.term(segment.terms.fieldAt(term), segment.terms.textAt(term)));
  }

  private copyTermSet(segment: Segment, set: number, copied: CopiedNumbers): number {
    return copyNumber(copied.termSets, set, () => {
      const { termSetTerms, termSetStarts } = segment.columns;
      const terms = termSetTerms.slice(termSetStarts[set], termSetStarts[set + 1]);
      return this.termSet(Array.from(terms, (term) => this.copyTerm(segment, term, copied)));
    });
  }

  private termSet(terms: readonly number[]): number {
    return this.termSets.numberOf(terms.join(), () => terms);
  }

  private schedule(text: string): number {
    return this.scheduleTexts.numberOf(text, () => text);
  }

  private delivery(numbers: Float64Array): number {
    if (numbers.length > NO_DELIVERY.length) return this.deliveryOfAreas(numbers);
    const radius = numbers[0] as number;
    const number = this.radii.get(radius) ?? this.deliveryOfAreas(numbers);
    this.radii.set(radius, number);
    return number;
  }

  private deliveryOfAreas(numbers: Float64Array): number {
    const key = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('latin1');
    return this.deliveryNumbers.numberOf(key, () => numbers);
  }

  private tail(bytes: Uint8Array): number {
    const known = this.tailOf.get(bytes);
    if (known !== undefined) return known;
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    const number = this.tailBytes.numberOf(key, () => bytes);
    this.tailOf.set(bytes, number);
    return number;
  }

  /** Returns the row numbers in slot order. */
  private hilbertOrder(): number[] {
    const keys = Float64Array.from(this.latitudes, (latitude, row) => {
      return hilbertKey(latitude, this.longitudes[row] as number) * MAX_SLOTS + row;
    });
    return Array.from(keys.sort(), (key) => key % MAX_SLOTS);
  }

  private postingsOf(order: readonly number[], rankOf: Uint32Array, sets: readonly number[][]): Postings {
    const counts = new Uint32Array(rankOf.length + 1);
    this.visitTerms(order, rankOf, sets, (term) => {
      counts[term + 1] = (counts[term + 1] as number) + 1;
    });
    for (let term = 0; term < rankOf.length; term += 1)
      counts[term + 1] = (counts[term + 1] as number) + (counts[term] as number);
    const slots = new Uint32Array(counts[rankOf.length] as number);
    const next = counts.slice();
    this.visitTerms(order, rankOf, sets, (term, slot) => {
      slots[next[term] as number] = slot;
      next[term] = (next[term] as number) + 1;
    });
    return { slots, starts: counts };
  }

  /** Visits the distinct terms of each slot, in slot order. */
  private visitTerms(
    order: readonly number[],
    rankOf: Uint32Array,
    sets: readonly number[][],
    visit: (term: number, slot: number) => void,
  ): void {
    for (let slot = 0; slot < order.length; slot += 1) {
      const row = order[slot] as number;
      const start = this.nameStarts[row] as number;
      const end = this.nameStarts[row + 1] as number;
      for (let at = start; at < end; at += 1) {
        const term = this.nameTerms[at] as number;
        if (this.nameTerms.indexOf(term, start) === at) visit(rankOf[term] as number, slot);
      }
      for (const term of sets[this.places[row] as number] as number[]) visit(term, slot);
      for (const term of sets[this.kinds[row] as number] as number[]) visit(term, slot);
      for (const account of this.sandboxes.get(row) ?? []) {
        visit(rankOf[this.term(ACCOUNT, account)] as number, slot);
      }
    }
  }

  private fillSlots(
    columns: Columns,
    order: readonly number[],
    { rankOf, codeOf }: { rankOf: Uint32Array; codeOf: ReadonlyMap<number, number> },
  ): void {
    let names = 0;
    for (let slot = 0; slot < order.length; slot += 1) {
      const row = order[slot] as number;
      const [latitude, longitude] = [this.latitudes[row] as number, this.longitudes[row] as number];
      const { x, y, z } = unitVectorAt(latitude, longitude);
      columns.points[slot * 3] = x;
      columns.points[slot * 3 + 1] = y;
      columns.points[slot * 3 + 2] = z;
      columns.degrees[slot * 2] = latitude;
      columns.degrees[slot * 2 + 1] = longitude;
      columns.traits[slot] = this.traits[row] as number;
      columns.rating[slot] = codeOf.get(this.ratings[row] as number) ?? 0;
      columns.pickupMinutes[slot] = this.pickupMinutes[row] as number;
      columns.deliveryMinutes[slot] = this.deliveryMinutes[row] as number;
      columns.places[slot] = this.places[row] as number;
      columns.kinds[slot] = this.kinds[row] as number;
      columns.delivery[slot] = this.deliveries[row] as number;
      columns.schedule[slot] = this.schedules[row] as number;
      columns.acceptingDelivery[slot] = this.acceptingDeliveries[row] as number;
      columns.pickupOrders[slot] = this.pickupOrders[row] as number;
      columns.deliveryOrders[slot] = this.deliveryOrders[row] as number;
      columns.tail[slot] = this.tails[row] as number;
      columns.nameStarts[slot] = names;
      const end = this.nameStarts[row + 1] as number;
      for (let at = this.nameStarts[row] as number; at < end; at += 1) {
        columns.nameTerms[names] = rankOf[this.nameTerms[at] as number] as number;
        names += 1;
      }
    }
    columns.nameStarts[order.length] = names;
  }

  private fillHeads(columns: Columns, order: readonly number[]): void {
    const target = Buffer.from(columns.headBytes.buffer, columns.headBytes.byteOffset, columns.headBytes.length);
    let at = 0;
    for (let slot = 0; slot < order.length; slot += 1) {
      const row = order[slot] as number;
      columns.headStarts[slot] = at;
      this.heads.copyTo(row, target, at);
      at += this.heads.lengths[row] as number;
    }
    columns.headStarts[order.length] = at;
  }
}

type Postings = { slots: Uint32Array; starts: Uint32Array };

/** Seals a few rows at once. */
export function sealRows(rows: Iterable<StoreRow>, id: number, memory: SegmentMemory): SegmentData {
  const builder = new SegmentBuilder();
  for (const row of rows) builder.add(row);
  return finish(builder.seal(id, memory));
}

export function finish<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function copyNumber(numbers: Int32Array, number: number, make: (number: number) => number): number {
  const known = numbers[number] as number;
  if (known !== -1) return known;
  const made = make(number);
  numbers[number] = made;
  return made;
}

/** Returns the terms sorted by UTF-8 bytes, and the rank of each. */
function rankTerms(terms: readonly string[]): { sorted: string[]; rankOf: Uint32Array } {
  // Without surrogates, native string order equals byte order and is faster.
  const isPlain = terms.every((term) => !/[\ud800-\uffff]/.test(term));
  const sorted = isPlain
    ? [...terms].sort()
    : terms
        .map((term) => ({ term, bytes: Buffer.from(term) }))
        .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
        .map(({ term }) => term);
  const ranks = new Map(sorted.map((term, rank) => [term, rank]));
  return { sorted, rankOf: Uint32Array.from(terms, (term) => ranks.get(term) as number) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function totalLength(lists: readonly ArrayLike<number>[]): number {
  return lists.reduce((total, { length }) => total + length, 0);
}

function putAll(
  target: Uint8Array | Uint32Array | Float64Array,
  starts: Uint32Array,
  lists: readonly ArrayLike<number>[],
): void {
  let at = 0;
  for (const [nth, list] of lists.entries()) {
    starts[nth] = at;
    target.set(list, at);
    at += list.length;
  }
  starts[lists.length] = at;
}
