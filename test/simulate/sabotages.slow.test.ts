import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openSimulator } from './open-simulator.ts';
import { SABOTAGES } from './sabotages.ts';
import { simulate } from './simulate.ts';

/** Maximum seeds until each sabotage is found. */
const SEEDS_TO_FIND = 25;

let simulator: Awaited<ReturnType<typeof openSimulator>>;
before(async () => {
  simulator = await openSimulator();
});
after(() => simulator[Symbol.asyncDispose]());

for (const [name, { create, found, from, parties = 1 }] of Object.entries(SABOTAGES)) {
  test(`the checks find ${name}`, async () => {
    for (let seed = from; seed < from + SEEDS_TO_FIND; seed += 1) {
      const { failure } = await simulate(simulator, String(seed), { hasSites: false, parties, sabotage: create() });
      if (failure === undefined) continue;
      assert.match(failure, found);
      return;
    }
    assert.fail(`${SEEDS_TO_FIND} seeds have not found it`);
  });
}
