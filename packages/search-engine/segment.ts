import { type Columns, mapColumns, type SegmentData } from './columns.ts';
import { bufferOf, Documents } from './documents.ts';
import type { UnitVector } from './geography/sphere.ts';
import { PostingLists } from './posting-lists.ts';
import { StoreIds } from './store-ids.ts';
import { ORDERING } from './store-row.ts';
import { TermDictionary } from './term-dictionary.ts';
import { TreeShape } from './tree.ts';

/**
 * State of a schedule: whether it is open, when that ends, and its JSON in a document. Equal schedules share one state.
 */
export type OpenState = { readonly open: boolean; readonly untilS: number; members(isOrderingOn: boolean): Buffer };

/**
 * Stores sealed together, in Hilbert order; a store's position is its slot. Only `died` ever changes in its data: a
 * changed store gets a slot in a newer segment and a tombstone in this one.
 */
export class Segment {
  readonly id: number;
  readonly size: number;
  readonly data: SegmentData;
  readonly columns: Columns;
  readonly tree: TreeShape;
  readonly terms: TermDictionary;
  readonly postings: PostingLists;
  readonly documents: Documents;
  readonly ids: StoreIds;
  /** Sort key of each rating code, best first. */
  readonly ratingKeys: Float64Array;
  /** The last state of each schedule, and the epoch second that it was evaluated for (`OpeningHours`). */
  readonly openStates: (OpenState | undefined)[];
  readonly openFromS: Float64Array;
  /** Number of tombstones, counted in the writer's thread only. */
  tombstones = 0;

  constructor(data: SegmentData) {
    this.id = data.id;
    this.size = data.size;
    this.data = data;
    this.columns = mapColumns(data.memory, data.lengths);
    this.tree = new TreeShape(data.size);
    this.terms = new TermDictionary(this.columns);
    this.postings = new PostingLists(this.columns, data.size);
    this.documents = new Documents(this.columns);
    this.ratingKeys = this.columns.ratingValues.map((rating) => (Number.isNaN(rating) ? Infinity : -rating));
    const schedules = this.columns.scheduleStarts.length - 1;
    this.openStates = new Array(schedules);
    this.openFromS = new Float64Array(schedules);
    this.ids = new StoreIds(this.columns, data.idWidth);
  }

  /** Whether the slot's store is alive at a version that includes the segment. */
  isAlive(slot: number, version: number): boolean {
    const died = this.columns.died[slot] as number;
    return died === 0 || died > version;
  }

  get liveSlots(): number {
    return this.size - this.tombstones;
  }

  chordTo(slot: number, { x, y, z }: UnitVector): number {
    const { points } = this.columns;
    const dx = (points[slot * 3] as number) - x;
    const dy = (points[slot * 3 + 1] as number) - y;
    const dz = (points[slot * 3 + 2] as number) - z;
    return dx * dx + dy * dy + dz * dz;
  }

  isOrderingOn(slot: number): boolean {
    return ((this.columns.traits[slot] as number) & ORDERING) !== 0;
  }

  /** Returns the rating of a store; NaN if it has none. */
  ratingOf(slot: number): number {
    return this.columns.ratingValues[this.columns.rating[slot] as number] as number;
  }

  /** Returns the lowest code whose rating is at least `rating`. */
  ratingCode(rating: number): number {
    const { ratingValues } = this.columns;
    let code = 1;
    while (code < ratingValues.length && (ratingValues[code] as number) < rating) code += 1;
    return code;
  }

  scheduleText(schedule: number): string {
    const { scheduleBytes, scheduleStarts } = this.columns;
    return bufferOf(scheduleBytes).toString('utf8', scheduleStarts[schedule], scheduleStarts[schedule + 1]);
  }

  deliveryStart(slot: number): number {
    return this.columns.deliveryStarts[this.columns.delivery[slot] as number] as number;
  }

  /** Returns the accounts of a sandbox place; null for a public store. */
  sandboxAccounts(slot: number): readonly string[] | null {
    const { sandboxSlots, sandboxStarts, sandboxBytes } = this.columns;
    const at = sandboxSlots.indexOf(slot);
    if (at === -1) return null;
    return JSON.parse(bufferOf(sandboxBytes).toString('utf8', sandboxStarts[at], sandboxStarts[at + 1]));
  }
}
