import { membersOf, recordOf } from '../lib/records.ts';
import type { Order } from './order.ts';
import { columnsWith, ORDER_COLUMNS, ORDER_COPIES } from './order-columns.ts';

type Field = keyof Order;
export type OrderColumn = Field | keyof typeof ORDER_COPIES;

/** A row of these columns is an order as it stands. */
export const ORDER_FIELDS = columnsWith({});

/** The fields whose present value is in the row; the driver's moves are not (driver-positions.db.ts). */
export const STORED_FIELDS = ORDER_FIELDS.filter((name) => name !== 'driver' && name !== 'eta');

const isCopy = (name: string): name is keyof typeof ORDER_COPIES => Object.hasOwn(ORDER_COPIES, name);
const REQUEST = [...columnsWith({ part: 'request' }), ...Object.keys(ORDER_COPIES).filter(isCopy)];
const PROGRESS = columnsWith({ part: 'progress' });
const LOGGED = columnsWith({ logged: true });
const LOGGED_INSTANTS = columnsWith({ logged: true, type: 'timestamptz' });

/** The columns of each write; every other column keeps its value. */
export const WRITTEN_COLUMNS = {
  insert: [...columnsWith({ part: 'identity' }), ...REQUEST, ...PROGRESS],
  /** Another request or quote of an unplaced order, with its progress. */
  quote: [...REQUEST, ...PROGRESS],
  progress: PROGRESS,
  /** The step that places an order draws its number in the same statement. */
  placed: PROGRESS.filter((name) => name !== 'orderNumber'),
} as const satisfies Record<string, readonly OrderColumn[]>;

const COPY_TYPES = {
  userId: 'text',
  pickup: 'boolean',
  totalWithTip: 'bigint',
  chargeUser: 'boolean',
  paymentMethodId: 'text',
  slotStartsAt: 'timestamptz',
  slotEndsAt: 'timestamptz',
  favorited: 'boolean',
  customerOrderId: 'text',
} as const satisfies Record<keyof typeof ORDER_COPIES, string>;

/** The types of columns, in SQL. */
export const sqlTypes = (columns: readonly OrderColumn[]): string[] =>
  columns.map((name) => (isCopy(name) ? COPY_TYPES[name] : ORDER_COLUMNS[name].type));

/** The progress of an order that has not moved. */
export const PROGRESS_START = membersOf(ORDER_COLUMNS, PROGRESS, 'start');
const LOGGED_START = membersOf(ORDER_COLUMNS, LOGGED, 'start');

/** An order's values of these columns as parameters of a statement: instants and JSON as text. */
export function valuesOf(order: Order, columns: readonly OrderColumn[]): unknown[] {
  return columns.map((column) => {
    const value = isCopy(column) ? ORDER_COPIES[column](order) : order[column];
    if (value instanceof Temporal.Instant) return value.toString();
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  });
}

type LoggedInstant = (typeof LOGGED_INSTANTS)[number];
/** The part of an order in the event log: its logged columns right after the event, instants as text. */
export type LoggedProgress = Omit<Pick<Order, (typeof LOGGED)[number]>, LoggedInstant> &
  Record<LoggedInstant, string | null>;

/** `LoggedProgress` as JSON text. */
export function progressText(order: Order): string {
  return JSON.stringify(recordOf(LOGGED, (name) => order[name]));
}

/** The order as it was right after an event of its log; a column that is younger than the event had its first value. */
export function orderAfterEvent(order: Order, progress: Partial<LoggedProgress>): Order {
  const logged = { ...LOGGED_START, ...progress };
  const instants = recordOf(LOGGED_INSTANTS, (name) => {
    const text = logged[name];
    return text === null ? null : Temporal.Instant.from(text);
  });
  return { ...order, ...logged, ...instants };
}
