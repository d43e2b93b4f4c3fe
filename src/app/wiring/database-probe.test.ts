import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { DatabaseProbe } from './database-probe.ts';

const failed = (code: string) => Object.assign(new Error('failed'), { code });
/** Lets the promises of a check settle. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

test('a server that refuses is unavailable at once, and a refused password is named', async () => {
  let error: Error | undefined;
  const probe = new DatabaseProbe(async () => {
    if (error) throw error;
  });
  assert.equal(await probe.check(), undefined);
  error = failed('28P01');
  assert.equal(await probe.check(), 'The database refused the user or password (28P01).');
  error = failed('ECONNREFUSED');
  assert.equal(await probe.check(), 'The database does not respond.');
  error = undefined;
  assert.equal(await probe.check(), undefined);
});

for (const [name, read] of [
  ['whose connections are used up', () => Promise.reject(failed('53300'))],
  ['whose statements end by their limit', () => Promise.reject(failed('57014'))],
  ['that is silent', () => new Promise(() => {})],
] as const) {
  test(`a database ${name} is unavailable after ten seconds without a statement that succeeded, not before`, async () => {
    let now = 1000;
    const timers = mock.timers;
    const clock = mock.method(performance, 'now', () => now);
    timers.enable({ apis: ['setTimeout'] });
    try {
      let isAway = false;
      const probe = new DatabaseProbe(async () => {
        if (isAway) await read();
      });
      assert.equal(await probe.check(), undefined);
      isAway = true;
      for (const [afterMs, expected] of [
        [3000, undefined],
        [9000, undefined],
        [11_000, 'No statement of the database has succeeded for 10 seconds.'],
      ] as const) {
        now = 1000 + afterMs;
        const checked = probe.check();
        await settle();
        timers.tick(2000);
        assert.equal(await checked, expected, `${afterMs} ms`);
      }
    } finally {
      timers.reset();
      clock.mock.restore();
    }
  });
}
