import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { store as words } from '../../src/texts/en/store.ts';
import type { ConsoleContext } from './console-context.ts';
import { countdown, dueEpochS, isOnItsWay, isScheduled, laneOf, minutesUntil } from './order-board.ts';
import type { StoreClock } from './store-clock.ts';

/** Maximum seconds of a countdown; a later time is shown as a time of day. */
const MAX_COUNTDOWN_S = 3600;
const MAX_COUNTDOWN_MINUTES = 120;

type Figures = Pick<ConsoleContext, 'clock' | 'format'>;

/** An order's due time as a large figure and a caption, and whether the order is late or nearly so. */
type Due = { large: string; small: string; mood: 'calm' | 'soon' | 'late' };

export function dueOf(order: StoreOrder, figures: Figures, nowEpochS: number): Due {
  const clock = figures.clock.of(order);
  const { due } = words.order;
  const lane = laneOf(order);
  if (lane === 'new') return answerDue(order, clock, nowEpochS);
  if (lane === 'done') return { large: clock.time(order.timestamp), small: due.ordered, mood: 'calm' };
  if (lane === 'kitchen') {
    return counted(dueEpochS(order), { by: due.readyBy, at: due.readyAt }, { ...figures, clock }, nowEpochS);
  }
  const captions = order.pickup ? { by: due.pickup, at: due.pickupAt } : { by: due.atTheDoor, at: due.atTheDoorAt };
  return counted(order.eta_timestamp, captions, { ...figures, clock }, nowEpochS);
}

function answerDue({ confirm_by: by }: StoreOrder, clock: StoreClock, nowEpochS: number): Due {
  const { due } = words.order;
  if (by === null) return { large: due.new, small: '', mood: 'soon' };
  const left = by - nowEpochS;
  if (left > MAX_COUNTDOWN_S) return { large: clock.time(by), small: due.acceptBy, mood: 'calm' };
  return { large: countdown(by, nowEpochS), small: due.leftToAccept, mood: left < 120 ? 'late' : 'soon' };
}

type Captions = { by: (pieces: { time: string }) => string; at: string };

function counted(epochS: number, captions: Captions, { clock, format }: Figures, nowEpochS: number): Due {
  const minutes = minutesUntil(epochS, nowEpochS);
  const small = captions.by({ time: clock.time(epochS) });
  if (minutes < 0) {
    return { large: words.order.due.late({ length: lengthInWords(-minutes, format) }), small, mood: 'late' };
  }
  if (minutes > MAX_COUNTDOWN_MINUTES) return { large: clock.time(epochS), small: captions.at, mood: 'calm' };
  return { large: lengthInWords(minutes, format), small, mood: minutes <= 3 ? 'soon' : 'calm' };
}

/** `25 min`, `2 h 05`. */
export function lengthInWords(minutes: number, format: Figures['format']): string {
  if (minutes < 90) return format.minutes(minutes);
  const rest = String(minutes % 60).padStart(2, '0');
  return words.order.hours({ hours: format.number(Math.floor(minutes / 60)), minutes: rest });
}

export function slotOf(order: StoreOrder, { clock }: Figures, nowEpochS: number): string {
  const { minimum, maximum } = order.scheduled;
  if (!isScheduled(order) || minimum === undefined || maximum === undefined) return '';
  return clock.of(order).slot(minimum, maximum, nowEpochS);
}

/** Pickup, or delivery with the party that delivers unless it is the store. */
export function modeInWords({ pickup, delivery_party: party }: StoreOrder): string {
  if (pickup) return words.terms.pickup;
  if (party === 'third') return words.order.marketplaceDelivery;
  return party === 'courier' ? words.order.courierDelivery : words.terms.delivery;
}

/** The step that another screen, the customer or a timer has already taken. */
export const conflictSentence = (order: StoreOrder, figures: Figures): string =>
  words.changed[stateOf(order)](piecesOf(order, figures));

export function stateInWords(order: StoreOrder, figures: Figures): string {
  const text = words.state[stateOf(order)];
  return typeof text === 'string' ? text : text(piecesOf(order, figures));
}

function stateOf(order: StoreOrder): keyof typeof words.state {
  if (order.status === 'canceled') return 'canceled';
  if (order.status === 'completed') return order.pickup ? 'handedOver' : 'delivered';
  if (order.status === 'awaiting_confirmation') return 'waiting';
  if (isOnItsWay(order)) return 'withDriver';
  if (order.is_ready) return 'ready';
  return order.ready_by === null ? 'kitchen' : 'readyBy';
}

const piecesOf = (order: StoreOrder, { clock }: Figures) => ({
  number: order.order_number,
  reason: reasonInWords(order.cancel_reason ?? ''),
  time: clock.of(order).time(order.ready_by ?? 0),
});

/** Reason codes that a store may choose, each with a sentence for the customer. */
export const CANCEL_REASONS = ['out_of_stock', 'too_busy', 'store_closed', 'no_driver', 'customer_request'] as const;

const REASONS: Readonly<Record<string, string>> = words.terms.cancelReason;

export function reasonInWords(reason: string): string {
  return REASONS[reason] ?? (reason.replaceAll('_', ' ') || words.terms.noReason);
}

const VEHICLES: Readonly<Record<string, string>> = words.driver.vehicles;

/** The name of a vehicle that the console offers; any other program's text as it is. */
export const vehicleInWords = (vehicle: string) => VEHICLES[vehicle] ?? vehicle;

/** The step that an order most likely takes next. */
export function mainStepOf(order: StoreOrder): 'ready' | 'assign_driver' | 'pick_up' | 'complete' | undefined {
  const can = (step: StoreOrder['steps'][number]) => order.steps.includes(step);
  if (can('ready')) return 'ready';
  if (can('complete')) return 'complete';
  if (can('pick_up')) return 'pick_up';
  return can('assign_driver') ? 'assign_driver' : undefined;
}
