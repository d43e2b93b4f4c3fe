import type { Schedule } from './schedule.ts';
import { datedStateAt, scheduleStateAt } from './schedule-state.ts';
import type { ZoneClock } from './zone-clock.ts';

/** Why a store is closed, by its schedule or its pause (docs/behaviour.md#open-and-closed). */
export type ClosedBecause = 'hours' | 'exception' | 'paused' | 'unknown_hours';

/** The state of a store at a moment; times are whole epoch seconds, Infinity for never. */
export type Opening = {
  open: boolean;
  changesAtS: number;
  /** Null while it is open. */
  because: ClosedBecause | null;
  /** The moment until which this state and its reason hold. */
  untilS: number;
};

/** A closed store whose date has an exception is closed by the exception, whatever the hour. */
export function openingAt(schedule: Schedule, clock: ZoneClock, epochS: number): Opening {
  const { open, changesAtS } = scheduleStateAt(schedule, clock, epochS);
  if (open) return { open, changesAtS, because: null, untilS: changesAtS };
  const weekly = schedule.week === null ? 'unknown_hours' : 'hours';
  if (schedule.dated.length === 0) return { open, changesAtS, because: weekly, untilS: changesAtS };
  const { dated, untilS } = datedStateAt(schedule, clock, epochS);
  return { open, changesAtS, because: dated ? 'exception' : weekly, untilS: Math.min(changesAtS, untilS) };
}

/** The state of a store that has paused until a moment: it is open again then, or when its hours next open. */
export function pausedUntil(untilS: number, openingAfter: (epochS: number) => Opening): (epochS: number) => Opening {
  return (epochS) => {
    if (epochS >= untilS) return openingAfter(epochS);
    const after = openingAfter(untilS);
    return { open: false, changesAtS: after.open ? untilS : after.changesAtS, because: 'paused', untilS };
  };
}
