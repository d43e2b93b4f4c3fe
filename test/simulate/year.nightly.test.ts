// covers: src/ordering/money/{hold-again,move-holds,keep-hold}*, test/simulate/year.ts
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SEED } from '../runs.ts';
import { openSimulator } from './open-simulator.ts';
import { simulate } from './simulate.ts';
import { YEAR_COUNTS, type YearCounts } from './year.ts';

test('in a year of scheduled orders of goods by weight holds are renewed, declined, and paid by the link or never', async (t) => {
  await using simulator = await openSimulator();
  const { failure, last } = await simulate(simulator, String(SEED), { hasSites: false, days: 365 });
  assert.equal(failure, undefined, `npm run simulate -- --seed ${SEED} --days 365 --trace\n${last.join('\n')}`);
  const [counts] = await simulator.database.ask<YearCounts>(YEAR_COUNTS);
  t.diagnostic(JSON.stringify(counts));
  // That bank and card end at the same time, with the goods gone, is too rare for one year.
  const { lost: _, ...all } = counts ?? {};
  for (const [name, count] of Object.entries(all)) assert.ok(count > 0, `none is ${name}`);
});
