import type { StoreOrder } from '../offers/present-store-order.ts';

/** The columns of the console, from left to right. */
export const LANES = ['new', 'kitchen', 'ready', 'done'] as const;
export type Lane = (typeof LANES)[number];

const hasLeft = ({ status, steps }: Pick<StoreOrder, 'status' | 'steps'>) =>
  status === 'in_progress' && !steps.includes('cancel');

/** The column of an order. A delivery whose driver has taken it before it was called ready is on the way all the same. */
export function laneOf(order: Pick<StoreOrder, 'status' | 'steps' | 'is_ready'>): Lane {
  if (order.status === 'awaiting_confirmation') return 'new';
  if (order.status !== 'in_progress') return 'done';
  return order.is_ready || hasLeft(order) ? 'ready' : 'kitchen';
}

/** Whether the driver of a delivery has it. */
export function isOnItsWay(order: Pick<StoreOrder, 'status' | 'steps' | 'pickup'>): boolean {
  return !order.pickup && hasLeft(order);
}

const STATUSES: readonly StoreOrder['status'][] = ['unplaced', 'awaiting_confirmation', 'in_progress', 'completed'];

/** How far an order has come; orders only go forward. */
function progressOf(order: StoreOrder): number {
  if (order.status === 'canceled') return 100;
  const driver = order.steps.includes('assign_driver') ? 0 : 1;
  return 10 * STATUSES.indexOf(order.status) + (hasLeft(order) ? 4 : 0) + (order.is_ready ? 2 : 0) + driver;
}

/** Whether what has just arrived replaces what is shown: a late answer never takes an order back. */
export function isCurrent(arrived: StoreOrder, shown: StoreOrder | undefined): boolean {
  return shown === undefined || progressOf(arrived) >= progressOf(shown);
}

/** The moment by which the kitchen works on an order, in epoch seconds: ready by, else quoted. */
export function dueEpochS(order: Pick<StoreOrder, 'ready_by' | 'quoted_ready_by'>): number {
  return order.ready_by ?? order.quoted_ready_by;
}

/** Orders of one second, by their numbers. */
const asTheyCame = (a: StoreOrder, b: StoreOrder) =>
  a.timestamp - b.timestamp || a.order_number.localeCompare(b.order_number, 'en', { numeric: true });

/** Orders of one column: new orders as they came, then what is due first, ended orders newest first. */
export function sortedLane(orders: Iterable<StoreOrder>, lane: Lane): StoreOrder[] {
  const mine = [...orders].filter((order) => laneOf(order) === lane);
  if (lane === 'done') return mine.sort((a, b) => b.timestamp - a.timestamp);
  if (lane === 'ready') return mine.sort((a, b) => a.eta_timestamp - b.eta_timestamp);
  if (lane === 'new') return mine.sort(asTheyCame);
  return mine.sort((a, b) => dueEpochS(a) - dueEpochS(b) || asTheyCame(a, b));
}

/** Whether an order is for a window of the customer's choice instead of for now. */
export function isScheduled({ scheduled }: Pick<StoreOrder, 'scheduled'>): boolean {
  return scheduled.minimum !== undefined;
}
