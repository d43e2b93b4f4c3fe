/**
 * What a transaction of PostgreSQL sees of others (`pg_snapshot`): every transaction below `min`, none from `max` on, and
 * between both each one that is not among `running`, which is ascending.
 */
export type Snapshot = { min: bigint; max: bigint; running: readonly bigint[] };

/** The key of an event, in the sequence of a page: by time, in microseconds since 1970, then by order and sequence. */
export type EventPlace = { atMicros: bigint; orderId: string; sequence: number };

/**
 * How far a reader has the log of an account: each event that was visible in `seen`, which was taken at the moment
 * `seenMs` (epoch milliseconds). Between two pages of one look `look` has where the look ends, and the last event of the
 * page before.
 */
export type LogPosition = {
  seen: Snapshot;
  seenMs: number;
  look: { until: Snapshot; untilMs: number; last: EventPlace } | null;
};

/** A position has some hundred letters, and ten more for each transaction that was running. */
export const MAX_POSITION_LETTERS = 8192;

const PARTS_OF_START = 2;
const PARTS_OF_LOOK = 7;
const MAX_XID = 2n ** 63n - 1n;
/** Temporal counts to 275,760 CE. */
const MAX_MS = 8_640_000_000_000_000;
const MAX_SEQUENCE = 2_147_483_647;

/** The position as letters that a URL carries as they are. */
export function formatPosition({ seen, seenMs, look }: LogPosition): string {
  const start = [seenMs, formatSnapshot(seen)];
  if (!look) return start.join('~');
  const { until, untilMs, last } = look;
  return [...start, untilMs, formatSnapshot(until), last.atMicros, last.orderId, last.sequence].join('~');
}

/** The position that `formatPosition` wrote; undefined for any other text. */
export function parsePosition(text: string): LogPosition | undefined {
  const parts = text.split('~');
  const [ms = '', snapshot = '', untilText = '', untilSnapshot = '', at = '', orderId = '', sequenceText = ''] = parts;
  const [seen, seenMs] = [parseSnapshot(snapshot), numberUpTo(MAX_MS, ms)];
  if (!seen || seenMs === undefined) return undefined;
  if (parts.length === PARTS_OF_START) return { seen, seenMs, look: null };
  const [until, untilMs] = [parseSnapshot(untilSnapshot), numberUpTo(MAX_MS, untilText)];
  const [atMicros, sequence] = [numberUpTo(MAX_MS, at.slice(0, -3)), numberUpTo(MAX_SEQUENCE, sequenceText)];
  const isWhole = parts.length === PARTS_OF_LOOK && /^\d+$/.test(at) && /^[\w-]{1,64}$/.test(orderId);
  if (!isWhole || !until || untilMs === undefined || atMicros === undefined || sequence === undefined) return undefined;
  return { seen, seenMs, look: { until, untilMs, last: { atMicros: BigInt(at), orderId, sequence } } };
}

/** A `pg_snapshot` from PostgreSQL: `10:20:10,14,15`. Throws SyntaxError for another text. */
export function readSnapshot(text: string): Snapshot {
  const [min = '', max = '', running = ''] = text.split(':');
  const xids = running === '' ? [] : running.split(',').map(BigInt);
  return { min: BigInt(min), max: BigInt(max), running: xids };
}

/** The same for PostgreSQL. */
export function snapshotText({ min, max, running }: Snapshot): string {
  return `${min}:${max}:${running.join()}`;
}

/**
 * Whether nothing that was written since the first snapshot may be visible in the second: no transaction has begun to
 * write in between, and none has ended.
 */
export function isSameSnapshot(one: Snapshot, other: Snapshot): boolean {
  return snapshotText(one) === snapshotText(other);
}

/** `min`, and how far the others are above `min`, in base 36. */
function formatSnapshot({ min, max, running }: Snapshot): string {
  return [min, ...[max, ...running].map((xid) => xid - min)].map((part) => part.toString(36)).join('.');
}

function parseSnapshot(text: string): Snapshot | undefined {
  if (!/^[0-9a-z]{1,13}(\.[0-9a-z]{1,13})+$/.test(text)) return undefined;
  const [min = 0n, width = 0n, ...above] = text.split('.').map(ofBase36);
  const running = above.map((xid) => min + xid);
  const isAscending = above.every((xid, n) => xid < width && (n === 0 || xid > (above[n - 1] ?? 0n)));
  return min > 0n && min + width <= MAX_XID && isAscending ? { min, max: min + width, running } : undefined;
}

function ofBase36(text: string): bigint {
  let value = 0n;
  for (const letter of text) value = value * 36n + BigInt(Number.parseInt(letter, 36));
  return value;
}

function numberUpTo(max: number, text: string): number | undefined {
  return /^\d{1,16}$/.test(text) && Number(text) <= max ? Number(text) : undefined;
}
