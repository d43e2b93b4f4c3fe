import { epochSeconds } from '../lib/time.ts';
import { MINUTES_PER_DAY, type MinuteRange } from '../stores/hours.ts';
import { type Schedule, stretchesOfDay } from '../stores/schedule.ts';
import { scheduleStateAt } from '../stores/schedule-state.ts';
import type { Scheduling } from '../stores/store.ts';
import { type ZoneClock, type ZoneSegment, zoneClock } from '../stores/zone-clock.ts';

const DAY_S = 86_400;

/** A window [start, end) that an order may be scheduled for, in epoch seconds. */
export type Slot = { startEpochS: number; endEpochS: number };

/** The inputs that decide which windows a store offers for one mode at one moment. */
export type SlotQuestion = {
  /** The hours of the mode's channel; unknown ones offer nothing. */
  schedule: Schedule;
  timeZone: string;
  scheduling: Scheduling;
  /** No window starts before this moment; null or a moment that has passed: the store has not paused. */
  pausedUntil?: Temporal.Instant | null;
  now: Temporal.Instant;
  /** Starts, in epoch seconds, of the windows whose capacity is used up. */
  fullStarts?: ReadonlySet<number>;
};

/**
 * The whole windows of one local day, in order, independent of the present time: callers may cache them. A window starts at
 * a multiple of `slotMinutes` (at least 1) from local midnight, ends within the same day, and lies within the hours,
 * the previous day's range past midnight included; the hours of a single date count on that date.
 *
 * On days when the clocks change, a window is whole when the clock runs through it without a jump. So what the
 * spring skips is not offered; in autumn the repeated hour has its windows twice, as far as the store is open: a
 * store that closes within that hour closes in its first pass. `epochDay` counts local days from 1970-01-01.
 */
export function slotsOfDay(schedule: Schedule, timeZone: string, slotMinutes: number, epochDay: number): Slot[] {
  if (!(slotMinutes >= 1)) throw new RangeError(`No slots of ${slotMinutes} minutes`);
  const stretches = stretchesOfDay(schedule, epochDay);
  if (stretches.length === 0) return [];
  const clock = zoneClock(timeZone);
  const segments = segmentsOfDay(clock, epochDay);
  const slots: Slot[] = [];
  for (const segment of segments) {
    for (const minute of startsWithin(stretches, slotMinutes)) {
      const startEpochS = epochDay * DAY_S + minute * 60 - segment.offsetS;
      const slot = { startEpochS, endEpochS: startEpochS + slotMinutes * 60 };
      if (slot.startEpochS < segment.startS || slot.endEpochS > segment.endS) continue;
      if (segments.length === 1 || isOpenThroughout(schedule, clock, slot)) slots.push(slot);
    }
  }
  return slots;
}

/** The minutes of a local day at which whole windows begin. Minutes outside of the hours cost nothing. */
function* startsWithin(stretches: readonly MinuteRange[], slotMinutes: number): Generator<number, void> {
  for (const { startMinute, endMinute } of stretches) {
    const end = Math.min(endMinute, MINUTES_PER_DAY);
    let minute = Math.ceil(Math.max(0, startMinute) / slotMinutes) * slotMinutes;
    for (; minute + slotMinutes <= end; minute += slotMinutes) yield minute;
  }
}

/** The slots that may be ordered now: open, far enough ahead, near enough, and not full; in order. */
export function offeredSlots(question: SlotQuestion): Slot[] {
  return [...slotsAhead(question)];
}

/** The first offered window; the search stops there. */
export function firstOfferedSlot(question: SlotQuestion): Slot | undefined {
  const [first] = slotsAhead(question);
  return first;
}

/** The offered windows in order, computed a day at a time as they are taken. */
export function* slotsAhead(question: SlotQuestion): Generator<Slot, undefined> {
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

/** Whether exactly this window is among the offered ones: what an order's `scheduled_id` must still pass. */
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

/** The local date of a moment as days from 1970-01-01: the key under which callers keep `slotsOfDay`. */
export function localDay(timeZone: string, now: Temporal.Instant): number {
  const epochS = epochSeconds(now);
  return Math.floor((epochS + zoneClock(timeZone).offsetAt(epochS)) / DAY_S);
}

function earliestStart({ now, scheduling, pausedUntil }: SlotQuestion): number {
  const leadS = now.epochMilliseconds / 1000 + scheduling.leadMinutes * 60;
  return Math.max(leadS, (pausedUntil?.epochMilliseconds ?? 0) / 1000);
}

/** The offsets in force on a local day: one on most days, two when the clocks change during it or close to it. */
function segmentsOfDay(clock: ZoneClock, epochDay: number): ZoneSegment[] {
  return clock.segments((epochDay - 1) * DAY_S, (epochDay + 2) * DAY_S);
}

function isOpenThroughout(schedule: Schedule, clock: ZoneClock, slot: Slot): boolean {
  const state = scheduleStateAt(schedule, clock, slot.startEpochS);
  return state.open && state.changesAtS >= slot.endEpochS;
}
