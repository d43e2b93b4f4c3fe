import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { MINUTES_PER_DAY, type MinuteRange } from '../stores/hours.ts';
import { scheduleStateAt } from '../stores/open-state.ts';
import { openRangesOfDay, type Schedule, scheduleOf } from '../stores/schedule.ts';
import type { Mode, Scheduling, Store } from '../stores/store.ts';
import { type ZoneClock, zoneClock } from '../stores/zone-clock.ts';

/* Slots of scheduled orders: the store's hours cut into windows, within lead times and capacity. */

const DAY_S = 86_400;

/** A slot [start, end) of a scheduled order, in epoch seconds. */
export type Slot = { startEpochS: number; endEpochS: number };

/** The inputs that decide which slots a store offers for one mode at a moment. */
export type SlotQuestion = {
  /** Hours of the mode; unknown ones offer no slots. */
  schedule: Schedule;
  timeZone: string;
  scheduling: Scheduling;
  /** No slot starts before this moment; null or past if the store is not paused. */
  pausedUntil?: Temporal.Instant | null;
  now: Temporal.Instant;
  /** Starts of full slots, in epoch seconds. */
  fullStarts?: ReadonlySet<number>;
};

/**
 * The whole slots that begin on local day `epochDay` (from 1970-01-01), cacheable: multiples of `slotMinutes` from
 * midnight, within the hours, with the evening before. The last one may end on the next day. On clock changes, slots
 * with a jump are excluded, and repeated hours give two slots.
 */
export function slotsOfDay(schedule: Schedule, timeZone: string, slotMinutes: number, epochDay: number): Slot[] {
  if (!(slotMinutes >= 1)) throw new RangeError(`No slots of ${slotMinutes} minutes`);
  const openRanges = openRangesOfDay(schedule, epochDay);
  if (openRanges.length === 0) return [];
  const clock = zoneClock(timeZone);
  // Usually one UTC offset, or two if the clocks change near the day.
  const segments = clock.segments((epochDay - 1) * DAY_S, (epochDay + 2) * DAY_S);
  const slots: Slot[] = [];
  for (const segment of segments) {
    for (const minute of slotStarts(openRanges, slotMinutes)) {
      const startEpochS = epochDay * DAY_S + minute * 60 - segment.offsetS;
      const slot = { startEpochS, endEpochS: startEpochS + slotMinutes * 60 };
      if (slot.startEpochS < segment.startS || slot.endEpochS > segment.endS) continue;
      const isPlain = segments.length === 1 && minute + slotMinutes <= MINUTES_PER_DAY;
      if (isPlain || isOpenThroughout(schedule, clock, slot)) slots.push(slot);
    }
  }
  return slots;
}

/** Minutes of a local day when slots begin, whole ones unless they cross midnight. Closed minutes cost nothing. */
function* slotStarts(openRanges: readonly MinuteRange[], slotMinutes: number): Generator<number, void> {
  for (const { startMinute, endMinute } of openRanges) {
    const lastStart = endMinute < MINUTES_PER_DAY ? endMinute - slotMinutes : MINUTES_PER_DAY - 1;
    let minute = Math.ceil(Math.max(0, startMinute) / slotMinutes) * slotMinutes;
    for (; minute <= lastStart; minute += slotMinutes) yield minute;
  }
}

/** Lists the slots that can be ordered now, in order: open, within the lead times, and not full. */
export function offeredSlots(question: SlotQuestion): Slot[] {
  return [...iterateOfferedSlots(question)];
}

/** The first offered slot, without computing further ones. */
export function firstOfferedSlot(question: SlotQuestion): Slot | undefined {
  const [first] = iterateOfferedSlots(question);
  return first;
}

/** The offered slots in order, computed day by day on demand. */
export function* iterateOfferedSlots(question: SlotQuestion): Generator<Slot, undefined> {
  const { schedule, timeZone, scheduling, now, fullStarts } = question;
  if (!scheduling.enabled) return;
  const earliestS = earliestStart(question);
  const today = localDay(timeZone, now);
  for (let day = today; day <= today + scheduling.daysAhead; day += 1) {
    for (const slot of slotsOfDay(schedule, timeZone, scheduling.slotMinutes, day)) {
      if (slot.startEpochS >= earliestS && !fullStarts?.has(slot.startEpochS)) yield slot;
    }
  }
}

/** Whether exactly this slot is offered; used to validate an order's `scheduled_id`. */
export function isSlotOffered(slot: Slot, question: SlotQuestion): boolean {
  const { schedule, timeZone, scheduling, now, fullStarts } = question;
  if (!scheduling.enabled) return false;
  if (slot.startEpochS < earliestStart(question) || fullStarts?.has(slot.startEpochS)) return false;
  const day = Math.floor((slot.startEpochS + zoneClock(timeZone).offsetAt(slot.startEpochS)) / DAY_S);
  const ahead = day - localDay(timeZone, now);
  if (ahead < 0 || ahead > scheduling.daysAhead) return false;
  return slotsOfDay(schedule, timeZone, scheduling.slotMinutes, day).some(
    (whole) => whole.startEpochS === slot.startEpochS && whole.endEpochS === slot.endEpochS,
  );
}

/** The local date of a moment in days from 1970-01-01: the cache key of `slotsOfDay`. */
export function localDay(timeZone: string, now: Temporal.Instant): number {
  const epochS = epochSeconds(now);
  return Math.floor((epochS + zoneClock(timeZone).offsetAt(epochS)) / DAY_S);
}

function earliestStart({ now, scheduling, pausedUntil }: SlotQuestion): number {
  const leadS = now.epochMilliseconds / 1000 + scheduling.leadMinutes * 60;
  return Math.max(leadS, (pausedUntil?.epochMilliseconds ?? 0) / 1000);
}

function isOpenThroughout(schedule: Schedule, clock: ZoneClock, slot: Slot): boolean {
  const state = scheduleStateAt(schedule, clock, slot.startEpochS);
  return state.open && state.changesAtS >= slot.endEpochS;
}

/**
 * Opening times after the quote, in epoch seconds, as many as placing may need, and the latest time when the store
 * gets a scheduled order. `untilEpochS` is null if open without end.
 */
export type OfferTimes = {
  open: readonly { fromEpochS: number; untilEpochS: number | null }[];
  latestEpochS: number;
};

/** Maximum opening times stored with a quote. An order follows within minutes, so more are never needed. */
const OPEN_TIMES = 3;

/**
 * Times when the store may get a scheduled order. Frozen with the quote, because the placing process may not have
 * the store in memory. A pause counts as closed. The store's hours count, or the mode's if unknown; exceptions take
 * precedence.
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
 * When the store gets an order placed now (docs/orders.md#release-to-the-store): ASAP orders at once; scheduled
 * ones when the store is open, at the latest the lead minutes before the slot.
 */
export function offerAtOf({ offer }: { offer?: OfferTimes }, placedAt: Temporal.Instant): Temporal.Instant {
  if (!offer) return placedAt;
  const placedEpochS = placedAt.epochMilliseconds / 1000;
  const next = offer.open.find(({ untilEpochS }) => untilEpochS === null || untilEpochS > placedEpochS);
  const fromEpochS = Math.min(next?.fromEpochS ?? Infinity, offer.latestEpochS);
  return fromEpochS <= placedEpochS ? placedAt : instantOfEpochSeconds(fromEpochS);
}
