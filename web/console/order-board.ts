import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';

/** The order board: an order's column, its lines and times. */

/** The columns of the console, from left to right. */
export const LANES = ['new', 'kitchen', 'ready', 'done'] as const;
export type Lane = (typeof LANES)[number];
/** The view of the orders page: a column (a wide screen: all open ones), or everything to make. */
export type BoardView = Lane | 'allDay';

const hasLeft = ({ status, steps }: Pick<StoreOrder, 'status' | 'steps'>) =>
  status === 'in_progress' && !steps.includes('cancel');

/** The column of an order. An order that left the store without being marked ready counts as ready. */
export function laneOf(order: Pick<StoreOrder, 'status' | 'steps' | 'is_ready'>): Lane {
  if (order.status === 'awaiting_confirmation') return 'new';
  if (order.status !== 'in_progress') return 'done';
  return order.is_ready || hasLeft(order) ? 'ready' : 'kitchen';
}

/** Whether the driver has the order. */
export function isOnItsWay(order: Pick<StoreOrder, 'status' | 'steps' | 'pickup'>): boolean {
  return !order.pickup && hasLeft(order);
}

const STATUSES: readonly StoreOrder['status'][] = ['unplaced', 'awaiting_confirmation', 'in_progress', 'completed'];

/** Progress of an order as a number that only increases. */
function progressOf(order: StoreOrder): number {
  if (order.status === 'canceled') return 100;
  const driver = order.steps.includes('assign_driver') ? 0 : 1;
  return 10 * STATUSES.indexOf(order.status) + (hasLeft(order) ? 4 : 0) + (order.is_ready ? 2 : 0) + driver;
}

/** Whether an arrived version replaces the shown one. A late answer never reverts an order. */
export function isCurrent(arrived: StoreOrder, shown: StoreOrder | undefined): boolean {
  return shown === undefined || progressOf(arrived) >= progressOf(shown);
}

/** The kitchen's due time in epoch seconds: as confirmed, otherwise as quoted. */
export function dueEpochS(order: Pick<StoreOrder, 'ready_by' | 'quoted_ready_by'>): number {
  return order.ready_by ?? order.quoted_ready_by;
}

/** Sorts by order number within a second. */
const byOrderNumber = (a: StoreOrder, b: StoreOrder) =>
  a.timestamp - b.timestamp || a.order_number.localeCompare(b.order_number, 'en', { numeric: true });

/** Orders of one column: new ones by arrival, open ones by due time, ended ones newest first. `held` stays in its own. */
export function sortLane(orders: Iterable<StoreOrder>, lane: Lane, held?: StoreOrder): StoreOrder[] {
  const mine = [...orders].filter((order) => laneOf(order.order_id === held?.order_id ? held : order) === lane);
  if (lane === 'done') return mine.sort((a, b) => b.timestamp - a.timestamp);
  if (lane === 'ready') return mine.sort((a, b) => a.eta_timestamp - b.eta_timestamp);
  if (lane === 'new') return mine.sort(byOrderNumber);
  return mine.sort((a, b) => dueEpochS(a) - dueEpochS(b) || byOrderNumber(a, b));
}

export function isScheduled({ scheduled }: Pick<StoreOrder, 'scheduled'>): boolean {
  return scheduled.minimum !== undefined;
}

export type OrderOption = { customization: string; name: string; quantity: number; options: readonly OrderOption[] };

export const isOption = (value: unknown): value is OrderOption =>
  typeof value === 'object' && value !== null && 'name' in value && 'options' in value;

/**
 * The options of one customization. An option with options of its own is on a line by itself, so that they follow it.
 */
export type OptionLine = { customization: string; options: readonly OrderOption[] };

/** Options as lines, in order: `Crust: Deep pan`, `Toppings: Kalamata olives, 2× Calabrian chili`. */
export function optionLines(options: readonly OrderOption[]): OptionLine[] {
  const lines: { customization: string; options: OrderOption[] }[] = [];
  for (const option of options) {
    const last = lines.at(-1);
    const joins = last?.customization === option.customization && ![...last.options, option].some(hasOptions);
    if (joins) last.options.push(option);
    else lines.push({ customization: option.customization, options: [option] });
  }
  return lines;
}

const hasOptions = ({ options }: OrderOption) => options.length > 0;

/** Seconds that an order is behind the time promised of it: of the food, then of the handoff. Negative before it. */
function lateS(order: StoreOrder, nowEpochS: number): number {
  return nowEpochS - (laneOf(order) === 'ready' ? order.eta_timestamp : dueEpochS(order));
}

/** Open orders behind their promised time, the latest first. */
export function lateOrders(orders: Iterable<StoreOrder>, nowEpochS: number): StoreOrder[] {
  const late = [...orders].filter((order) => laneOf(order) !== 'done' && lateS(order, nowEpochS) > 0);
  return late.sort((a, b) => lateS(b, nowEpochS) - lateS(a, nowEpochS) || byOrderNumber(a, b));
}

/** How many seconds ahead due orders are counted, because tomorrow's dinner is not cooked now. */
const ALL_DAY_S = 2 * 3600;

/** Units of a dish to make, how late the latest of them is (0 if none), and the units of each choice of options. */
export type Dish = { name: string; count: number; lateS: number; choices: ReadonlyMap<string, number> };

/** Units to make over all open orders: dishes of late orders first, the latest on top, then the largest count. */
export function allDay(orders: Iterable<StoreOrder>, nowEpochS: number): Dish[] {
  const dishes = new Map<string, Dish & { choices: Map<string, number> }>();
  for (const order of orders) {
    const late = lateS(order, nowEpochS);
    if (!['new', 'kitchen'].includes(laneOf(order)) || late < -ALL_DAY_S) continue;
    for (const { name, fulfilled_quantity: quantity, unit, options } of order.items) {
      const count = unit === undefined ? quantity : Math.min(1, Math.ceil(quantity));
      if (count === 0) continue;
      const dish = dishes.get(name) ?? { name, count: 0, lateS: 0, choices: new Map<string, number>() };
      const choice = choiceOf(options);
      if (choice !== '') dish.choices.set(choice, (dish.choices.get(choice) ?? 0) + count);
      dishes.set(name, { ...dish, count: dish.count + count, lateS: Math.max(dish.lateS, late) });
    }
  }
  return [...dishes.values()].sort(
    (a, b) => b.lateS - a.lateS || b.count - a.count || a.name.localeCompare(b.name, 'en'),
  );
}

/** Options in one line, in any order of choosing: `2× Calabrian chili, Deep pan (Stuffed)`. */
function choiceOf(options: readonly unknown[]): string {
  const texts = options.filter(isOption).map(({ name, quantity, options: inner }) => {
    const text = quantity > 1 ? `${quantity}× ${name}` : name;
    return inner.length > 0 ? `${text} (${choiceOf(inner)})` : text;
  });
  return texts.sort((a, b) => a.localeCompare(b, 'en')).join(', ');
}

const STEP_MINUTES = 5;
/** Maximum minutes of a confirmation in the Store API. */
const MAX_MINUTES = 1440;

/**
 * When an order that is confirmed with these minutes is ready, as in the Store API: a scheduled order not before its
 * slot requires it.
 */
export function readyEpochS(
  order: Pick<StoreOrder, 'quoted_ready_by' | 'scheduled'>,
  minutes: number,
  nowEpochS: number,
): number {
  const preparedEpochS = nowEpochS + minutes * 60;
  return isScheduled(order) ? Math.max(preparedEpochS, order.quoted_ready_by) : preparedEpochS;
}

/** One step more or less, within the limits of a confirmation. */
export function stepMinutes(minutes: number, steps: number): number {
  return Math.min(MAX_MINUTES, Math.max(STEP_MINUTES, minutes + steps * STEP_MINUTES));
}

/** Minutes until a moment; negative once it has passed. */
export function minutesUntil(epochS: number, nowEpochS: number): number {
  const minutes = (epochS - nowEpochS) / 60;
  return minutes >= 0 ? Math.ceil(minutes) : Math.floor(minutes);
}

/** A countdown in minutes and seconds, such as `4:05`; `0:00` once the time has passed. */
export function countdown(epochS: number, nowEpochS: number): string {
  const seconds = Math.max(0, Math.round(epochS - nowEpochS));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
