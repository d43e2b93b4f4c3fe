import { grownFloat64, grownUint8, grownUint32 } from '../../lib/columns/grow.ts';
import { createInterner } from '../../lib/columns/interner.ts';
import type { WeeklyHours } from '../hours.ts';

/** Whether something is open, and the epoch second at which that next changes (Infinity for never). */
export type OpenAt = (epochS: number) => { open: boolean; changesAtS: number };

/** Whether each store is open. Stores with the same hours in the same zone share one schedule. */
export type OpenTimes = {
  set(ordinal: number, hours: WeeklyHours | null, timeZone: string): void;
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
    set(ordinal, hours, timeZone) {
      if (ordinal >= scheduleOf.length) scheduleOf = grownUint32(scheduleOf, ordinal + 1);
      const { id, isNew } = schedules.acquire(hours === null ? '' : timeZone + JSON.stringify(hours));
      release(ordinal);
      scheduleOf[ordinal] = id;
      if (!isNew) return;
      if (id >= open.length) {
        open = grownUint8(open, id + 1);
        knownFromS = grownFloat64(knownFromS, id + 1);
        changesAtS = grownFloat64(changesAtS, id + 1);
      }
      openAts[id] = openAtOf(hours, timeZone);
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
