import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { SearchIndex } from '../../../test/given/search-index.ts';
import { anyExceptions, anyWeek } from '../../../test/oracles/arbitrary-hours.ts';
import {
  exceptionOn,
  firstShownS,
  type OpenTime,
  type OracleHours,
  openTimesOf,
  stateIn,
} from '../../../test/oracles/dated-hours.ts';
import { queryOf, storeOf } from '../../../test/oracles/store-search.ts';
import { ALL_ZONES } from '../../../test/oracles/wall-clock.ts';
import { runs } from '../../../test/runs.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import type { WeeklyHours } from '../../supply/stores/hours.ts';
import { openingAt } from '../../supply/stores/open-state.ts';
import type { Store } from '../../supply/stores/store.ts';
import { zoneClock } from '../../supply/stores/zone-clock.ts';

const NEVER: WeeklyHours = [[], [], [], [], [], [], []];
const NO_ONE = { delivery: null, pickup: null, dine_in: null };

const OPENING = ['is_open', 'opens_at', 'closes_at', 'closed_reason'];

function newIndex() {
  let evaluations = 0;
  const index = new SearchIndex((schedule, timeZone) => (epochS) => {
    evaluations += 1;
    return openingAt(schedule, zoneClock(timeZone), epochS);
  });
  const page = (epochS: number, open = false) => index.search(queryOf({ open }), epochS);
  /** Each store's opening state in the response. */
  const shown = (epochS: number): Record<string, unknown>[] =>
    JSON.parse(index.writePage(page(epochS), epochS).toString()).stores.map((store: object) =>
      Object.fromEntries(Object.entries(store).filter(([name]) => OPENING.includes(name))),
    );
  return { index, page, shown, evaluations: () => evaluations };
}

type MessageContext = OracleHours & { ordering: boolean; pausedUntilS: number | null };

/** A store's expected state at a moment, derived from the surrounding dates. */
function expectedStates(one: MessageContext, near: Temporal.PlainDate): (epochS: number) => object {
  const times = openTimesOf(one, near.subtract({ days: 12 }), near.add({ days: 40 }));
  const dates = [...Array(20).keys()].map((n) => near.add({ days: 10 - n }));
  const days = dates.map((date) => ({ date, startS: firstShownS(one.timeZone, date, 0) }));
  const dateAt = (epochS: number) => days.find(({ startS }) => startS <= epochS)?.date;
  return (epochS) => expected(one, times, dateAt(epochS), epochS);
}

function expected(
  one: MessageContext,
  times: readonly OpenTime[],
  date: Temporal.PlainDate | undefined,
  epochS: number,
): object {
  const { week, exceptions, ordering, pausedUntilS } = one;
  const isUnknown = week === null && !exceptions.some(({ channel }) => channel === null || channel === 'operational');
  const paused = !isUnknown && pausedUntilS !== null && epochS < pausedUntilS;
  const { open, changesAtS = null } = stateIn(times, epochS);
  if (open && !paused) return { is_open: true, opens_at: null, closes_at: changesAtS };
  const resumed = paused ? stateIn(times, pausedUntilS) : undefined;
  const dated = date && exceptionOn(exceptions, 'operational', date);
  const reason = !ordering
    ? 'no_ordering'
    : paused
      ? 'paused'
      : dated
        ? 'exception'
        : week === null
          ? 'unknown_hours'
          : 'hours';
  const opensAt = resumed ? (resumed.open ? pausedUntilS : (resumed.changesAtS ?? null)) : changesAtS;
  return { is_open: false, opens_at: opensAt, closes_at: null, closed_reason: reason };
}

test('at any moment, in any sequence, a store shows when it opens or closes, and why it is closed', () => {
  const dates = fc.constantFrom('2026-03-08', '2026-11-01', '2027-03-14', '2026-06-15', '2026-12-31');
  const context = fc.record({
    week: fc.oneof(fc.constant(null), fc.constant(NEVER), anyWeek(15)),
    timeZone: fc.constantFrom(...ALL_ZONES),
    ordering: fc.oneof(fc.constant(true), fc.boolean()),
    pauseMinutes: fc.option(fc.integer({ min: -3000, max: 6000 })),
  });
  const minutes = fc.array(fc.integer({ min: -6000, max: 6000 }), { minLength: 5, maxLength: 40 });
  const cases = dates.chain((date) => fc.tuple(fc.constant(date), anyExceptions(date, 15), context, minutes));
  const property = fc.property(cases, ([date, exceptions, { pauseMinutes, ...given }, moments]) => {
    const near = Temporal.PlainDate.from(date);
    const noonS = firstShownS(given.timeZone, near, 720);
    const pausedUntilS = pauseMinutes === null ? null : noonS + pauseMinutes * 60;
    const one: MessageContext = { ...given, exceptions, channel: 'operational', pausedUntilS };
    const rightAt = expectedStates(one, near);
    const { index, page, shown } = newIndex();
    const pausedUntil = pausedUntilS === null ? null : instantOfEpochSeconds(pausedUntilS);
    const hours = { operational: one.week, ...NO_ONE };
    const { timeZone, ordering: onlineOrdering } = one;
    index.upsert(storeOf('a', { hours, hoursExceptions: exceptions, timeZone, onlineOrdering, pausedUntil }));
    for (const minute of moments) {
      const epochS = noonS + minute * 60;
      const about = JSON.stringify({ one, epochS });
      const right = rightAt(epochS);
      assert.deepEqual(shown(epochS), [right], about);
      assert.equal(page(epochS, true).stores.length === 1, 'is_open' in right && right.is_open, about);
    }
  });
  fc.assert(property, { numRuns: runs(400) });
});

test('a minute before, at and after midnight of an exception the reason is right, though the store stays closed', () => {
  const { index, shown } = newIndex();
  const hours = { operational: NEVER, ...NO_ONE };
  const hoursExceptions = [{ from: '2026-12-25', to: '2026-12-25', ranges: [], channel: null }];
  index.upsert(storeOf('a', { hours, hoursExceptions, timeZone: 'UTC' }));
  const reasonAt = (time: string) => shown(Temporal.Instant.from(time).epochMilliseconds / 1000)[0]?.closed_reason;
  const times = ['2026-12-24T23:59:59Z', '2026-12-25T00:00:00Z', '2026-12-25T23:59:59Z', '2026-12-26T00:00:00Z'];
  assert.deepEqual(times.map(reasonAt), ['hours', 'exception', 'exception', 'hours']);
});

test('stores alike share one schedule, whatever their other channels have, and each state is evaluated once', () => {
  const { index, shown, evaluations } = newIndex();
  const exceptions: Store['hoursExceptions'] = [
    { from: '2026-12-25', to: '2026-12-25', ranges: [], channel: 'delivery' },
  ];
  for (let n = 0; n < 3000; n += 1) {
    const onlineOrdering = n % 5 > 0;
    index.upsert(storeOf(`s${n}`, { onlineOrdering, hoursExceptions: n % 2 === 0 ? exceptions : [] }));
  }
  const written = new Set(shown(1_790_000_000).map((opening) => JSON.stringify(opening)));
  assert.deepEqual([evaluations(), written.size], [1, 2]);
});
