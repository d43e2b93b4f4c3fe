/**
 * A segment's columns in one SharedArrayBuffer: threads share it, files store it unchanged, and a compaction reuses it
 * whole. Arrays with one number per slot are in slot order; `starts` has one more entry than its list.
 */
export const COLUMNS = {
  /** By slot: x, y, z on the unit sphere. */
  points: Float64Array,
  /** By slot: latitude, longitude. */
  degrees: Float64Array,
  /** The distinct ratings, ascending, from code 1 on. Code 0 is NaN, for no rating. */
  ratingValues: Float64Array,
  /** Where stores deliver; each distinct shape once (`packDelivery`). */
  deliveries: Float64Array,
  /**
   * By tree node: `boxes` is minimum and maximum x, y, z; `bounds` is south, north, west, east; `reaches` is the
   * largest reach of its stores.
   */
  boxes: Float64Array,
  bounds: Float64Array,
  reaches: Float64Array,
  /** By slot: the first version without the store, or 0. The only column that changes. */
  died: Uint32Array,
  nodeKinds: Uint32Array,
  headStarts: Uint32Array,
  tailStarts: Uint32Array,
  scheduleStarts: Uint32Array,
  deliveryStarts: Uint32Array,
  nameStarts: Uint32Array,
  /** The terms of each name, in their order. */
  nameTerms: Uint32Array,
  /** By slot: the numbers of its set of place terms and of its set of kind terms. */
  places: Uint32Array,
  kinds: Uint32Array,
  termSetStarts: Uint32Array,
  termSetTerms: Uint32Array,
  termStarts: Uint32Array,
  postingStarts: Uint32Array,
  sandboxStarts: Uint32Array,
  /** By slot: kind (5 bits), price level (3 bits), then `orderBits`. */
  traits: Uint16Array,
  rating: Uint32Array,
  pickupMinutes: Uint16Array,
  deliveryMinutes: Uint16Array,
  /** By slot: when the kitchen starts an order placed now, in epoch seconds; 0 for at once. */
  beginsAt: Uint32Array,
  /** By slot: until when its kitchen is busy, in epoch seconds, and the minutes that this adds. */
  busyUntil: Uint32Array,
  delivery: Uint32Array,
  schedule: Uint32Array,
  /** By slot, as `delivery` and `schedule`: where accepting parties deliver, and when each mode takes orders. */
  acceptingDelivery: Uint32Array,
  pickupOrders: Uint32Array,
  deliveryOrders: Uint32Array,
  tail: Uint32Array,
  nodeRatings: Uint32Array,
  nodePickupMinutes: Uint16Array,
  nodeDeliveryMinutes: Uint16Array,
  /** The slots of each term, ascending. */
  postings: Uint32Array,
  /** A hash table of ids; values are slots plus 1. */
  idTable: Uint32Array,
  /** The slots of sandbox places, ascending; `sandboxBytes` has their accounts as JSON. */
  sandboxSlots: Uint32Array,
  busyMinutes: Uint8Array,
  nodePrices: Uint8Array,
  ids: Uint8Array,
  headBytes: Uint8Array,
  tailBytes: Uint8Array,
  scheduleBytes: Uint8Array,
  termBytes: Uint8Array,
  sandboxBytes: Uint8Array,
} as const;

export type ColumnName = keyof typeof COLUMNS;
export type Columns = { readonly [Name in ColumnName]: InstanceType<(typeof COLUMNS)[Name]> };
type SharedColumn = new (memory: SharedArrayBuffer, at: number, length: number) => Columns[ColumnName];
/** Number of elements of each column. */
export type ColumnLengths = { readonly [Name in ColumnName]: number };

export const COLUMN_NAMES = Object.keys(COLUMNS) as ColumnName[];

/** A segment in the form where threads and files pass it: plain numbers and shared memory. */
export type SegmentData = {
  readonly id: number;
  readonly size: number;
  readonly idWidth: number;
  readonly lengths: ColumnLengths;
  readonly memory: SharedArrayBuffer;
  /** Whether all its stores and terms were already in segments of the same writer. */
  readonly isRewritten?: boolean;
};

const ALIGNMENT_BYTES = 8;

/**
 * Maximum slots per segment, so that a slot fits alongside a Hilbert key in a double. A view numbers a store as segment
 * number times MAX_SLOTS plus slot.
 */
export const MAX_SLOTS = 2 ** 17;

export const bytesOfColumns = (lengths: ColumnLengths): number =>
  COLUMN_NAMES.reduce((sum, name) => sum + alignedBytes(name, lengths[name]), 0);

export function mapColumns(memory: SharedArrayBuffer, lengths: ColumnLengths): Columns {
  let at = 0;
  const columns: Partial<Record<ColumnName, Columns[ColumnName]>> = {};
  for (const name of COLUMN_NAMES) {
    const Column = COLUMNS[name] as SharedColumn;
    columns[name] = new Column(memory, at, lengths[name]);
    at += alignedBytes(name, lengths[name]);
  }
  return columns as Columns;
}

const alignedBytes = (name: ColumnName, length: number): number =>
  Math.ceil((length * COLUMNS[name].BYTES_PER_ELEMENT) / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
