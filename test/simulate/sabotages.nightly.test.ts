// covers: test/simulate/**
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openSimulator } from './open-simulator.ts';
import { SABOTAGES } from './sabotages.ts';
import { simulate } from './simulate.ts';

/** Maximum seeds until each sabotage is found. Any change of the service's statements makes other runs of the seeds. */
const SEEDS_TO_FIND = 150;

let simulator: Awaited<ReturnType<typeof openSimulator>>;
before(async () => {
  simulator = await openSimulator();
});
after(() => simulator[Symbol.asyncDispose]());

for (const [name, { create, from, parties = 1 }] of Object.entries(SABOTAGES)) {
  test(`the checks find ${name}, and nothing without it`, async () => {
    for (let seed = from; seed < from + SEEDS_TO_FIND; seed += 1) {
      const run = (more = {}) => simulate(simulator, String(seed), { hasSites: false, parties, ...more });
      if ((await run({ sabotage: create() })).failure === undefined) continue;
      assert.equal((await run()).failure, undefined, `npm run simulate -- --seed ${seed} --parties ${parties} --trace`);
      return;
    }
    assert.fail(`${SEEDS_TO_FIND} seeds from ${from} on have not found it`);
  });
}
