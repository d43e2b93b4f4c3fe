import { grownFloat64, grownUint8, grownUint32 } from '../../lib/columns/grow.ts';
import { createInterner } from '../../lib/columns/interner.ts';
import { epochSeconds } from '../../lib/time.ts';
import type { WeeklyHours } from '../hours.ts';
import type { OpeningFields } from '../store-open-state.ts';

/** Whether something is open, and the epoch second at which that next changes (Infinity for never). */
export type OpenAt = (epochS: number) => { open: boolean; changesAtS: number };

/**
 * Whether each store is open. Stores with the same hours in the same zone share one schedule. A store that has paused has
 * one of its own, so that a search reads nothing more for the stores that have not.
 */
export type OpenTimes = {
  set(ordinal: number, store: OpeningFields): void;
  clear(ordinal: number): void;
  /** Evaluates the schedule again only where its last state has ended, or was for a later time. */
  isOpen(ordinal: number, nowEpochS: number): boolean;
};

export function createOpenTimes(openAtOf: (hours: WeeklyHours | null, timeZone: string) => OpenAt): OpenTimes {
  const schedules = createInterner();
  const openAts: OpenAt[] = [];
  let scheduleOf = new Uint32Array(1024);
  /** By schedule: the last state, and from when until when it holds. */
  let open = new Uint8Array(1024);
  let knownFromS = new Float64Array(1024);
  let changesAtS = new Float64Array(1024);

  function evaluate(schedule: number, nowEpochS: number): boolean {
    const state = (openAts[schedule] as OpenAt)(nowEpochS);
    open[schedule] = state.open ? 1 : 0;
    knownFromS[schedule] = nowEpochS;
    changesAtS[schedule] = state.changesAtS;
    return state.open;
  }

  function release(ordinal: number): void {
    const schedule = scheduleOf[ordinal] as number;
    if (schedule > 0) schedules.release(schedule);
  }

  return {
    set(ordinal, { hours: { operational: hours }, timeZone, pausedUntil }) {
      if (ordinal >= scheduleOf.length) scheduleOf = grownUint32(scheduleOf, ordinal + 1);
      const untilS = hours === null || pausedUntil === null ? null : epochSeconds(pausedUntil);
      const pause = untilS === null ? '' : ` ${untilS}`;
      const { id, isNew } = schedules.acquire(hours === null ? '' : timeZone + JSON.stringify(hours) + pause);
      release(ordinal);
      scheduleOf[ordinal] = id;
      if (!isNew) return;
      if (id >= open.length) {
        open = grownUint8(open, id + 1);
        knownFromS = grownFloat64(knownFromS, id + 1);
        changesAtS = grownFloat64(changesAtS, id + 1);
      }
      const openAt = openAtOf(hours, timeZone);
      openAts[id] = untilS === null ? openAt : closedUntil(untilS, openAt);
      knownFromS[id] = Infinity;
    },
    clear(ordinal) {
      release(ordinal);
      scheduleOf[ordinal] = 0;
    },
    isOpen(ordinal, nowEpochS) {
      const schedule = scheduleOf[ordinal] as number;
      const isKnown = nowEpochS >= (knownFromS[schedule] as number) && nowEpochS < (changesAtS[schedule] as number);
      return isKnown ? open[schedule] === 1 : evaluate(schedule, nowEpochS);
    },
  };
}

/** The schedule of a store that is paused until that second. */
function closedUntil(untilS: number, openAt: OpenAt): OpenAt {
  return (epochS) => (epochS < untilS ? { open: false, changesAtS: untilS } : openAt(epochS));
}
