import { present } from 'doorstep/collections';
import { Refusal } from '../../platform/http/refusal.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { arrivalEpochS, isOlderPosition, laterOf, measuredAt, travelSeconds } from './arrival.ts';
import { awaitsSettlement, movementOf } from './money-plan.ts';
import { type Collector, type Driver, hasLeftTheStore, type Order, refundableCents, type StepName } from './order.ts';
import type { CanceledBy, EventSource, IdChecker, OrderEvent } from './order-events.ts';
import { toCollectCents } from './reprice-order.ts';
import { openWeights } from './weighed-order.ts';

/**
 * An order after a step, and the step's event. `refundCents` is the refund of a cancelation, which is booked with the
 * step.
 */
export type OrderStep = { order: Order; event: OrderEvent; refundCents?: number };

/**
 * Optional details of a step: the driver, the new ETA, and when the food is ready; for a cancelation, its reason and
 * who canceled; for a completion, the driver's distance from the address and the collected amount.
 */
export type StepDetails = {
  driver?: Driver;
  reason?: string;
  eta?: Temporal.Instant;
  readyBy?: Temporal.Instant;
  by?: CanceledBy;
  source?: EventSource | undefined;
  metersFromDoor?: number;
  /** Who saw an ID, for an order with alcohol. */
  idCheckedBy?: IdChecker | undefined;
  /** Absent for the amount to collect. */
  collectedCents?: number | undefined;
  /** A courier company has taken the step: unweighed items then count as ordered. */
  isReported?: true;
  /** Absent for a delivery's driver, and the store at a pickup. */
  collectedBy?: Collector | undefined;
};

type Rule = {
  allowed(order: Order): boolean;
  take(order: Order, now: Temporal.Instant, details: StepDetails): OrderStep;
};

const isDelivery = (order: Order) => order.request.mode === 'delivery';
const isInProgress = (order: Order) => order.status === 'in_progress';

/**
 * Allowed steps (docs/orders.md#statuses-and-steps). Only a driver causes `pick_up` and `approach`. Either mode can be
 * canceled until the order has left the store; after that, only completion or a courier's failure ends it.
 */
const RULES: Readonly<Record<StepName, Rule>> = {
  confirm: {
    allowed: (order) => order.status === 'awaiting_confirmation',
    take: (order, _now, { eta, readyBy }) => ({
      order: { ...order, status: 'in_progress', eta: eta ?? order.eta, readyBy: readyBy ?? order.readyBy },
      event: { type: 'order.confirmed', data: {} },
    }),
  },
  ready: {
    allowed: (order) => isInProgress(order) && !order.isReady && !hasLeftTheStore(order),
    take: (order, now) => ({
      order: { ...order, isReady: true, eta: order.eta && laterOf(order.eta, afterTrip(order, now)) },
      event: { type: 'order.ready', data: {} },
    }),
  },
  assign_driver: {
    allowed: (order) => isInProgress(order) && isDelivery(order) && order.driverStage === 'none',
    take: (order, now, details) =>
      drive({ ...order, driverLink: order.driverLink + 1 }, 'assigned', 'order.driver_assigned', now, details),
  },
  pick_up: {
    allowed: (order) => isInProgress(order) && order.driverStage === 'assigned',
    take: (order, now, details) => drive(leave(order), 'picked_up', 'order.picked_up', now, details),
  },
  approach: {
    allowed: (order) => isInProgress(order) && order.driverStage === 'picked_up',
    take: (order, now, details) => drive(order, 'nearby', 'order.driver_nearby', now, details),
  },
  complete: {
    allowed: (order) => isInProgress(order) && (!isDelivery(order) || hasLeftTheStore(order)),
    take: (order, now, details) => {
      const { driver, metersFromDoor, idCheckedBy } = details;
      const collected = collectedOf(order, details);
      return {
        order: {
          ...leave(order),
          ...collected,
          status: 'completed',
          completedAt: now,
          driver: driver ? at(order, driver, now) : order.driver,
        },
        event: {
          type: 'order.completed',
          data: {
            ...present({ meters_from_door: metersFromDoor, id_checked_by: idCheckedBy }),
            ...(collected && { collected_cents: collected.collectedCents, collected_by: collected.collectedBy }),
          },
        },
      };
    },
  },
  cancel: {
    allowed: (order) => order.status === 'awaiting_confirmation' || (isInProgress(order) && !hasLeftTheStore(order)),
    take: (order, now, { reason = 'canceled_by_store', by }) => endOrder(order, 'cancel', { reason, by }, now),
  },
  courier_lost: {
    allowed: (order) => isInProgress(order) && hasLeftTheStore(order),
    take: (order, now, { reason = 'courier_gave_up' }) => endOrder(order, 'give_up', { reason }, now),
  },
};

/** Takes a step; refuses with `transition_not_allowed` if the order's state does not allow it. */
export function advanceOrder(
  order: Order,
  name: StepName,
  now: Temporal.Instant,
  details: StepDetails = {},
): OrderStep {
  const rule = RULES[name];
  if (!rule.allowed(order)) {
    throw new Refusal('transition_not_allowed', `The order is ${stateInWords(order)}, so ${name} isn't possible.`);
  }
  if (NEEDS_WEIGHTS.has(name) && !details.isReported) refuseUnweighed(order);
  const step = rule.take(order, now, details);
  return details.source
    ? { ...step, event: { ...step.event, data: { ...step.event.data, source: details.source } } as OrderEvent }
    : step;
}

const NEEDS_WEIGHTS: ReadonlySet<StepName> = new Set(['ready', 'pick_up', 'complete']);

function refuseUnweighed(order: Order): void {
  const names = openWeights(order).map((index) => `"${order.quote.items[index]?.name}" (item ${index})`);
  if (names.length > 0)
    throw new Refusal('weights_missing', `These items still need to be weighed: ${names.join(', ')}.`);
}

/** A driver named by a store; the phone number is digits with the country code. */
export type NamedDriver = Required<Pick<Driver, 'name' | 'phone' | 'vehicleType'>>;

export function isSameDriver(one: Driver, other: NamedDriver): boolean {
  return one.name === other.name && one.phone === other.phone && one.vehicleType === other.vehicleType;
}

/**
 * Assigns a driver named by the store. Until pick-up, a different driver replaces the first one with all details.
 * Undefined if this driver is already assigned; otherwise refuses like `advanceOrder`.
 */
export function assignDriver(
  order: Order,
  driver: NamedDriver,
  now: Temporal.Instant,
  source?: EventSource,
): OrderStep | undefined {
  const hasDriver = order.driverStage !== 'none' && order.status !== 'canceled';
  if (hasDriver && order.driver.courierKey === undefined && isSameDriver(order.driver, driver)) return undefined;
  const isReplaced = isInProgress(order) && order.driverStage === 'assigned';
  const free: Order = isReplaced ? { ...order, driverStage: 'none', driver: {} } : order;
  return advanceOrder(free, 'assign_driver', now, { driver, source });
}

/** Whether the order could take this step now. */
export const allowsStep = (order: Order, name: StepName): boolean => RULES[name].allowed(order);

function drive(
  order: Order,
  driverStage: Order['driverStage'],
  type: 'order.driver_assigned' | 'order.picked_up' | 'order.driver_nearby',
  now: Temporal.Instant,
  details: StepDetails,
): OrderStep {
  const driven = { ...order, driverStage, driver: at(order, details.driver ?? {}, now) };
  return { order: { ...driven, eta: etaOfDriver(driven, now) }, event: { type, data: {} } };
}

/** An order that leaves its store: settle-order.flow.ts captures its final amount from the hold. */
const leave = (order: Order): Order => (awaitsSettlement(order) ? { ...order, chargeState: 'capturing' } : order);

/** Returns the arrival as of a driver's step: by the driver's position, or by the trip from the store after pickup. */
function etaOfDriver(order: Order, now: Temporal.Instant): Temporal.Instant | null {
  const arrival = arrivalEpochS(order);
  if (arrival !== undefined) return instantOfEpochSeconds(arrival);
  return order.driverStage === 'picked_up' ? afterTrip(order, now) : order.eta;
}

const afterTrip = (order: Order, now: Temporal.Instant): Temporal.Instant => now.add({ seconds: travelSeconds(order) });

/** Returns the driver with the new details. A position among them was measured now, unless they have its moment. */
function at({ driver: known }: Order, details: Driver, now: Temporal.Instant): Driver {
  const updatedEpochS = measuredAt(details.updatedEpochS, now);
  if (details.latitude === undefined || isOlderPosition(known, updatedEpochS)) {
    const { latitude, longitude, course, ...others } = details;
    const knownEpochS = known.latitude === undefined ? undefined : known.updatedEpochS;
    return { ...known, ...others, updatedEpochS: knownEpochS ?? measuredAt(undefined, now) };
  }
  return { ...known, ...details, updatedEpochS };
}

/**
 * Changes to a completed order's collected money. A charge left to be collected counts as charged with the amount due,
 * as the driver or store is liable for a difference.
 */
function collectedOf(order: Order, { collectedCents, collectedBy }: StepDetails) {
  const due = toCollectCents(order);
  if (due === null) return undefined;
  return {
    collectedCents: collectedCents ?? due,
    collectedBy: collectedBy ?? (isDelivery(order) ? 'driver' : 'store'),
    ...(movementOf(order, 'complete') === 'collect'
      ? ({ chargeState: 'charged', chargedCents: due } as const)
      : ({ chargeState: 'none' } as const)),
  } satisfies Partial<Order>;
}

/**
 * Cancels an order by its plan. A refund takes the rest of the charge, without the tip if a driver has had the order;
 * while a capture is under way, settle-order.flow.ts books it.
 */
function endOrder(order: Order, step: 'cancel' | 'give_up', { reason, by }: Ending, now: Temporal.Instant): OrderStep {
  const canceled: Order = { ...order, status: 'canceled', canceledAt: now, cancelReason: reason };
  const movement = movementOf(order, step);
  const cents = movement === 'refund' && order.chargeState === 'charged' ? refundableCents(canceled) : 0;
  const refundingCents = order.refundingCents + cents;
  const unpaid = movement === 'void' ? 'capturing' : movement === 'end_due' ? 'none' : order.chargeState;
  return {
    order: { ...canceled, chargeState: refundingCents > 0 ? 'refund_pending' : unpaid, refundingCents },
    event: { type: 'order.canceled', data: { ...(by && { by }), reason, refund_cents: cents } },
    refundCents: cents,
  };
}

type Ending = { reason: string; by?: CanceledBy | undefined };

function stateInWords(order: Order): string {
  if (order.status !== 'in_progress') return order.status.replaceAll('_', ' ');
  const stage = {
    none: '',
    assigned: ' with a driver assigned',
    picked_up: ' and picked up',
    nearby: ' and nearly there',
  };
  return `in progress${order.isReady ? ', ready' : ''}${stage[order.driverStage]}`;
}
