import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulateMachine } from './simulated-machine.ts';

test('a timer that is cleared late, of an earlier run or of the real machine, leaves the timers of this run', () => {
  const real = setTimeout(() => {}, 60_000);
  const earlier = simulateMachine('earlier', 0);
  const late = setTimeout(() => {}, 10);
  earlier.restore();
  const machine = simulateMachine('this', 0);
  try {
    const own = [setTimeout(() => {}, 10), setTimeout(() => {}, 20)];
    clearTimeout(late);
    clearTimeout(real);
    assert.equal(machine.timers.size, 2);
    clearTimeout(own[0]);
    assert.deepEqual([...machine.timers.keys()], [2]);
  } finally {
    machine.restore();
  }
});
