import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { type TestContext, test } from 'node:test';
import { createTestDatabase, SCHEMA } from '../../../test/test-database.ts';
import { until } from '../../../test/until.ts';
import { readEpochMs } from '../../platform/db/database-clock.db.ts';
import { DatabaseClock, type MachineClock, systemClock } from '../../platform/lib/clock.ts';
import { createLog } from '../../platform/lib/log.ts';
import { readHealthFacts } from '../../surfaces/operator/conditions.db.ts';
import { readSettings } from './read-settings.ts';
import { startService } from './service.ts';

/** A worker node on a machine whose clock is so many seconds ahead. Its database has the right time. */
async function givenNode(t: TestContext, aheadS: number) {
  const { connectionString, drop } = await createTestDatabase();
  const machine: MachineClock = {
    now: () => Temporal.Instant.fromEpochMilliseconds(machine.epochMs()),
    epochMs: () => systemClock.epochMs() + aheadS * 1000,
    elapsedMs: () => systemClock.elapsedMs(),
  };
  const lines: string[] = [];
  const service = await startService({
    config: readSettings({ LOG_LEVEL: 'warn', METRICS_PORT: '0', PORT: '0' }),
    connectionString,
    schema: SCHEMA,
    log: createLog('warn', { write: (line: string) => void lines.push(line) }),
    clock: new DatabaseClock(machine),
    role: 'worker',
  });
  t.after(async () => {
    await service.close();
    await drop();
  });
  const { db, clock, metrics } = service.deps;
  return {
    lines: () => lines.filter((line) => line.includes('the clock of this machine')),
    ready: () => service.deps.notReadyBecause({ database: true }),
    differences: async () => (await readHealthFacts(db, {})).clocks,
    async metric() {
      return Number(/^doorstep_clock_difference_seconds (\S+)$/m.exec(await metrics.text())?.[1]);
    },
    async wrongByMs() {
      const before = clock.now().epochMilliseconds;
      const databaseMs = await readEpochMs(db);
      return databaseMs < before ? before - databaseMs : Math.max(0, databaseMs - clock.now().epochMilliseconds);
    },
  };
}

/** Half of the first round trip hides a difference, also on a loaded machine; later ones come closer. */
const CLOSE_MS = 1000;

for (const [aheadS, isLogged, reason] of [
  [2, false, undefined],
  [-30, true, undefined],
  [90, true, /^The clock of this machine is \d+\.\d s ahead of the database's\.$/],
  [-1200, true, /^The clock of this machine is \d+\.\d s behind the database's\.$/],
] as const) {
  test(`a node on a machine ${aheadS} s ahead has the database's time, says so above 5 s, and is unready above 60 s`, async (t) => {
    const node = await givenNode(t, aheadS);
    await until('the node is close to the database', async () => (await node.wrongByMs()) < CLOSE_MS);
    assert.ok(Math.abs((await node.metric()) - aheadS) * 1000 < CLOSE_MS);
    assert.equal(node.lines().length, isLogged ? 1 : 0);
    const found = await node.differences();
    assert.deepEqual(
      found.map(({ host, aheadSeconds }) => [host, Math.abs(aheadSeconds - aheadS) * 1000 < CLOSE_MS]),
      isLogged ? [[hostname(), true]] : [],
    );
    assert.match((await node.ready()) ?? '', reason ?? /^$/);
  });
}
