import { hash } from 'node:crypto';
import { grownFloat64, grownUint8, grownUint32 } from '../../lib/columns/grow.ts';
import { createInterner } from '../../lib/columns/interner.ts';
import { memoised, memoisedByObject } from '../../lib/memo.ts';
import { sha256 } from '../../lib/sha256.ts';
import { epochSeconds } from '../../lib/time.ts';
import type { WeeklyHours } from '../hours.ts';
import { type Opening, type OpeningFields, pausedUntil } from '../open-state.ts';
import { type Schedule, scheduleOf } from '../schedule.ts';
import type { Store } from '../store.ts';
import { presentOpening } from '../store-element.ts';

/** The state of something at an epoch second. */
export type OpenAt = (epochS: number) => Opening;

/**
 * Whether each store is open, until when, and why not. Stores with the same hours in the same zone share one schedule. A
 * store that has paused, or has dates of its own, has another one, so that a search reads nothing more for other stores.
 */
export type OpenTimes = {
  set(ordinal: number, store: OpeningFields & Pick<Store, 'onlineOrdering'>): void;
  /**
   * A new schedule for such stores, which is held until `release`; stores that are set later do not share it. What the
   * stores have is asked for when the schedule is.
   */
  acquire(storeOf: () => OpeningFields): number;
  release(schedule: number): void;
  /** Gives new stores, whose ordinals follow each other, schedules that are held; 1 where online ordering is off. */
  placeAll(first: number, schedules: Uint32Array, isOrderingOff: Uint8Array): void;
  /** Makes room for so many stores in all. */
  reserve(stores: number): void;
  clear(ordinal: number): void;
  /** Evaluates the schedule again only where its last state has ended, or was for a later time. */
  isOpen(ordinal: number, nowEpochS: number): boolean;
  /** The members of a store's element that tell its opening, up to the value of `miles`, as JSON; written once a state. */
  membersOf(ordinal: number, nowEpochS: number): Buffer;
};

export function createOpenTimes(openAtOf: (schedule: Schedule, timeZone: string) => OpenAt): OpenTimes {
  const schedules = createInterner();
  const states = createStates();
  let scheduleOfStore = new Uint32Array(1024);
  /** 1 where the store's online ordering is off. */
  let orderingOff = new Uint8Array(1024);

  function prepareLater(id: number, storeOf: () => OpeningFields): void {
    states.set(id, () => {
      const { hours, hoursExceptions, pausedUntil: paused, timeZone } = storeOf();
      const schedule = scheduleOf({ hours, hoursExceptions }, 'operational');
      const openAt = openAtOf(schedule, timeZone);
      return paused === null || isUnknown(schedule) ? openAt : pausedUntil(epochSeconds(paused), openAt);
    });
  }

  function releaseOf(ordinal: number): void {
    const schedule = scheduleOfStore[ordinal] as number;
    if (schedule > 0) schedules.release(schedule);
  }

  function makeRoom(stores: number): void {
    if (stores <= scheduleOfStore.length) return;
    scheduleOfStore = grownUint32(scheduleOfStore, stores);
    orderingOff = grownUint8(orderingOff, stores);
  }

  function put(ordinal: number, schedule: number, onlineOrdering: boolean): void {
    makeRoom(ordinal + 1);
    releaseOf(ordinal);
    orderingOff[ordinal] = onlineOrdering ? 0 : 1;
    scheduleOfStore[ordinal] = schedule;
  }

  return {
    set(ordinal, store) {
      const { id, isNew } = schedules.acquire(keyOfSchedule(store));
      if (isNew) prepareLater(id, openingFieldsOf(store));
      put(ordinal, id, store.onlineOrdering);
    },
    acquire(storeOf) {
      const id = schedules.acquireUnnamed();
      prepareLater(id, storeOf);
      return id;
    },
    release(schedule) {
      schedules.release(schedule);
    },
    placeAll(first, own, isOrderingOff) {
      schedules.holdAll(own);
      makeRoom(first + own.length);
      scheduleOfStore.set(own, first);
      orderingOff.set(isOrderingOff, first);
    },
    reserve: makeRoom,
    clear(ordinal) {
      releaseOf(ordinal);
      scheduleOfStore[ordinal] = 0;
    },
    isOpen: (ordinal, nowEpochS) => states.isOpen(scheduleOfStore[ordinal] as number, nowEpochS),
    membersOf: (ordinal, nowEpochS) =>
      states.membersOf(scheduleOfStore[ordinal] as number, orderingOff[ordinal] === 0, nowEpochS),
  };
}

/** A schedule that is kept keeps no more of a store. */
function openingFieldsOf({
  hours,
  hoursExceptions,
  pausedUntil: paused,
  timeZone,
}: OpeningFields): () => OpeningFields {
  return () => ({ hours, hoursExceptions, pausedUntil: paused, timeZone });
}

/** By schedule: whether it is open, from when until when that is known, its last state, and the members of that state. */
function createStates() {
  /** A schedule is prepared when it is first asked for: a node that starts has thousands, and shows a few of them. */
  const prepares: (() => OpenAt)[] = [];
  const openAts: (OpenAt | undefined)[] = [];
  const openings: Opening[] = [];
  const written: (Buffer | undefined)[] = [];
  const writtenOff: (Buffer | undefined)[] = [];
  let open = new Uint8Array(1024);
  let knownFromS = new Float64Array(1024);
  let knownUntilS = new Float64Array(1024);

  function evaluate(schedule: number, nowEpochS: number): boolean {
    const openAt = openAts[schedule] ?? (prepares[schedule] as () => OpenAt)();
    openAts[schedule] = openAt;
    const opening = openAt(nowEpochS);
    openings[schedule] = opening;
    open[schedule] = opening.open ? 1 : 0;
    knownFromS[schedule] = nowEpochS;
    knownUntilS[schedule] = opening.untilS;
    written[schedule] = undefined;
    writtenOff[schedule] = undefined;
    return opening.open;
  }

  function isOpen(schedule: number, nowEpochS: number): boolean {
    const isKnown = nowEpochS >= (knownFromS[schedule] as number) && nowEpochS < (knownUntilS[schedule] as number);
    return isKnown ? open[schedule] === 1 : evaluate(schedule, nowEpochS);
  }

  return {
    isOpen,
    set(schedule: number, prepare: () => OpenAt): void {
      if (schedule >= open.length) {
        open = grownUint8(open, schedule + 1);
        knownFromS = grownFloat64(knownFromS, schedule + 1);
        knownUntilS = grownFloat64(knownUntilS, schedule + 1);
      }
      prepares[schedule] = prepare;
      openAts[schedule] = undefined;
      knownFromS[schedule] = Infinity;
    },
    membersOf(schedule: number, ordering: boolean, nowEpochS: number): Buffer {
      isOpen(schedule, nowEpochS);
      const known = ordering ? written : writtenOff;
      const members = known[schedule] ?? writeOpening(openings[schedule] as Opening, ordering);
      known[schedule] = members;
      return members;
    },
  };
}

/** A short key of weekly hours, once for the stores of a snapshot that share an object of hours. */
const keyOfWeek = memoisedByObject((week: WeeklyHours) => ({
  text: hash('sha256', JSON.stringify(week), 'base64url'),
}));

/** Equal keys are equal schedules. Unknown hours stay unknown through a pause. */
function keyOfSchedule(store: OpeningFields): string {
  const week = store.hours.operational;
  const dated = store.hoursExceptions.length === 0 ? [] : scheduleOf(store, 'operational').dated;
  if (isUnknown({ week, dated })) return '';
  // Hundreds of dates are half a megabyte of JSON, which the index would keep for each such store.
  const dates = dated.length === 0 ? '' : ` ${sha256(JSON.stringify(dated)).toString('base64url')}`;
  const pause = store.pausedUntil === null ? '' : ` until ${epochSeconds(store.pausedUntil)}`;
  return store.timeZone + (week === null ? 'null' : keyOfWeek(week).text) + dates + pause;
}

function isUnknown({ week, dated }: Pick<Schedule, 'week' | 'dated'>): boolean {
  return week === null && dated.length === 0;
}

function writeOpening(opening: Opening, ordering: boolean): Buffer {
  return bytesOf(`${JSON.stringify(presentOpening(opening, ordering)).slice(1, -1)},"miles":`);
}

/** Openings that schedules share. */
const MAX_SHARED = 4096;
/** Thousands of schedules have a few hundred openings at a time: shared bytes stay in the processor's cache. */
const bytesOf = memoised((text) => Buffer.from(text), MAX_SHARED);
