import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Logger, pino } from 'pino';
import { nextTurn, until } from '../../../test/until.ts';
import { RepeatedTask } from './repeat.ts';

type Line = { msg: string; failures: number; reason?: string; err?: { message: string; stack: string } };

/** The log of a task that fails with these errors in a row and then succeeds. */
async function logLines(failures: readonly Error[]): Promise<Line[]> {
  const lines: Line[] = [];
  const log: Logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  let runs = 0;
  const run = async () => {
    const error = failures[runs];
    runs += 1;
    if (error) throw error;
  };
  const task = new RepeatedTask({ name: 'counting', everyMs: 0, log, run });
  await until('the task works again', () => runs > failures.length + 1);
  await task.stop();
  return lines;
}

test('a task that fails a hundred times in a row is logged seven times, and once more on recovery', async () => {
  const lines: { msg: string; failures: number }[] = [];
  const log: Logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs <= 100) throw new Error('no answer');
  };
  const task = new RepeatedTask({ name: 'counting', everyMs: 0, log, run });
  await until('the task works again', () => runs > 102);
  await task.stop();
  const failures = [1, 2, 4, 8, 16, 32, 64];
  assert.deepEqual(
    lines.map((line) => [line.msg, line.failures]),
    [...failures.map((count) => ['counting failed; trying again', count]), ['counting works again', 100]],
  );
});

test('a database that is away for a hundred runs is one warning without a stack, and one line when it is back', async () => {
  const lines: Record<string, unknown>[] = [];
  const log: Logger = pino(
    { level: 'info', base: null, timestamp: false },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs <= 100) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  };
  const task = new RepeatedTask({ name: 'counting', everyMs: 0, log, run });
  await until('the task works again', () => runs > 102);
  await task.stop();
  assert.deepEqual(lines, [
    { level: 40, reason: 'connect ECONNREFUSED', failures: 1, msg: 'counting failed; trying again' },
    { level: 30, failures: 100, msg: 'counting works again' },
  ]);
});

test('an outage after other failures is logged, and so are failures after it', async () => {
  const failed = (code: string) => Object.assign(new Error(code), { code });
  const lines = await logLines([
    ...[failed('42P01'), failed('42P01'), failed('42P01')],
    ...[failed('ECONNREFUSED'), failed('57P03')],
    ...[failed('42P01'), failed('ECONNREFUSED')],
  ]);
  assert.deepEqual(
    lines.map(({ err, reason, failures }) => [err?.message ?? reason, failures]),
    [
      ...[
        ['42P01', 1],
        ['42P01', 2],
      ],
      ...[
        ['ECONNREFUSED', 4],
        ['42P01', 6],
        ['ECONNREFUSED', 7],
      ],
      [undefined, 7],
    ],
  );
});

test('a statement that always exceeds its limit is logged as a fault, with its stack', async () => {
  const slow = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  const lines = await logLines([slow, slow, slow, slow]);
  assert.deepEqual(
    lines.map(({ err, failures }) => [err?.stack.includes('repeat.test.ts'), failures]),
    [
      [true, 1],
      [true, 2],
      [true, 4],
      [undefined, 4],
    ],
  );
});

test('the next run begins after the last one has ended, and a stopped task does not run again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let runs = 0;
  const held = Promise.withResolvers<void>();
  const run = async () => {
    runs += 1;
    await held.promise;
  };
  const task = new RepeatedTask({ name: 'looking', everyMs: 200, log: pino({ level: 'silent' }), run });
  t.mock.timers.tick(200);
  t.mock.timers.tick(1000);
  assert.equal(runs, 1, 'one at a time');
  held.resolve();
  await nextTurn();
  t.mock.timers.tick(199);
  assert.equal(runs, 1);
  t.mock.timers.tick(1);
  assert.equal(runs, 2);
  await task.stop();
  t.mock.timers.tick(1000);
  assert.equal(runs, 2);
});

test('a woken task runs at once, once more after a running run however often it is woken, and then at its interval', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const ends: (() => void)[] = [];
  const run = () => new Promise<void>((resolve) => void ends.push(resolve));
  const task = new RepeatedTask({ name: 'looking', everyMs: 200, log: pino({ level: 'silent' }), run });
  task.wake();
  await nextTurn();
  assert.equal(ends.length, 1);
  for (let nth = 0; nth < 5; nth += 1) task.wake();
  await nextTurn();
  assert.equal(ends.length, 1, 'one at a time');
  ends[0]?.();
  await nextTurn();
  assert.equal(ends.length, 2);
  ends[1]?.();
  await nextTurn();
  t.mock.timers.tick(199);
  assert.equal(ends.length, 2);
  t.mock.timers.tick(1);
  assert.equal(ends.length, 3);
  ends[2]?.();
  await task.stop();
  task.wake();
  await nextTurn();
  t.mock.timers.tick(1000);
  assert.equal(ends.length, 3);
});
