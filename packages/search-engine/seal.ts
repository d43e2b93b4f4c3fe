import {
  bytesOfColumns,
  type ColumnLengths,
  type Columns,
  MAX_SLOTS,
  mapColumns,
  type SegmentData,
} from './columns.ts';
import { NO_DELIVERY } from './delivery.ts';
import { bufferOf } from './documents.ts';
import { unitVectorAt } from './geography/sphere.ts';
import { hilbertKey } from './hilbert.ts';
import type { Segment } from './segment.ts';
import type { SegmentMemory } from './segment-memory.ts';
import { fillTable, idBytes, idWidthOf, tableLength } from './store-ids.ts';
import { kindBits, kindsOf, NO_MINUTES, orderBits, SANDBOX, type StoreRow, UNKNOWN_PRICE } from './store-row.ts';
import { ACCOUNT, type Field, KIND, NAME, PLACE } from './term-dictionary.ts';
import { fillTree, TreeShape } from './tree.ts';

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

/** Columns with a number for each store: collected by row, sealed by slot. */
const ROW_COLUMNS = [
  'traits',
  'pickupMinutes',
  'deliveryMinutes',
  'beginsAt',
  'busyUntil',
  'busyMinutes',
  'places',
  'kinds',
  'delivery',
  'schedule',
  'acceptingDelivery',
  'pickupOrders',
  'deliveryOrders',
  'tail',
] as const;
type RowColumns<Value> = Record<(typeof ROW_COLUMNS)[number], Value>;

const rowColumns = <Value>(create: () => Value): RowColumns<Value> =>
  Object.fromEntries(ROW_COLUMNS.map((name) => [name, create()])) as RowColumns<Value>;

const CHUNK_BYTES = 1 << 20;

/** Heads of documents: bytes of new rows in chunks; the heads of sealed segments are not copied. */
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
    bufferOf(owner).copy(target, at, start, start + (this.lengths[row] as number));
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
  private readonly rows = rowColumns((): number[] => []);
  private readonly ratings: number[] = [];
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
    const { rows } = this;
    const { sandboxAccounts } = row;
    if (sandboxAccounts !== null) this.addSandboxes(sandboxAccounts);
    this.addPlace(row.storeId, row.latitude, row.longitude);
    const price = row.dollarSigns ?? UNKNOWN_PRICE;
    rows.traits.push(kindBits(row) | (price << 5) | orderBits(row));
    this.ratings.push(row.rating ?? Number.NaN);
    rows.pickupMinutes.push(row.pickupMinutes ?? NO_MINUTES);
    rows.deliveryMinutes.push(row.deliveryMinutes ?? NO_MINUTES);
    rows.beginsAt.push(row.beginsAtS ?? 0);
    rows.busyUntil.push(row.busy?.untilS ?? 0);
    rows.busyMinutes.push(row.busy?.minutes ?? 0);
    rows.places.push(this.termSet(row.places.map((place) => this.term(PLACE, place))));
    rows.kinds.push(this.termSet(kindsOf(row).map((kind) => this.term(KIND, kind))));
    rows.delivery.push(this.delivery(row.delivery));
    rows.acceptingDelivery.push(this.delivery(row.acceptingDelivery));
    rows.schedule.push(this.schedule(row.schedule));
    rows.pickupOrders.push(this.schedule(row.pickupOrders ?? row.schedule));
    rows.deliveryOrders.push(this.schedule(row.deliveryOrders ?? row.schedule));
    rows.tail.push(this.tail(row.tail));
    for (const word of row.words) this.nameTerms.push(this.term(NAME, word));
    this.nameStarts.push(this.nameTerms.length);
    this.heads.add(row.head);
  }

  /** Copies a range of a segment's slots, without slots that have a tombstone. */
  copier(segment: Segment): (from: number, end: number) => void {
    const { rows } = this;
    const { columns, terms } = segment;
    const { termSetTerms, termSetStarts, deliveries, deliveryStarts, tailBytes, tailStarts } = columns;
    const owner = this.heads.addOwner(columns.headBytes);
    const term = copied(terms.size, (own) => this.term(terms.fieldAt(own), terms.textAt(own)));
    const termsOf = (set: number) => Array.from(termSetTerms.slice(termSetStarts[set], termSetStarts[set + 1]), term);
    const termSet = copied(termSetStarts.length, (own) => this.termSet(termsOf(own)));
    const delivery = copied(deliveryStarts.length, (own) =>
      this.delivery(deliveries.slice(deliveryStarts[own], deliveryStarts[own + 1])),
    );
    const schedule = copied(columns.scheduleStarts.length, (own) => this.schedule(segment.scheduleText(own)));
    const tail = copied(tailStarts.length, (own) => this.tail(tailBytes.slice(tailStarts[own], tailStarts[own + 1])));
    const copySlot = (slot: number): void => {
      const trait = columns.traits[slot] as number;
      if ((trait & SANDBOX) !== 0) this.addSandboxes(segment.sandboxAccounts(slot) ?? []);
      this.addPlace(segment.ids.at(slot), columns.degrees[slot * 2] as number, columns.degrees[slot * 2 + 1] as number);
      rows.traits.push(trait);
      this.ratings.push(segment.ratingOf(slot));
      rows.pickupMinutes.push(columns.pickupMinutes[slot] as number);
      rows.deliveryMinutes.push(columns.deliveryMinutes[slot] as number);
      rows.beginsAt.push(columns.beginsAt[slot] as number);
      rows.busyUntil.push(columns.busyUntil[slot] as number);
      rows.busyMinutes.push(columns.busyMinutes[slot] as number);
      rows.places.push(termSet(columns.places[slot] as number));
      rows.kinds.push(termSet(columns.kinds[slot] as number));
      rows.delivery.push(delivery(columns.delivery[slot] as number));
      rows.acceptingDelivery.push(delivery(columns.acceptingDelivery[slot] as number));
      rows.schedule.push(schedule(columns.schedule[slot] as number));
      rows.pickupOrders.push(schedule(columns.pickupOrders[slot] as number));
      rows.deliveryOrders.push(schedule(columns.deliveryOrders[slot] as number));
      rows.tail.push(tail(columns.tail[slot] as number));
      const nameEnd = columns.nameStarts[slot + 1] as number;
      for (let at = columns.nameStarts[slot] as number; at < nameEnd; at += 1) {
        this.nameTerms.push(term(columns.nameTerms[at] as number));
      }
      this.nameStarts.push(this.nameTerms.length);
      const start = columns.headStarts[slot] as number;
      this.heads.refer(owner, start, (columns.headStarts[slot + 1] as number) - start);
    };
    return (from, end) => {
      for (let slot = from; slot < end; slot += 1) if (columns.died[slot] === 0) copySlot(slot);
    };
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
    const { nodes } = new TreeShape(size);
    const lengths: ColumnLengths = {
      ...rowColumns(() => size),
      points: size * 3,
      degrees: size * 2,
      died: size,
      rating: size,
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
      boxes: nodes * 6,
      bounds: nodes * 4,
      reaches: nodes,
      nodeKinds: nodes,
      nodePrices: nodes,
      nodeRatings: nodes,
      nodePickupMinutes: nodes,
      nodeDeliveryMinutes: nodes,
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
    this.fillSlots(columns, order, terms.rankOf, new Map(ratingValues.map((rating, nth) => [rating, nth + 1])));
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
    const number = this.tailBytes.numberOf(bufferOf(bytes).toString('latin1'), () => bytes);
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

  private postingsOf(order: readonly number[], rankOf: Uint32Array, sets: readonly number[][]) {
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

  /** Visits each slot's distinct terms, in slot order. */
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
      for (const term of sets[this.rows.places[row] as number] as number[]) visit(term, slot);
      for (const term of sets[this.rows.kinds[row] as number] as number[]) visit(term, slot);
      for (const account of this.sandboxes.get(row) ?? []) {
        visit(rankOf[this.term(ACCOUNT, account)] as number, slot);
      }
    }
  }

  private fillSlots(
    columns: Columns,
    order: readonly number[],
    rankOf: Uint32Array,
    codeOf: ReadonlyMap<number, number>,
  ): void {
    for (const name of ROW_COLUMNS) {
      const [column, numbers] = [columns[name], this.rows[name]];
      for (let slot = 0; slot < order.length; slot += 1) column[slot] = numbers[order[slot] as number] as number;
    }
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
      columns.rating[slot] = codeOf.get(this.ratings[row] as number) ?? 0;
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
    const target = bufferOf(columns.headBytes);
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

export function finish<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Returns the builder's number of an entry of a sealed segment, which is added when it is first copied. */
function copied(entries: number, add: (entry: number) => number): (entry: number) => number {
  const numbers = new Int32Array(entries).fill(-1);
  return (entry) => {
    if (numbers[entry] === -1) numbers[entry] = add(entry);
    return numbers[entry] as number;
  };
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

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const totalLength = (lists: readonly ArrayLike<number>[]): number =>
  lists.reduce((total, { length }) => total + length, 0);

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
