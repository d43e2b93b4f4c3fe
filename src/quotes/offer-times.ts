import { epochSeconds, instantOfEpochSeconds } from '../lib/time.ts';
import type { Mode } from '../stores/mode.ts';
import { scheduleOf } from '../stores/schedule.ts';
import { scheduleStateAt } from '../stores/schedule-state.ts';
import type { Store } from '../stores/store.ts';
import { zoneClock } from '../stores/zone-clock.ts';
import type { Slot } from './slots.ts';

/**
 * The store's open times from the quote on, in epoch seconds and in order, as many as a placing can wait for; and the
 * moment at which a scheduled order is offered at the latest. An open time without end has `untilEpochS` null.
 */
export type OfferTimes = {
  open: readonly { fromEpochS: number; untilEpochS: number | null }[];
  latestEpochS: number;
};

/** Open times that a quote keeps: an order is placed within minutes of its quote, so a third is never looked at. */
const OPEN_TIMES = 3;

/**
 * The times at which a scheduled order may be offered to its store, frozen with the quote: an order may be placed by a
 * process that does not have the store. A store that has paused is closed until its pause ends. The hours of the store
 * itself count, or the hours of the mode where the weekly hours of the store are unknown; hours of single dates win over
 * either.
 */
export function offerTimesOf(store: Store, mode: Mode, slot: Slot, now: Temporal.Instant): OfferTimes {
  const schedule = scheduleOf(store, store.hours.operational === null ? mode : 'operational');
  const clock = zoneClock(store.timeZone);
  const open: { fromEpochS: number; untilEpochS: number | null }[] = [];
  let at = Math.max(epochSeconds(now), (store.pausedUntil?.epochMilliseconds ?? 0) / 1000);
  while (open.length < OPEN_TIMES && at < slot.startEpochS) {
    const state = scheduleStateAt(schedule, clock, at);
    const untilEpochS = state.changesAtS === Infinity ? null : state.changesAtS;
    if (state.open) open.push({ fromEpochS: at, untilEpochS });
    at = state.changesAtS;
  }
  return { open, latestEpochS: slot.startEpochS - store.scheduling.leadMinutes * 60 };
}

/**
 * When an order that is placed now is offered to its store (docs/behaviour.md#when-an-order-is-worked-on): an ASAP order
 * at once; a scheduled order at once if the store is open, else when it next opens, but not later than the lead minutes
 * before its window; never before its placing.
 */
export function offerAtOf({ offer }: { offer?: OfferTimes }, placedAt: Temporal.Instant): Temporal.Instant {
  if (!offer) return placedAt;
  const placedEpochS = placedAt.epochMilliseconds / 1000;
  const next = offer.open.find(({ untilEpochS }) => untilEpochS === null || untilEpochS > placedEpochS);
  const fromEpochS = Math.min(next?.fromEpochS ?? Infinity, offer.latestEpochS);
  return fromEpochS <= placedEpochS ? placedAt : instantOfEpochSeconds(fromEpochS);
}
