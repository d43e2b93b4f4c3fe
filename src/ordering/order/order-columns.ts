import { mapMember, recordByName } from '../../platform/lib/records.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import type { Order } from './order.ts';

/*
 * The columns of `orders`, each once: its field, SQL type and who writes it. All statements that read or write orders
 * are made from this list.
 */

type SqlType<Value> = Value extends Temporal.Instant
  ? 'timestamptz'
  : Value extends string
    ? 'text'
    : Value extends number
      ? 'integer' | 'bigint'
      : Value extends boolean
        ? 'boolean'
        : 'jsonb';

/**
 * Describes the column of a field of this type. `part` decides when it is written: identity once, request with each new
 * quote, progress with each step.
 */
type Column<Value> = { type: SqlType<NonNullable<Value>> } & (
  | { part: 'identity' | 'request' }
  | {
      part: 'progress';
      /** Value before the order's first step, and the column's default. */
      start: Value;
      /** Whether the event log stores its value after each event. */
      logged?: true;
    }
);

/**
 * Every field of an order and its column. All statements that read or write orders are built from this list. The column
 * `requoted_at` is not a field.
 */
export const ORDER_COLUMNS = {
  orderId: { type: 'text', part: 'identity' },
  accountId: { type: 'text', part: 'identity' },
  mode: { type: 'text', part: 'identity' },
  createdAt: { type: 'timestamptz', part: 'identity' },
  storeId: { type: 'text', part: 'request' },
  request: { type: 'jsonb', part: 'request' },
  quote: { type: 'jsonb', part: 'request' },
  idempotencyKey: { type: 'text', part: 'request' },
  checkoutKey: { type: 'text', part: 'request' },
  checkoutUntil: { type: 'timestamptz', part: 'request' },
  handoverCode: { type: 'text', part: 'request' },
  status: { type: 'text', part: 'progress', start: 'unplaced', logged: true },
  moneyPlan: { type: 'text', part: 'progress', start: null },
  chargeState: { type: 'text', part: 'progress', start: 'none', logged: true },
  chargeAttempt: { type: 'integer', part: 'progress', start: 0 },
  chargeStartedAt: { type: 'timestamptz', part: 'progress', start: null },
  handoverTries: { type: 'integer', part: 'progress', start: 0 },
  waitingChargeId: { type: 'text', part: 'progress', start: null },
  chargeId: { type: 'text', part: 'progress', start: null },
  authorizedCents: { type: 'bigint', part: 'progress', start: null, logged: true },
  capturedCents: { type: 'bigint', part: 'progress', start: null, logged: true },
  holdAttempt: { type: 'integer', part: 'progress', start: null },
  holdUntil: { type: 'timestamptz', part: 'progress', start: null, logged: true },
  chargedCents: { type: 'bigint', part: 'progress', start: 0, logged: true },
  refundedCents: { type: 'bigint', part: 'progress', start: 0, logged: true },
  refundingCents: { type: 'bigint', part: 'progress', start: 0, logged: true },
  collectedCents: { type: 'bigint', part: 'progress', start: null, logged: true },
  collectedBy: { type: 'text', part: 'progress', start: null, logged: true },
  addedTipCents: { type: 'bigint', part: 'progress', start: 0, logged: true },
  waivedTipCents: { type: 'bigint', part: 'progress', start: 0, logged: true },
  refundedTipCents: { type: 'bigint', part: 'progress', start: 0, logged: true },
  refundedAccountCents: { type: 'bigint', part: 'progress', start: 0, logged: true },
  stockHeld: { type: 'jsonb', part: 'progress', start: [] },
  slotHeld: { type: 'boolean', part: 'progress', start: false },
  roomHeld: { type: 'jsonb', part: 'progress', start: [] },
  adjustments: { type: 'jsonb', part: 'progress', start: [], logged: true },
  isReady: { type: 'boolean', part: 'progress', start: false, logged: true },
  driver: { type: 'jsonb', part: 'progress', start: {}, logged: true },
  driverStage: { type: 'text', part: 'progress', start: 'none', logged: true },
  driverLink: { type: 'integer', part: 'progress', start: 0 },
  cancelReason: { type: 'text', part: 'progress', start: null, logged: true },
  receivedAt: { type: 'timestamptz', part: 'progress', start: null },
  readyBy: { type: 'timestamptz', part: 'progress', start: null, logged: true },
  eta: { type: 'timestamptz', part: 'progress', start: null, logged: true },
  placedAt: { type: 'timestamptz', part: 'progress', start: null, logged: true },
  orderNumber: { type: 'text', part: 'progress', start: null },
  offerAt: { type: 'timestamptz', part: 'progress', start: null, logged: true },
  confirmBy: { type: 'timestamptz', part: 'progress', start: null, logged: true },
  completedAt: { type: 'timestamptz', part: 'progress', start: null, logged: true },
  canceledAt: { type: 'timestamptz', part: 'progress', start: null, logged: true },
  lastSequence: { type: 'integer', part: 'progress', start: 0, logged: true },
  isForgotten: { type: 'boolean', part: 'progress', start: false },
} as const satisfies { [Name in keyof Order]: Column<Order[Name]> };

/** Columns that copy members of request and quote for queries and indexes, and are written with them. */
export const ORDER_COPIES = {
  userId: { type: 'text', of: ({ request }) => request.customer.userId },
  pickup: { type: 'boolean', of: ({ request }) => request.mode === 'pickup' },
  totalWithTip: { type: 'bigint', of: ({ quote }) => quote.totalWithTipCents },
  chargeUser: { type: 'boolean', of: ({ request }) => request.chargeUser },
  paymentMethodId: { type: 'text', of: ({ request }) => request.paymentMethodId },
  slotStartsAt: {
    type: 'timestamptz',
    of: ({ quote: { scheduled: at } }) => at && instantOfEpochSeconds(at.startEpochS),
  },
  slotEndsAt: { type: 'timestamptz', of: ({ quote: { scheduled: at } }) => at && instantOfEpochSeconds(at.endEpochS) },
  favorited: { type: 'boolean', of: ({ request }) => request.favorited },
  customerOrderId: { type: 'text', of: ({ request }) => request.customerOrderId || null },
} as const satisfies Record<string, Copy>;

type Copy = { type: string; of: (order: Order) => string | number | boolean | Temporal.Instant | null };

type Columns = typeof ORDER_COLUMNS;
type ColumnsWith<Marks> = { [Name in keyof Columns]: Columns[Name] extends Marks ? Name : never }[keyof Columns];

/** Returns the names of the columns with these marks, in list order. */
export function columnsWith<const Marks extends object>(marks: Marks): ColumnsWith<Marks>[] {
  const marked = new Map(
    Object.entries(ORDER_COLUMNS).map(([name, column]) => [name, new Map(Object.entries(column))]),
  );
  const isMarked = (name: string): name is ColumnsWith<Marks> =>
    Object.entries(marks).every(([mark, value]) => marked.get(name)?.get(mark) === value);
  return Object.keys(ORDER_COLUMNS).filter(isMarked);
}

type Field = keyof Order;
export type OrderColumn = Field | keyof typeof ORDER_COPIES;

export const ORDER_FIELDS = columnsWith({});

/** Fields whose current value is in the order's row. A driver's moves are in driver-positions.db.ts. */
export const STORED_FIELDS = ORDER_FIELDS.filter((name) => name !== 'driver' && name !== 'eta');

const isCopy = (name: string): name is keyof typeof ORDER_COPIES => Object.hasOwn(ORDER_COPIES, name);
const REQUEST = [...columnsWith({ part: 'request' }), ...Object.keys(ORDER_COPIES).filter(isCopy)];
const PROGRESS = columnsWith({ part: 'progress' });
const LOGGED_COLUMNS = columnsWith({ logged: true });
const LOGGED_INSTANTS = columnsWith({ logged: true, type: 'timestamptz' });

/** Columns that a new order's first charge attempt and holds set. */
const FIRST_ATTEMPT_COLUMNS = [
  'status',
  'chargeState',
  'chargeAttempt',
  'chargeStartedAt',
  'waitingChargeId',
  'stockHeld',
  'slotHeld',
  'roomHeld',
] as const;
/** Columns that placing changes. The order number is drawn in the same statement. */
const PLACING_COLUMNS = [
  'status',
  'moneyPlan',
  'chargeState',
  'chargeId',
  'authorizedCents',
  'holdAttempt',
  'holdUntil',
  'chargedCents',
  'eta',
  'placedAt',
  'offerAt',
  'confirmBy',
] as const;

/** Columns of each write; other columns keep their value or start value. */
export const WRITTEN_COLUMNS = {
  insert: [...columnsWith({ part: 'identity' }), ...REQUEST, ...FIRST_ATTEMPT_COLUMNS],
  /** A new request or quote of an unplaced order, with its progress. */
  quote: [...REQUEST, ...PROGRESS],
  progress: PROGRESS,
  placed: [...PLACING_COLUMNS, 'lastSequence'],
} as const satisfies Record<string, readonly OrderColumn[]>;

/** Returns the SQL types of columns. */
export const sqlTypes = (columns: readonly OrderColumn[]): string[] =>
  columns.map((name) => (isCopy(name) ? ORDER_COPIES[name] : ORDER_COLUMNS[name]).type);

/** Progress of an order before its first step. */
export const PROGRESS_START = mapMember(ORDER_COLUMNS, PROGRESS, 'start');
const LOGGED_START = mapMember(ORDER_COLUMNS, LOGGED_COLUMNS, 'start');

/** Returns the values of these columns as SQL parameters, with instants and JSON as text. */
export function columnValues(order: Order, columns: readonly OrderColumn[]): unknown[] {
  return columns.map((column) => {
    const value = isCopy(column) ? ORDER_COPIES[column].of(order) : order[column];
    if (value instanceof Temporal.Instant) return value.toString();
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  });
}

type LoggedInstant = (typeof LOGGED_INSTANTS)[number];
/** An order's logged columns right after the event, with instants as text. */
export type LoggedProgress = Omit<Pick<Order, (typeof LOGGED_COLUMNS)[number]>, LoggedInstant> &
  Record<LoggedInstant, string | null>;

/** Writes `LoggedProgress` as JSON text. */
export function progressText(order: Order): string {
  return JSON.stringify(recordByName(LOGGED_COLUMNS, (name) => order[name]));
}

/** Returns the order right after an event of its log. A column newer than the event contains its start value. */
export function orderAfterEvent(order: Order, progress: Partial<LoggedProgress>): Order {
  const logged = { ...LOGGED_START, ...progress };
  const instants = recordByName(LOGGED_INSTANTS, (name) => {
    const text = logged[name];
    return text === null ? null : Temporal.Instant.from(text);
  });
  return { ...order, ...logged, ...instants };
}
