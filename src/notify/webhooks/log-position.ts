import { boundedCount, type CursorValue, readCursor, writeCursor } from '../../platform/http/page-cursor.ts';

/**
 * PostgreSQL's `pg_snapshot` as text, such as `10:20:10,14,15`: transactions below the first number are visible, none
 * from the second on, and between them those not in the list.
 */
export type LogSnapshot = string;

/** The sort key of an event: time in epoch microseconds, then order, then `sequence`. */
export type EventSortKey = { atMicros: bigint; orderId: string; sequence: number };

/**
 * A reader's position in an account's log: events visible in `seen`, taken at `seenMs` (epoch milliseconds). Between
 * pages of one poll, `poll` has the poll's end and the last event of the previous page.
 */
export type LogPosition = {
  seen: LogSnapshot;
  seenMs: number;
  poll: { until: LogSnapshot; untilMs: number; last: EventSortKey } | null;
};

/** Maximum length of a position: about a hundred characters, and fifteen for each transaction that was running. */
export const MAX_POSITION_LETTERS = 8192;

const PARTS_OF_START = 2;
const PARTS_OF_LOOK = 7;
const MAX_XID = 2n ** 63n - 1n;
/** Maximum epoch milliseconds of Temporal, in the year 275,760. */
const MAX_EPOCH_MS = 8_640_000_000_000_000;
const MAX_SEQUENCE = 2_147_483_647;

export function writePosition({ seen, seenMs, poll }: LogPosition): string {
  if (!poll) return writeCursor(seenMs, seen);
  const { until, untilMs, last } = poll;
  return writeCursor(seenMs, seen, untilMs, until, String(last.atMicros), last.orderId, last.sequence);
}

/** Reads a position from a cursor; refuses any other text with `invalid_request`. */
export function readPosition(after: string): LogPosition {
  return readCursor(after, { in: 'query', name: 'after' }, parsePosition);
}

function parsePosition(parts: readonly CursorValue[]): LogPosition | undefined {
  const [ms, snapshot, untilValue, untilSnapshot, at = '', orderId = '', sequenceValue] = parts;
  const [seenMs, seen] = [boundedCount(MAX_EPOCH_MS, ms), parseSnapshot(snapshot)];
  if (seenMs === undefined || seen === undefined) return undefined;
  if (parts.length === PARTS_OF_START) return { seen, seenMs, poll: null };
  const [untilMs, until] = [boundedCount(MAX_EPOCH_MS, untilValue), parseSnapshot(untilSnapshot)];
  const [atMicros, sequence] = [parseMicros(at), boundedCount(MAX_SEQUENCE, sequenceValue)];
  const isWhole = parts.length === PARTS_OF_LOOK && typeof orderId === 'string' && /^[\w-]{1,64}$/.test(orderId);
  if (!isWhole || untilMs === undefined || until === undefined || atMicros === undefined) return undefined;
  return sequence === undefined
    ? undefined
    : { seen, seenMs, poll: { until, untilMs, last: { atMicros, orderId, sequence } } };
}

/** Returns the first transaction id that the snapshot does not see. */
export const endOfSnapshot = (snapshot: LogSnapshot): bigint => BigInt(snapshot.split(':')[1] ?? 0);

/** Parses a snapshot; undefined unless PostgreSQL can read it. */
function parseSnapshot(value: CursorValue | undefined): LogSnapshot | undefined {
  if (typeof value !== 'string' || !/^\d{1,19}:\d{1,19}:(\d{1,19}(,\d{1,19})*)?$/.test(value)) return undefined;
  const [min = 0n, max = 0n, ...running] = value.split(/[:,]/).filter(Boolean).map(BigInt);
  const isAscending = running.every((xid, n) => xid > (running[n - 1] ?? min - 1n) && xid < max);
  return min > 0n && min <= max && max <= MAX_XID && isAscending ? value : undefined;
}

function parseMicros(value: CursorValue): bigint | undefined {
  return typeof value === 'string' && /^\d{1,19}$/.test(value) && Number(value) / 1000 <= MAX_EPOCH_MS
    ? BigInt(value)
    : undefined;
}
