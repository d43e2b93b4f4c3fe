import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../test/runs.ts';
import { createBatches } from './store-batches.ts';

type Item = { storeId: string; characters: number; value: number };

const NO_BOUND = 1_000_000;
const itemOf = (storeId: string, value = 0): Item => ({ storeId, value, characters: 10 });

/** Batches whose writes go on when the test says so. */
function givenBatches(maxItems: number) {
  const begun: string[] = [];
  const inTurn: string[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const batches = createBatches<Item>({
    maxItems,
    maxCharacters: NO_BOUND,
    async write(items, turn) {
      const name = items.map(({ storeId }) => storeId).join('');
      begun.push(name);
      const end = Promise.withResolvers<void>();
      ends.push(end);
      await turn.begins;
      inTurn.push(name);
      await end.promise;
    },
  });
  return { batches, begun, inTurn, ends };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

test('a batch is prepared beside the write of the batch before, and written after it; a third one waits', async () => {
  const { batches, begun, inTurn, ends } = givenBatches(1);
  await batches.add(itemOf('a'));
  await batches.add(itemOf('b'));
  const third = batches.add(itemOf('c'));
  await soon();
  assert.deepEqual([begun, inTurn], [['a', 'b'], ['a']]);
  ends[0]?.resolve();
  await third;
  await soon();
  assert.deepEqual(
    [begun, inTurn],
    [
      ['a', 'b', 'c'],
      ['a', 'b'],
    ],
  );
  ends[1]?.resolve();
  ends[2]?.resolve();
  await batches.drain();
  assert.deepEqual(inTurn, ['a', 'b', 'c']);
});

test('a batch that passes its turn on lets the next batch write before it ends, and no batch after that one', async () => {
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const written: string[] = [];
  const batches = createBatches<Item>({
    maxItems: 1,
    maxCharacters: NO_BOUND,
    async write([item], turn) {
      const name = item?.storeId ?? '';
      const end = Promise.withResolvers<void>();
      ends.set(name, end);
      await turn.begins;
      written.push(name);
      if (name === 'a') turn.passOn();
      await end.promise;
    },
  });
  await batches.add(itemOf('a'));
  await batches.add(itemOf('b'));
  await soon();
  assert.deepEqual(written, ['a', 'b']);
  const third = batches.add(itemOf('c'));
  ends.get('a')?.resolve();
  await third;
  await soon();
  assert.deepEqual(written, ['a', 'b']);
  for (const end of ends.values()) end.resolve();
  await batches.drain();
  assert.deepEqual(written, ['a', 'b', 'c']);
});

test('a batch that fails after it has passed its turn on fails whoever adds or drains', async () => {
  const batches = createBatches<Item>({
    maxItems: 1,
    maxCharacters: NO_BOUND,
    async write([item], turn) {
      await turn.begins;
      turn.passOn();
      if (item?.storeId === 'bad') throw new Error('The commit failed.');
    },
  });
  for (const storeId of ['good', 'bad', 'after']) await batches.add(itemOf(storeId));
  await assert.rejects(batches.add(itemOf('later')), /commit failed/);
  await assert.rejects(batches.drain(), /commit failed/);
});

test('a batch with a store of the batch before is prepared after that batch', async () => {
  const { batches, begun, ends } = givenBatches(2);
  for (const storeId of ['a', 'b']) await batches.add(itemOf(storeId));
  await batches.add(itemOf('c'));
  const again = batches.add(itemOf('a'));
  await soon();
  assert.deepEqual(begun, ['ab']);
  ends[0]?.resolve();
  await again;
  assert.deepEqual(begun, ['ab', 'ca']);
  ends[1]?.resolve();
  await batches.drain();
});

test('a batch that has nothing to write lets no later batch overtake an earlier one', async () => {
  const slow = Promise.withResolvers<void>();
  const written: string[] = [];
  const batches = createBatches<Item>({
    maxItems: 1,
    maxCharacters: NO_BOUND,
    async write([item], turn) {
      if (item?.storeId === 'unchanged') return;
      await turn.begins;
      if (item?.storeId === 'slow') await slow.promise;
      written.push(item?.storeId ?? '');
    },
  });
  await batches.add(itemOf('slow'));
  await batches.add(itemOf('unchanged'));
  const last = batches.add(itemOf('last'));
  await soon();
  assert.deepEqual(written, []);
  slow.resolve();
  await last;
  await batches.drain();
  assert.deepEqual(written, ['slow', 'last']);
});

test('a batch that fails fails every later one, and whoever adds or drains hears of it', async () => {
  const written: string[] = [];
  const batches = createBatches<Item>({
    maxItems: 1,
    maxCharacters: NO_BOUND,
    async write([item], turn) {
      await turn.begins;
      if (item?.storeId === 'bad') throw new Error('The database is gone.');
      written.push(item?.storeId ?? '');
    },
  });
  await batches.add(itemOf('good'));
  await batches.add(itemOf('bad'));
  await batches.add(itemOf('after'));
  await assert.rejects(batches.add(itemOf('later')), /gone/);
  await assert.rejects(batches.drain(), /gone/);
  assert.deepEqual(written, ['good']);
});

test('the last item of each id counts, whatever the sizes of batches and the times that they take', async () => {
  const waits = fc.integer({ min: 0, max: 3 });
  const item = fc.record({ id: fc.integer({ min: 0, max: 12 }), waits, commits: waits });
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), async (items, maxItems) => {
      const kept = new Map<string, number>();
      const batches = createBatches<Item & { waits: number; commits: number }>({
        maxItems,
        maxCharacters: 45,
        async write(some, turn) {
          const known = new Map(kept);
          for (let n = 0; n < (some[0]?.waits ?? 0); n += 1) await soon();
          await turn.begins;
          for (const { storeId } of some) {
            assert.equal(kept.get(storeId), known.get(storeId), 'a store changed between the look and the turn');
          }
          turn.passOn();
          // The commit: what the batch has written shows after it only.
          for (let n = 0; n < (some[0]?.commits ?? 0); n += 1) await soon();
          for (const { storeId, value } of some) kept.set(storeId, value);
        },
      });
      for (const [value, { id, ...times }] of items.entries())
        await batches.add({ ...itemOf(`${id}`, value), ...times });
      await batches.drain();
      assert.deepEqual(Object.fromEntries(kept), Object.fromEntries(items.map(({ id }, value) => [`${id}`, value])));
    }),
    { numRuns: runs(60) },
  );
});
