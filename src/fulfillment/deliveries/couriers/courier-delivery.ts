import { nextAttemptAt, type RetrySchedule } from '../../../platform/lib/retry-schedule.ts';
import { epochSecondsOrNull } from '../../../platform/lib/time.ts';
import type { CourierReport, CourierState } from './courier-gateway.ts';

/**
 * A delivery's state: `requested` until the gateway answers, then the gateway's state; `refused` by the gateway,
 * `failed` without a response in time, `lost` after pick-up.
 */
type DeliveryState = CourierState | 'requested' | 'refused' | 'failed' | 'lost';

/** One attempt to have an order delivered by a courier. */
export type CourierDelivery = {
  orderId: string;
  /** 1, or 2 after the first attempt's courier gave up before pick-up. */
  attempt: number;
  gateway: string;
  /** Idempotency key at the gateway. */
  key: string;
  state: DeliveryState;
  /** False once the order needs no courier; then the delivery is canceled. */
  isWanted: boolean;
  /** Whether the gateway refused to cancel because the courier already had the order. */
  isTooLate: boolean;
  /** When notes or the tip changed that the gateway has not received yet; null if it has the current ones. */
  changedAt: Temporal.Instant | null;
  readyAt: Temporal.Instant;
  quoteId: string | null;
  /** When the delivery was first requested. From then on it may exist. */
  sentAt: Temporal.Instant | null;
  deliveryId: string | null;
  /** The last driver that the gateway named, if any. */
  driverName: string | null;
  /** The whole tip that the gateway has; null until it is requested. */
  tipCents: number | null;
  feeCents: number | null;
  currency: string | null;
  trackingUrl: string | null;
  proofUrl: string | null;
  /** Time of the newest report, by the gateway's clock, and its event id. */
  reportedAt: Temporal.Instant | null;
  lastEventId: string | null;
  /** Consecutive failed calls. */
  failures: number;
  lastError: string | null;
  createdAt: Temporal.Instant;
  /** When the gateway is called next; null for never. */
  nextCallAt: Temporal.Instant | null;
  leasedUntil: Temporal.Instant | null;
};

/** Maximum delivery attempts per order: one retry. */
export const MAX_ATTEMPTS = 2;
/**
 * Maximum minutes to create a delivery. A gateway may forget a key after an hour, and a later retry could
 * create a second delivery.
 */
const GIVE_UP_MINUTES = 45;
/** Minutes without a report before a delivery is looked up, because a webhook may have been lost. */
const SILENCE_MINUTES = 3;
/**
 * Hours after its creation, and after its ready time, when polling of a delivery stops (a scheduled order may be
 * for a later day). Later webhooks still count.
 */
const POLLING_HOURS = 48;
const FOLLOW_READY_HOURS = 24;
/** The last delay repeats until a limit above fails the delivery. */
const RETRIES: RetrySchedule = { delaysSeconds: [2, 5, 10, 30, 60, 120], repeatsForHours: Number.POSITIVE_INFINITY };

/** Progress of each state; a delivery never returns to an earlier one. */
const RANKS: Readonly<Record<DeliveryState, number>> = {
  requested: 0,
  pending: 1,
  assigned: 2,
  at_store: 2,
  picked_up: 3,
  delivered: 4,
  canceled: 4,
  returned: 4,
  refused: 4,
  failed: 4,
  lost: 4,
};

export const ENDED_STATES = (Object.keys(RANKS) as DeliveryState[]).filter((state) => RANKS[state] === 4);

export const isDeliveryEnded = ({ state }: Pick<CourierDelivery, 'state'>): boolean => RANKS[state] === RANKS.delivered;

/** The next call for a delivery. `withdraw`: the gateway never received it, so it ends without a call. */
export type CourierCall = 'create' | 'withdraw' | 'recall' | 'cancel' | 'update' | 'find';

export function nextCallOf(delivery: CourierDelivery): CourierCall | undefined {
  const { state, isWanted, isTooLate, sentAt, deliveryId, changedAt } = delivery;
  if (isDeliveryEnded(delivery)) return undefined;
  if (isWanted && changedAt !== null && deliveryId !== null) return 'update';
  if (isWanted || isTooLate) return state === 'requested' ? 'create' : 'find';
  if (deliveryId !== null) return 'cancel';
  return sentAt === null ? 'withdraw' : 'recall';
}

/** Creates an attempt for an order, due at once. */
export function requestDelivery(
  { orderId, attempt, gateway }: Pick<CourierDelivery, 'orderId' | 'attempt' | 'gateway'>,
  readyAt: Temporal.Instant,
  now: Temporal.Instant,
): CourierDelivery {
  return {
    orderId,
    attempt,
    gateway,
    readyAt,
    key: `${orderId}-${attempt}`,
    state: 'requested',
    isWanted: true,
    isTooLate: false,
    changedAt: null,
    failures: 0,
    createdAt: now,
    nextCallAt: now,
    quoteId: null,
    sentAt: null,
    deliveryId: null,
    driverName: null,
    tipCents: null,
    feeCents: null,
    currency: null,
    trackingUrl: null,
    proofUrl: null,
    reportedAt: null,
    lastEventId: null,
    lastError: null,
    leasedUntil: null,
  };
}

/** The effect of a report. `isNew`: something changed. `isNewer`: it is the latest report so far. */
export type ReportEffect = { delivery: CourierDelivery; isNew: boolean; isNewer: boolean };

/**
 * Applies a report. Reports arrive late, twice and in any order: further progress always applies, the same progress
 * applies if the report is newer, and an ended delivery does not change.
 */
export function afterReport(delivery: CourierDelivery, report: CourierReport, now: Temporal.Instant): ReportEffect {
  const known = { ...delivery, deliveryId: delivery.deliveryId ?? report.deliveryId, failures: 0, lastError: null };
  if (isDeliveryEnded(delivery)) return { delivery, isNew: false, isNewer: false };
  const isFurther = RANKS[report.state] > RANKS[delivery.state];
  const isNewer = delivery.reportedAt === null || isLater(report.at, delivery.reportedAt, now);
  const isNew = isFurther || (isNewer && RANKS[report.state] === RANKS[delivery.state]);
  const next: CourierDelivery = {
    ...known,
    state: isNew ? report.state : delivery.state,
    driverName: isNewer ? (report.driver.name ?? delivery.driverName) : delivery.driverName,
    feeCents: report.feeCents ?? delivery.feeCents,
    currency: report.currency ?? delivery.currency,
    trackingUrl: report.trackingUrl ?? delivery.trackingUrl,
    proofUrl: report.proofUrl ?? delivery.proofUrl,
    reportedAt: isNewer ? report.at : delivery.reportedAt,
    lastEventId: report.eventId ?? delivery.lastEventId,
  };
  return { delivery: scheduled(next, now), isNew, isNewer };
}

/** Whether a moment is later than the known one, which a wrong clock may have put into the future. */
function isLater(at: Temporal.Instant, known: Temporal.Instant, now: Temporal.Instant): boolean {
  const { compare } = Temporal.Instant;
  return compare(at, known) > 0 || (compare(known, now) > 0 && compare(at, now) <= 0);
}

/** A failed call; `isFinal` if a retry cannot succeed. */
type CallFailure = { message: string; isFinal: boolean; retryAfterSeconds?: number | undefined };

/** Records a failed call: the delivery is retried with increasing delays, or fails. `chance` is from 0 to 1. */
export function afterFailure(
  delivery: CourierDelivery,
  failure: CallFailure,
  now: Temporal.Instant,
  chance: number,
): CourierDelivery {
  const isMade = delivery.deliveryId !== null;
  const failed = { ...delivery, failures: delivery.failures + 1, lastError: failure.message, leasedUntil: null };
  if (!isMade && (failure.isFinal || isOverdue(delivery, now))) return { ...failed, state: 'failed', nextCallAt: null };
  const attempt = { attempt: failed.failures, since: delivery.createdAt, now };
  const scheduledAt = nextAttemptAt(RETRIES, attempt, chance) ?? now;
  const allowedAt = now.add({ seconds: failure.retryAfterSeconds ?? 0 });
  const nextCallAt = Temporal.Instant.compare(scheduledAt, allowedAt) > 0 ? scheduledAt : allowedAt;
  return { ...failed, nextCallAt: isForgotten(delivery, now) ? null : nextCallAt };
}

/** Whether it is too late to create the delivery or to retry its creation. */
export function isOverdue({ sentAt, createdAt }: CourierDelivery, now: Temporal.Instant): boolean {
  return (sentAt ?? createdAt).until(now).total('minutes') >= GIVE_UP_MINUTES;
}

function isForgotten({ createdAt, readyAt }: CourierDelivery, now: Temporal.Instant): boolean {
  const isAfter = (moment: Temporal.Instant, hours: number) => moment.until(now).total('hours') >= hours;
  return isAfter(createdAt, POLLING_HOURS) && isAfter(readyAt, FOLLOW_READY_HOURS);
}

/** Ends the delivery on this service's initiative. */
export function ended(delivery: CourierDelivery, state: DeliveryState, reason: string | null): CourierDelivery {
  return { ...delivery, state, lastError: reason, nextCallAt: null, leasedUntil: null };
}

/** Schedules the next call, in case no report arrives before. */
export function scheduled(delivery: CourierDelivery, now: Temporal.Instant): CourierDelivery {
  const call = nextCallOf(delivery);
  const isOver = call === undefined || isForgotten(delivery, now);
  const nextCallAt = call === 'find' ? now.add({ minutes: SILENCE_MINUTES }) : now;
  return { ...delivery, nextCallAt: isOver ? null : nextCallAt, leasedUntil: null };
}

/** Presents a courier's delivery for an operator, as `orders show` lists it (docs/couriers.md#states). */
export function presentCourierDelivery(delivery: CourierDelivery) {
  return {
    attempt: delivery.attempt,
    gateway: delivery.gateway,
    state: delivery.state,
    fee_cents: delivery.feeCents,
    currency: delivery.currency,
    tracking_url: delivery.trackingUrl,
    proof_url: delivery.proofUrl,
    driver_name: delivery.driverName,
    wanted: delivery.isWanted,
    canceled_too_late: delivery.isTooLate,
    last_error: delivery.lastError,
    next_call_at: epochSecondsOrNull(delivery.nextCallAt),
  };
}
