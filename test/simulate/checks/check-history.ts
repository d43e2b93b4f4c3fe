import assert from 'node:assert/strict';
import type { FinalEvent, FinalOrder } from './final-orders.ts';

/** An order's state, derived from its events alone (docs/orders.md#statuses-and-steps). */
type Place = { status: string; stage: string; isReady: boolean; isPlaced: boolean; isCaptured: boolean };

type Rule = (place: Place, event: FinalEvent, order: FinalOrder) => Place | undefined;

const isUnderWay = ({ status }: Place) => status === 'in_progress';
const hasLeft = ({ stage }: Place) => stage === 'picked_up' || stage === 'nearby';
const atTheStore: Rule = (place) =>
  (place.status === 'awaiting_confirmation' || isUnderWay(place)) && !hasLeft(place) ? place : undefined;
const isDelivery = ({ pickup }: FinalOrder) => !pickup;

/** What each event may follow, restated independently of the service's rules. */
const RULES: Readonly<Record<string, Rule>> = {
  'order.placed': (place) =>
    place.status === 'unplaced' ? { ...place, status: 'awaiting_confirmation', isPlaced: true } : undefined,
  'order.confirmed': (place) =>
    place.status === 'awaiting_confirmation' ? { ...place, status: 'in_progress' } : undefined,
  'order.delayed': (place) => (isUnderWay(place) && !place.isReady && !hasLeft(place) ? place : undefined),
  'order.ready': (place) =>
    isUnderWay(place) && !place.isReady && !hasLeft(place) ? { ...place, isReady: true } : undefined,
  'order.driver_assigned': (place, _event, order) =>
    isUnderWay(place) && isDelivery(order) && !hasLeft(place) ? { ...place, stage: 'assigned' } : undefined,
  'order.picked_up': (place) =>
    isUnderWay(place) && place.stage === 'assigned' ? { ...place, stage: 'picked_up' } : undefined,
  'order.driver_nearby': (place) =>
    isUnderWay(place) && place.stage === 'picked_up' ? { ...place, stage: 'nearby' } : undefined,
  'order.completed': (place, _event, order) =>
    isUnderWay(place) && (!isDelivery(order) || hasLeft(place)) ? { ...place, status: 'completed' } : undefined,
  'order.canceled': (place, { data }) => {
    const isLate = place.status === 'unplaced' && data.reason === 'not_placed_in_time';
    const isOpen = place.status === 'awaiting_confirmation' || (isUnderWay(place) && !hasLeft(place));
    return isLate || isOpen ? { ...place, status: 'canceled' } : undefined;
  },
  'order.item_changed': atTheStore,
  'order.weighed': atTheStore,
  'order.captured': (place) =>
    !place.isCaptured && (hasLeft(place) || place.status === 'completed') ? { ...place, isCaptured: true } : undefined,
  'order.hold_declined': atTheStore,
  'order.tipped': (place, _event, order) =>
    isDelivery(order) && place.isPlaced && place.status !== 'canceled' ? place : undefined,
  'order.refunded': (place) =>
    isUnderWay(place) || place.status === 'completed' || place.status === 'canceled' || place.isPlaced
      ? place
      : undefined,
};

/** An order with a code is not handed off without it, whatever was sent and lost. Sandbox steps need none. */
function checkHandover({ mode, status, handover_code: code, handover_tries: tries }: FinalOrder, about: string): void {
  assert.ok(mode === 'sandbox' || code === null || status !== 'completed', `handed over without the code, ${about}`);
  assert.ok(tries <= MAX_WRONG_CODES, `${tries} wrong codes, ${about}`);
}

/** Of docs/store-api.md#steps. */
const MAX_DELAYS = 3;
/** Of docs/orders.md#order-body. */
const MAX_WRONG_CODES = 5;

/** An order's log contains no gap, is a valid path of states, and ends in the order's state. */
export function checkHistory(order: FinalOrder): void {
  const types = order.events.map(({ type }) => type).join(', ');
  const about = `order ${order.order_id}: ${types}`;
  checkHandover(order, about);
  assert.deepEqual(
    order.events.map(({ sequence }) => sequence),
    Array.from({ length: order.last_sequence }, (_, index) => index + 1),
    `a gap in the log of ${about}`,
  );
  const delays = order.events.filter(({ type }) => type === 'order.delayed');
  assert.ok(delays.length <= MAX_DELAYS, `${delays.length} delays of ${about}`);
  let place: Place = { status: 'unplaced', stage: 'none', isReady: false, isPlaced: false, isCaptured: false };
  for (const event of order.events) {
    const next = RULES[event.type]?.(place, event, order);
    assert.ok(next, `${event.type} cannot follow ${JSON.stringify(place)} in ${about}`);
    place = next;
    assert.ok(event.dispatched, `event ${event.sequence} has no consequences: ${about}`);
  }
  assert.equal(order.status, place.status, `the status of ${about}`);
  assert.equal(order.driver_stage, place.stage, `the driver of ${about}`);
  assert.equal(order.order_number !== null, place.isPlaced, `the number of ${about}`);
}
