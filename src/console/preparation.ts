import type { StoreOrder } from '../offers/present-store-order.ts';
import { isScheduled } from './order-lane.ts';

export const STEP_MINUTES = 5;
/** Store API: a confirmation takes 1 to 1440 minutes. */
const MAX_MINUTES = 1440;

/** The minutes that a confirmation begins with: until the quoted time, in whole steps, at least one. */
export function quotedMinutes(order: Pick<StoreOrder, 'quoted_ready_by'>, nowEpochS: number): number {
  const steps = Math.ceil((order.quoted_ready_by - nowEpochS) / 60 / STEP_MINUTES);
  return Math.min(MAX_MINUTES, Math.max(STEP_MINUTES, steps * STEP_MINUTES));
}

/**
 * When an order is ready that is confirmed with these minutes, as the Store API has it: a scheduled order not before its
 * window needs it.
 */
export function readyEpochS(
  order: Pick<StoreOrder, 'quoted_ready_by' | 'scheduled'>,
  minutes: number,
  nowEpochS: number,
): number {
  const preparedEpochS = nowEpochS + minutes * 60;
  return isScheduled(order) ? Math.max(preparedEpochS, order.quoted_ready_by) : preparedEpochS;
}

/** One step more or less, within what a confirmation takes. */
export function steppedMinutes(minutes: number, steps: number): number {
  return Math.min(MAX_MINUTES, Math.max(STEP_MINUTES, minutes + steps * STEP_MINUTES));
}

/** A length of time in words: `25 min`, `2 h 05`. */
export function lengthInWords(minutes: number): string {
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`;
}

/** Minutes until a moment; negative once it has passed. */
export function minutesUntil(epochS: number, nowEpochS: number): number {
  const minutes = (epochS - nowEpochS) / 60;
  return minutes >= 0 ? Math.ceil(minutes) : Math.floor(minutes);
}

/** A countdown to the second: `4:05`; `0:00` once it has passed. */
export function countdown(epochS: number, nowEpochS: number): string {
  const seconds = Math.max(0, Math.round(epochS - nowEpochS));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
