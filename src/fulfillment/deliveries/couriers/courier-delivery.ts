import { nextAttemptAt, type RetrySchedule } from '../../../platform/lib/retry-schedule.ts';
import { isoSeconds } from '../../../platform/lib/time.ts';
import type { CourierReport, CourierState } from './courier-gateway.ts';

/**
 * The state of a delivery here: `requested` until the gateway answers, then the gateway's state; `refused` by the
 * gateway, `failed` without an answer in time, `lost` after pick-up.
 */
type DeliveryState = CourierState | 'requested' | 'refused' | 'failed' | 'lost';

/** One attempt to have an order delivered by a courier. */
export type CourierDelivery = {
  orderId: string;
  /** 1, or 2 after the courier of the first attempt gave up before pick-up. */
  attempt: number;
  gateway: string;
  /** The idempotency key at the gateway. */
  key: string;
  state: DeliveryState;
  /** False once the order needs no courier, after which the delivery is canceled. */
  isWanted: boolean;
  /** Whether the gateway refused to cancel because the courier already had the order. */
  isTooLate: boolean;
  readyAt: Temporal.Instant;
  quoteId: string | null;
  /** When the delivery was first requested; from here on it may exist. */
  sentAt: Temporal.Instant | null;
  deliveryId: string | null;
  /** The last driver named by the gateway; null without a name. */
  driverName: string | null;
  feeCents: number | null;
  currency: string | null;
  trackingUrl: string | null;
  proofUrl: string | null;
  /** The time of the newest report, by the gateway's clock, and its event id. */
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

/** Limit of delivery attempts per order, that is one retry after a failure. */
export const MAX_ATTEMPTS = 2;
/**
 * Minutes within which a delivery must be created. A gateway may forget a key after an hour: a later repetition could
 * create a second delivery.
 */
const GIVE_UP_MINUTES = 45;
/** Minutes without a report after which a delivery is looked up, in case a webhook was lost. */
const SILENCE_MINUTES = 3;
/**
 * Polling of an unended delivery stops this long after its creation and after its ready time (a scheduled order may be
 * for a later day). Later webhooks still count.
 */
const FOLLOW_HOURS = 48;
const FOLLOW_READY_HOURS = 24;
/** The last delay repeats until a limit above fails the delivery. */
const RETRIES: RetrySchedule = { delaysSeconds: [2, 5, 10, 30, 60, 120], repeatsForHours: Number.POSITIVE_INFINITY };

/** The progress of each state; a delivery never goes back. */
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

export function isDeliveryEnded({ state }: Pick<CourierDelivery, 'state'>): boolean {
  return RANKS[state] === RANKS.delivered;
}

/** The next call for a delivery. `withdraw`: the gateway never received it, so it ends without a call. */
export type CourierCall = 'create' | 'withdraw' | 'recall' | 'cancel' | 'find';

export function nextCallOf(delivery: CourierDelivery): CourierCall | undefined {
  const { state, isWanted, isTooLate, sentAt, deliveryId } = delivery;
  if (isDeliveryEnded(delivery)) return undefined;
  if (isWanted || isTooLate) return state === 'requested' ? 'create' : 'find';
  if (deliveryId !== null) return 'cancel';
  return sentAt === null ? 'withdraw' : 'recall';
}

/** A new attempt for an order, due at once. */
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
    failures: 0,
    createdAt: now,
    nextCallAt: now,
    quoteId: null,
    sentAt: null,
    deliveryId: null,
    driverName: null,
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

/** The effect of a report. `isNew` means that something changed, `isNewer` that it is the latest report so far. */
export type ReportEffect = { delivery: CourierDelivery; isNew: boolean; isNewer: boolean };

/**
 * The delivery after a report. Reports come late, twice and in any order: further progress always counts, a report of
 * the same progress counts if it is newer, and an ended delivery does not change.
 */
export function afterReport(delivery: CourierDelivery, report: CourierReport, now: Temporal.Instant): ReportEffect {
  const known = { ...delivery, deliveryId: delivery.deliveryId ?? report.deliveryId, failures: 0, lastError: null };
  if (isDeliveryEnded(delivery)) return { delivery, isNew: false, isNewer: false };
  const isFurther = RANKS[report.state] > RANKS[delivery.state];
  const isNewer = delivery.reportedAt === null || Temporal.Instant.compare(report.at, delivery.reportedAt) > 0;
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

/** A failed call; `isFinal` if a retry cannot succeed. */
type CallFailure = { message: string; isFinal: boolean; retryAfterSeconds?: number | undefined };

/** The delivery after a failed call: retried with increasing delays, or failed. `chance` is from 0 to 1. */
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

/** Whether it is too late to create the delivery, or to retry that. */
export function isOverdue({ sentAt, createdAt }: CourierDelivery, now: Temporal.Instant): boolean {
  return (sentAt ?? createdAt).until(now).total('minutes') >= GIVE_UP_MINUTES;
}

function isForgotten({ createdAt, readyAt }: CourierDelivery, now: Temporal.Instant): boolean {
  const isAfter = (moment: Temporal.Instant, hours: number) => moment.until(now).total('hours') >= hours;
  return isAfter(createdAt, FOLLOW_HOURS) && isAfter(readyAt, FOLLOW_READY_HOURS);
}

/** The delivery, ended by this service. */
export function ended(delivery: CourierDelivery, state: DeliveryState, reason: string | null): CourierDelivery {
  return { ...delivery, state, lastError: reason, nextCallAt: null, leasedUntil: null };
}

/** The delivery with its next call scheduled, in case no report arrives first. */
export function scheduled(delivery: CourierDelivery, now: Temporal.Instant): CourierDelivery {
  const call = nextCallOf(delivery);
  const isOver = call === undefined || isForgotten(delivery, now);
  const nextCallAt = call === 'find' ? now.add({ minutes: SILENCE_MINUTES }) : now;
  return { ...delivery, nextCallAt: isOver ? null : nextCallAt, leasedUntil: null };
}

/** A courier's delivery for an operator, as `orders show` lists it (docs/couriers.md#states). */
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
    next_call_at: delivery.nextCallAt && isoSeconds(delivery.nextCallAt),
  };
}
