import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn } from '../../../test/until.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

const LIMITS = {
  maxRunning: 3,
  maxRunningOfOwner: 2,
  maxWaiting: 5,
  maxWaitingOfOwner: 4,
  refusal: () => new Error('full'),
};

/** Tasks that end on command, with those started so far and those refused. */
function givenTasks(limits: Partial<typeof LIMITS> = {}) {
  const limiter = new ConcurrencyLimiter({ ...LIMITS, ...limits });
  const begun: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const start = (name: string): Promise<string> => {
    const done = limiter.run(name[0] as string, () => {
      begun.push(name);
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (error) => (error ? reject(error) : resolve(name)));
      });
    });
    done.catch((error: Error) => error.message === 'full' && refused.push(name));
    return done;
  };
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await nextTurn();
  };
  return { begun, refused, start, end };
}

test('a flood of one owner delays the next task of another by nothing while a place is free', async () => {
  const { begun, start, end } = givenTasks();
  const all = ['a1', 'a2', 'a3', 'a4'].map(start);
  await nextTurn();
  assert.deepEqual(begun, ['a1', 'a2'], 'no owner takes all places');
  all.push(start('b1'));
  await nextTurn();
  assert.deepEqual(begun, ['a1', 'a2', 'b1']);
  for (const name of ['a1', 'a2', 'b1', 'a3', 'a4']) await end(name);
  assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'a4', 'b1']);
});

test('where all places are taken, waiting owners take turns', async () => {
  const { begun, start, end } = givenTasks({ maxRunning: 1 });
  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(start);
  await nextTurn();
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) {
    assert.equal(begun.at(-1), name);
    await end(name);
  }
  await Promise.all(all);
});

test('only the owner that floods is refused, and a place that a failed task had is given on', async () => {
  const { begun, refused, start, end } = givenTasks({ maxRunning: 1 });
  const failing = start('a1');
  const kept = ['a2', 'a3', 'a4'].map(start);
  const displaced = start('a5');
  const overOwn = start('a6');
  await assert.rejects(overOwn, { message: 'full' });
  kept.push(...['b1', 'b2'].map(start));
  await assert.rejects(displaced, { message: 'full' }, 'the newest waiting task of the longest row');
  assert.deepEqual(refused, ['a6', 'a5']);
  await end('a1', new Error('failed'));
  await assert.rejects(failing, { message: 'failed' });
  for (const name of ['a2', 'b1', 'a3', 'b2', 'a4']) {
    assert.equal(begun.at(-1), name);
    await end(name);
  }
  await Promise.all(kept);
});
