import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { countdown, dueEpochS, isOnItsWay, isScheduled, laneOf, lengthInWords, minutesUntil } from './order-board.ts';
import type { StoreClock } from './store-clock.ts';

/** Longer than this, a time of day says more than a countdown. */
const LONGEST_COUNTDOWN_S = 3600;
const LONGEST_COUNTDOWN_MINUTES = 120;

/** An order's due time: the large text, the moment it counts down to, and whether it is late or nearly so. */
export type Due = { large: string; small: string; mood: 'calm' | 'soon' | 'late' };

export function dueOf(order: StoreOrder, clock: StoreClock, nowEpochS: number): Due {
  const lane = laneOf(order);
  if (lane === 'new') return answerDue(order, clock, nowEpochS);
  if (lane === 'done') return { large: clock.time(order.timestamp), small: 'ordered', mood: 'calm' };
  if (lane === 'ready') return counted(order.eta_timestamp, arrivalLabel(order), clock, nowEpochS);
  return counted(dueEpochS(order), 'ready by', clock, nowEpochS);
}

function answerDue({ confirm_by: by }: StoreOrder, clock: StoreClock, nowEpochS: number): Due {
  if (by === null) return { large: 'New', small: '', mood: 'soon' };
  const left = by - nowEpochS;
  if (left > LONGEST_COUNTDOWN_S) return { large: clock.time(by), small: 'accept by', mood: 'calm' };
  return { large: countdown(by, nowEpochS), small: 'left to accept', mood: left < 120 ? 'late' : 'soon' };
}

function arrivalLabel(order: StoreOrder): string {
  if (order.pickup) return 'expected';
  return isOnItsWay(order) ? 'at the door' : 'due there';
}

function counted(epochS: number, label: string, clock: StoreClock, nowEpochS: number): Due {
  const minutes = minutesUntil(epochS, nowEpochS);
  const small = `${label} ${clock.time(epochS)}`;
  if (minutes < 0) return { large: `${lengthInWords(-minutes)} late`, small, mood: 'late' };
  if (minutes > LONGEST_COUNTDOWN_MINUTES) return { large: clock.time(epochS), small: label, mood: 'calm' };
  return { large: lengthInWords(minutes), small, mood: minutes <= 3 ? 'soon' : 'calm' };
}

export function slotOf(order: StoreOrder, clock: StoreClock, nowEpochS: number): string {
  const { minimum, maximum } = order.scheduled;
  if (!isScheduled(order) || minimum === undefined || maximum === undefined) return '';
  return clock.slot(minimum, maximum, nowEpochS);
}

const PARTY_WORDS: Readonly<Record<string, string>> = { third: ' by a marketplace', courier: ' by courier' };

/** Pickup, or delivery with who brings it where that is not the store itself. */
export function modeInWords({ pickup, delivery_party: party = 'first' }: StoreOrder): string {
  return pickup ? 'Pickup' : `Delivery${PARTY_WORDS[party] ?? ''}`;
}

/** The state of an order that another screen, the customer or a timer has changed first. */
export function meanwhile(order: StoreOrder, clock: StoreClock): string {
  return `Order ${order.order_number} has changed meanwhile: ${stateInWords(order, clock)}.`;
}

export function stateInWords(order: StoreOrder, clock: StoreClock): string {
  if (order.status === 'canceled') return `canceled (${reasonInWords(order.cancel_reason ?? '')})`;
  if (order.status === 'completed') return order.pickup ? 'handed over' : 'delivered';
  if (order.status === 'awaiting_confirmation') return 'waiting for an answer';
  if (isOnItsWay(order)) return 'with the driver';
  if (order.is_ready) return 'ready';
  return order.ready_by === null ? 'in the kitchen' : `in the kitchen, ready by ${clock.time(order.ready_by)}`;
}

/** Codes that the service knows as words; the customer reads a sentence for each. */
export const CANCEL_REASONS: readonly { code: string; words: string }[] = [
  { code: 'out_of_stock', words: 'Something is sold out' },
  { code: 'too_busy', words: 'Too busy' },
  { code: 'store_closed', words: 'Closing or closed' },
  { code: 'no_driver', words: 'No driver' },
  { code: 'customer_request', words: 'The customer asked' },
];
const OTHER_CODES: Readonly<Record<string, string>> = {
  store_did_not_confirm: 'not answered in time',
  canceled_by_store: 'by the store',
};

export function reasonInWords(reason: string): string {
  const words = CANCEL_REASONS.find(({ code }) => code === reason)?.words ?? OTHER_CODES[reason];
  return words ?? (reason.replaceAll('_', ' ') || 'no reason given');
}

export const money = (cents: number) =>
  `${cents < 0 ? '−' : ''}$${(Math.abs(cents) / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

/** A phone number of the US or Canada as people write it; any other with its country code. */
export function phoneInWords(digits: number): string {
  const american = /^1(\d{3})(\d{3})(\d{4})$/.exec(String(digits));
  return american ? `(${american[1]}) ${american[2]}-${american[3]}` : `+${digits}`;
}

/** The step that an order most likely takes next. */
export function mainStepOf(order: StoreOrder): 'ready' | 'assign_driver' | 'pick_up' | 'complete' | undefined {
  const can = (step: StoreOrder['steps'][number]) => order.steps.includes(step);
  if (can('ready')) return 'ready';
  if (can('complete')) return 'complete';
  if (can('pick_up')) return 'pick_up';
  return can('assign_driver') ? 'assign_driver' : undefined;
}
