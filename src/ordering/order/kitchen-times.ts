import { present } from 'doorstep/collections';
import { Refusal } from '../../platform/http/refusal.ts';
import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { allowsStep, type OrderStep, type StepDetails } from './advance-order.ts';
import { isOnTheWay, laterOf, travelSeconds } from './arrival.ts';
import { hasLeftTheStore, type Order, type QuotedSlot } from './order.ts';
import type { EventSource } from './order-events.ts';
import { arrivalOf, isUnderWay } from './order-view.ts';

/**
 * When an order is prepared, ready and with its customer. All surfaces take times from here, so that pages, messages
 * and agents agree, and the arrival is the ready time plus the trip.
 */

/** Preparation minutes that a store can set. */
export const PREPARATION_MINUTES = { minimum: 1, maximum: 1440 } as const;

/**
 * Computes when the food is ready and when the customer gets it, for this many minutes of preparation from now. A
 * scheduled order keeps its slot's end unless the food is late; neither kitchen nor courier starts before the slot
 * requires it.
 */
export function confirmedDetails(order: Order, preparationMinutes: number, now: Temporal.Instant): StepDetails {
  const prepared = now.add({ minutes: preparationMinutes });
  const arrival = prepared.add({ seconds: travelSeconds(order) });
  const { scheduled } = order.quote;
  if (!scheduled) return { readyBy: prepared, eta: arrival };
  return {
    readyBy: laterOf(prepared, instantOfEpochSeconds(quotedReadyEpochS(order))),
    eta: laterOf(arrival, instantOfEpochSeconds(scheduled.endEpochS)),
  };
}

/** Minutes of a delay, and how often a store may delay an order. */
export const DELAY_LIMITS = { minimum: 5, maximum: 60, times: 3 } as const;

export type Delay = { minutes: number; reason?: string | undefined; source?: EventSource };

/**
 * Delays a confirmed order until it is ready: the food is ready so many minutes later than said, or than now if that
 * has passed. A scheduled order keeps its slot unless the food is too late for it.
 */
export function delayedStep(order: Order, { minutes, reason, source }: Delay, now: Temporal.Instant): OrderStep {
  if (!allowsStep(order, 'ready')) throw new Refusal('transition_not_allowed', NOT_COOKING);
  const readyBy = laterOf(instantOfEpochSeconds(readyEpochS(order)), now).add({ minutes });
  const before = arrivalOf(order);
  const eta = laterOf(before, readyBy.add({ seconds: travelSeconds(order) }));
  const data = { from: epochSeconds(before), to: epochSeconds(eta), ...present({ reason, source }) };
  return { order: { ...order, readyBy, eta }, event: { type: 'order.delayed', data } };
}

const NOT_COOKING = 'Only a confirmed order can be delayed, until it is ready or has left the store.';

/**
 * Returns when the food must be ready, in epoch seconds. A scheduled pickup is ready at the slot's start; a scheduled
 * delivery leaves then, or earlier for a long trip.
 */
export function quotedReadyEpochS(order: Order): number {
  const { quote } = order;
  const leaveBy = quote.etaEpochS - travelSeconds(order);
  return quote.scheduled ? Math.min(quote.scheduled.startEpochS, leaveBy) : leaveBy;
}

/** Returns when the food is ready, in epoch seconds: as the store confirmed, otherwise as quoted. */
export function readyEpochS(order: Order): number {
  return order.readyBy ? epochSeconds(order.readyBy) : quotedReadyEpochS(order);
}

/**
 * Returns the store's preparation time as quoted, in whole minutes: the middle of its range. A store that confirms with
 * it is within the quoted time.
 */
export function quotedPreparationMinutes(order: Order): number {
  const { asapMinutes, minutes } = order.quote;
  const untilArrival = asapMinutes ?? (minutes.minimum + minutes.maximum) / 2;
  const preparation = Math.ceil(untilArrival - travelSeconds(order) / 60);
  return Math.min(PREPARATION_MINUTES.maximum, Math.max(PREPARATION_MINUTES.minimum, preparation));
}

/** An expected time as a range of epoch seconds; both ends are equal for a single estimate. */
export type TimeRange = { earliestEpochS: number; latestEpochS: number };

/** Returns when an order under way arrives or is ready, as of `now`: the estimate, but never sooner than possible. */
export function expectedTime(order: Order, now: Temporal.Instant): TimeRange {
  const { earliestEpochS, latestEpochS } = estimatedTime(order);
  const soonest = soonestEpochS(order, now);
  return { earliestEpochS: Math.max(earliestEpochS, soonest), latestEpochS: Math.max(latestEpochS, soonest) };
}

/**
 * Returns the estimated time. On the way it is the driver's; for a scheduled order that is not late, its slot;
 * otherwise the store's, which is a range until the store states when the food is ready.
 */
function estimatedTime(order: Order): TimeRange {
  const { scheduled, minutes } = order.quote;
  const latestEpochS = epochSeconds(arrivalOf(order));
  const isInSlot = scheduled !== null && latestEpochS <= scheduled.endEpochS && !isOnTheWay(order);
  if (isInSlot) return { earliestEpochS: scheduled.startEpochS, latestEpochS: scheduled.endEpochS };
  const isSingle = scheduled !== null || order.readyBy !== null || isOnTheWay(order);
  return {
    earliestEpochS: isSingle ? latestEpochS : latestEpochS - (minutes.maximum - minutes.minimum) * 60,
    latestEpochS,
  };
}

/** Returns the earliest possible time: the remaining preparation, then the trip, rounded down to the shown minute. */
export function soonestEpochS(order: Order, now: Temporal.Instant): number {
  const left = secondsLeft(order, now);
  if (left !== undefined) return minuteOf(epochSeconds(now)) + left;
  const isCooking = order.status === 'in_progress' && order.request.mode === 'delivery' && !isOnTheWay(order);
  return isCooking ? readyEpochS(order) + travelSeconds(order) : 0;
}

/**
 * Returns the minimum seconds from now until the arrival, if they do not pass while the order waits: for the store's
 * confirmation, or for a driver once the food is ready. Otherwise undefined.
 */
function secondsLeft(order: Order, now: Temporal.Instant): number | undefined {
  const { status, request, quote, isReady } = order;
  if (status === 'awaiting_confirmation') return quote.scheduled ? undefined : quote.minutes.minimum * 60;
  if (status !== 'in_progress' || request.mode === 'pickup' || isOnTheWay(order)) return undefined;
  return isReady || readyEpochS(order) <= epochSeconds(now) ? travelSeconds(order) : undefined;
}

const minuteOf = (epochS: number) => Math.floor(epochS / 60) * 60;

/** Returns when the expected time next changes because time passes; undefined if only a step changes it. */
export function expectedTimeChangesEpochS(order: Order, now: Temporal.Instant): number | undefined {
  const left = secondsLeft(order, now);
  if (left === undefined) return undefined;
  const keptUntil = estimatedTime(order).earliestEpochS - left;
  return minuteOf(Math.max(epochSeconds(now), keptUntil)) + 60;
}

/** Returns the slot of a scheduled order that is neither late nor on the way. */
export function expectedSlot(order: Order, now: Temporal.Instant): QuotedSlot | undefined {
  const { scheduled } = order.quote;
  const isKept = scheduled && !isOnTheWay(order) && expectedTime(order, now).latestEpochS <= scheduled.endEpochS;
  return isKept ? scheduled : undefined;
}

/** Rounding of the start, which is shown as "around 5:25 PM". */
const KITCHEN_START_STEP_SECONDS = 5 * 60;

/**
 * Returns when the store starts on a scheduled order, in epoch seconds: its usual preparation minutes before the ready
 * time. Undefined for an ASAP order, which it starts when it confirms.
 */
export function kitchenStartsEpochS(order: Order): number | undefined {
  const { scheduled, asapMinutes } = order.quote;
  if (!scheduled) return undefined;
  const preparationS = asapMinutes === undefined ? 0 : asapMinutes * 60 - travelSeconds(order);
  return (
    Math.floor((quotedReadyEpochS(order) - preparationS) / KITCHEN_START_STEP_SECONDS) * KITCHEN_START_STEP_SECONDS
  );
}

/** Whether a scheduled order is placed or confirmed but not yet in preparation. */
export function isBeforeKitchenStart(order: Order, now: Temporal.Instant): boolean {
  const startsEpochS = kitchenStartsEpochS(order);
  const isBegun = order.isReady || hasLeftTheStore(order);
  return startsEpochS !== undefined && isUnderWay(order) && !isBegun && now.epochMilliseconds < startsEpochS * 1000;
}
