import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runs, SEED, some } from '../runs.ts';
import { openSimulator } from './open-simulator.ts';
import { type RunResult, simulate } from './simulate.ts';
import { YEAR_COUNTS, type YearCounts } from './year.ts';

const SEEDS = runs(100, 10);
/** Of these seeds no run is known to fail; a nightly run takes others. */
const FIRST_SEED = process.env.PROPERTY_SEED === undefined ? 1 : SEED;
const DAYS = runs(28, 14);
/** Seeds whose runs have several stores. */
const SEEDS_OF_STORES = runs(5);
const STORES = 4;

let simulator: Awaited<ReturnType<typeof openSimulator>>;
before(async () => {
  simulator = await openSimulator();
});
after(() => simulator[Symbol.asyncDispose]());

const failed = ({ seed, failure, last }: RunResult, parties: number) =>
  `npm run simulate -- --seed ${seed} --parties ${parties} --trace\n${failure}\n${last.slice(-10).join('\n')}`;

test(`whole lives of orders under crashes, lost answers, full disks and steps of the database's clock, from ${SEEDS} seeds, break nothing`, async (t) => {
  const total = { orders: 0, placed: 0, steps: 0, crashes: 0, faults: 0, clockSteps: 0 };
  for (let nth = 0; nth < SEEDS; nth += 1) {
    const seed = FIRST_SEED + nth;
    const parties = nth < SEEDS_OF_STORES ? STORES : 1;
    const result = await simulate(simulator, String(seed), { hasSites: false, parties });
    assert.equal(result.failure, undefined, failed(result, parties));
    for (const name of ['orders', 'placed', 'steps', 'crashes', 'faults', 'clockSteps'] as const)
      total[name] += result[name];
  }
  t.diagnostic(JSON.stringify(total));
  assert.ok(total.clockSteps > SEEDS / 4, 'the clock of the database is hardly ever set');
  assert.ok(total.placed > SEEDS && total.crashes > runs(SEEDS / 4, 1) && total.faults > SEEDS, 'the seeds try little');
});

test(`${DAYS} days of scheduled orders of goods by weight: each is captured once, or its hold is given free`, async (t) => {
  const { failure, last } = await simulate(simulator, String(FIRST_SEED), { hasSites: false, days: DAYS });
  assert.equal(
    failure,
    undefined,
    `npm run simulate -- --seed ${FIRST_SEED} --days ${DAYS} --trace\n${last.join('\n')}`,
  );
  const [counts] = await simulator.database.ask<YearCounts>(YEAR_COUNTS);
  t.diagnostic(JSON.stringify(counts));
  assert.ok((counts?.captured ?? 0) > 0, 'none is captured');
});

test('a seed is the same run again, operation by operation, whatever ran before it', async () => {
  const cases = [
    ['7', STORES],
    ['7', 1],
    ['86', 1],
  ] as const;
  for (const [seed, parties] of some(cases)) {
    const first = await simulate(simulator, seed, { hasSites: false, parties });
    await simulate(simulator, `before ${seed}`, { hasSites: false });
    const second = await simulate(simulator, seed, { hasSites: true, parties });
    assert.deepEqual([second.hash, second.steps, second.failure], [first.hash, first.steps, first.failure]);
  }
});
