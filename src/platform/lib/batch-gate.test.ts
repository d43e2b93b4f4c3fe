import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn } from '../../../test/until.ts';
import { batchCalls } from './batch-calls.ts';
import { type BatchGate, MAX_GATE_WAIT_MS, SerialGate } from './batch-gate.ts';

/** Kinds of batches behind one gate; each batch runs until its test ends it. */
function givenKinds(gate: BatchGate) {
  const runs: { shown: string; end: (error?: Error) => void }[] = [];
  const givenKind = (name: string, maxBatch = 16) => {
    let owner = '';
    const call = batchCalls<number, number>({
      maxBatch,
      run: (items) =>
        new Promise((resolve, reject) => {
          const end = (error?: Error) => (error ? reject(error) : resolve(items));
          runs.push({ shown: `${name} ${items.join()}`, end });
        }),
      didNothing: () => false,
      ownerNow: () => owner,
      gate,
    });
    return (item: number, of = 'a') => {
      owner = of;
      return call(item);
    };
  };
  const end = async (nth: number, error?: Error) => {
    runs[nth]?.end(error);
    await nextTurn();
    await nextTurn();
  };
  return { kindOf: givenKind, end, shown: () => runs.map((run) => run.shown) };
}

test('calls that come while a batch runs become one batch, and kinds begin in the sequence of their first calls', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { kindOf, end, shown } = givenKinds(new SerialGate());
  const [read, write] = [kindOf('read'), kindOf('write')];
  const answers = [read(1)];
  await nextTurn();
  answers.push(write(2), read(3));
  await nextTurn();
  answers.push(read(4), write(5));
  await nextTurn();
  assert.deepEqual(shown(), ['read 1']);
  await end(0);
  assert.deepEqual(shown(), ['read 1', 'write 2,5']);
  await end(1);
  assert.deepEqual(shown(), ['read 1', 'write 2,5', 'read 3,4']);
  await end(2);
  assert.deepEqual(await Promise.all(answers), [1, 2, 3, 4, 5]);
});

test('a batch that fails lets the next one begin, and takes no other batch with it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { kindOf, end, shown } = givenKinds(new SerialGate());
  const read = kindOf('read');
  const failed = assert.rejects(read(1), /lost/);
  await nextTurn();
  const other = read(2);
  await nextTurn();
  await end(0, new Error('lost'));
  await failed;
  await end(1);
  assert.equal(await other, 2);
  assert.deepEqual(shown(), ['read 1', 'read 2']);
});

test('a batch that hangs holds up no other batch for longer than its patience', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { kindOf, end, shown } = givenKinds(new SerialGate());
  const read = kindOf('read');
  const hangs = read(1);
  await nextTurn();
  const second = read(2);
  await nextTurn();
  t.mock.timers.tick(MAX_GATE_WAIT_MS - 1);
  assert.deepEqual(shown(), ['read 1']);
  t.mock.timers.tick(1);
  assert.deepEqual(shown(), ['read 1', 'read 2']);
  await end(1);
  assert.equal(await second, 2);
  await end(0);
  assert.equal(await hangs, 1);
  // Both slots are released, so the next call does not wait.
  const third = read(3);
  await nextTurn();
  await end(2);
  assert.equal(await third, 3);
});

test('a full batch does not wait, and each owner has its turn in the batch', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { kindOf, end, shown } = givenKinds(new SerialGate());
  const read = kindOf('read', 4);
  const answers = [read(1)];
  await nextTurn();
  answers.push(...[10, 11, 12].map((item) => read(item, 'flood')));
  await nextTurn();
  assert.deepEqual(shown(), ['read 1']);
  answers.push(read(20, 'b'));
  assert.deepEqual(shown(), ['read 1', 'read 10,20,11,12']);
  answers.push(...[13, 14, 15, 16].map((item) => read(item, 'flood')), read(21, 'b'), read(30, 'c'));
  await nextTurn();
  assert.deepEqual(shown().slice(2), ['read 13,21,30,14']);
  for (const nth of [0, 1, 2, 3]) await end(nth);
  assert.deepEqual(shown().slice(3), ['read 15,16']);
  assert.equal((await Promise.all(answers)).length, 11);
});
