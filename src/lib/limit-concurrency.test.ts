import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn } from '../../test/next-turn.ts';
import { limitConcurrency } from './limit-concurrency.ts';

/** A work that ends when it is told to, and what has begun so far. */
function givenWorks() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name);
      ends.set(name, () => resolve(name));
    });
  return { begun, work, end: (name: string) => ends.get(name)?.() };
}

test('so many works run at a time, and the others in the order in which they came', async () => {
  const { begun, work, end } = givenWorks();
  const inTurn = limitConcurrency(2);
  const all = ['a', 'b', 'c', 'd'].map((name) => inTurn(work(name)));
  await nextTurn();
  assert.deepEqual(begun, ['a', 'b']);
  end('b');
  await nextTurn();
  assert.deepEqual(begun, ['a', 'b', 'c']);
  for (const name of ['a', 'c', 'd']) {
    end(name);
    await nextTurn();
  }
  assert.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'd']);
});

test('where no more may wait a work is refused and never runs, and a turn that failed is given on', async () => {
  const { begun, work, end } = givenWorks();
  const inTurn = limitConcurrency(1, { maxWaiting: 1, refusal: () => new Error('full') });
  const failing = inTurn(async () => {
    await work('a')();
    throw new Error('failed');
  });
  const waiting = inTurn(work('b'));
  await assert.rejects(inTurn(work('c')), { message: 'full' });
  end('a');
  await assert.rejects(failing, { message: 'failed' });
  await nextTurn();
  end('b');
  assert.equal(await waiting, 'b');
  assert.deepEqual(begun, ['a', 'b']);
  const next = inTurn(work('d'));
  await nextTurn();
  end('d');
  assert.equal(await next, 'd');
});
