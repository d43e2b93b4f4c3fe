import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { givenWorkerCounters } from '../../../test/given/counters.ts';
import { runs } from '../../../test/runs.ts';
import { CounterTable, NO_PEERS } from './shared-counters.ts';

const NAMES = ['connections', 'requests with key_1', 'requests with key_2', 'bodies of 192.0.2.7', ''];

test('each worker reads the others’ current sum after updates in any order', () => {
  const step = fc.record({ worker: fc.nat(2), name: fc.constantFrom(...NAMES), count: fc.nat(5), endMs: fc.nat(100) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(100), (steps, nowMs) => {
      const workers = givenWorkerCounters(3);
      const model = new Map<string, { count: number; endMs: number }[]>();
      for (const { worker, name, count, endMs } of steps) {
        workers[worker]?.set(name, count, endMs);
        const counts = model.get(name) ?? Array.from({ length: 3 }, () => ({ count: 0, endMs: 0 }));
        counts[worker] = { count, endMs };
        model.set(name, counts);
      }
      for (const name of NAMES) {
        for (const [own, table] of workers.entries()) {
          const live = (model.get(name) ?? []).filter(
            (each, nth) => nth !== own && each.count > 0 && each.endMs > nowMs,
          );
          const sum = live.reduce((total, { count }) => total + count, 0);
          const untilMs = Math.min(Infinity, ...live.map(({ endMs }) => endMs));
          assert.deepEqual(table.ofPeers(name, nowMs), { sum, untilMs });
        }
      }
    }),
    { numRuns: runs(200) },
  );
});

test('a worker that has ended counts no more, and the others count on', () => {
  const [a, b, c] = givenWorkerCounters(3) as [CounterTable, CounterTable, CounterTable];
  for (const table of [a, b, c]) for (const name of NAMES) table.set(name, 2);
  c.forget(1);
  assert.deepEqual(
    [a, b, c].map((table) => table.ofPeers('connections').sum),
    [4, 2, 2],
  );
});

test('names beyond the table replace the first to expire, and open connections keep their rows', () => {
  const [a, b] = givenWorkerCounters(2) as [CounterTable, CounterTable];
  const open = Array.from({ length: 2000 }, (_, nth) => `connections of ${nth}`);
  for (const name of open) a.set(name, 1);
  for (let nth = 0; nth < 300_000; nth += 1) a.set(`requests of ${nth}`, 1, 1000 + nth);
  assert.deepEqual(
    open.filter((name) => b.ofPeers(name).sum !== 1),
    [],
  );
  assert.equal(b.ofPeers('requests of 299999', 1000).sum, 1);
});

/** Runs code with `table` and `own` in the threads of workers 2 to 4; returns their messages. */
async function inThreads(memory: SharedArrayBuffer, code: string): Promise<unknown[]> {
  const module = new URL('shared-counters.ts', import.meta.url).href;
  const program = `
    const { parentPort, workerData: { memory, own, module } } = require('node:worker_threads');
    import(module).then(({ CounterTable }) => {
      const table = new CounterTable(memory, own, 4);
      ${code}
    });`;
  const threads = [2, 3, 4].map((own) => new Worker(program, { eval: true, workerData: { memory, own, module } }));
  return Promise.all(
    threads.map(async (thread) => {
      const posted: unknown[] = [];
      thread.on('message', (message) => posted.push(message));
      await once(thread, 'exit');
      return posted;
    }),
  );
}

test('threads that claim the same rows at the same time lose no count', async () => {
  // Buckets enough that none gets nine of the names, which would evict one.
  const memory = CounterTable.allocate(4, 2 ** 17);
  await inThreads(memory, `for (let nth = 0; nth < 5000; nth += 1) table.set('name ' + nth, own);`);
  const table = new CounterTable(memory, 1, 4);
  const sums = new Set(Array.from({ length: 5000 }, (_, nth) => table.ofPeers(`name ${nth}`).sum));
  assert.deepEqual([...sums], [9]);
});

test('a count never counts for another name, also where threads evict rows that others write', async () => {
  // 20 names for 16 rows. Name n has counts of 4 ** n, so a sum reveals any other name's count.
  const memory = CounterTable.allocate(4, 2);
  const isOfName = `const isOfName = (sum, nth) => sum / 4 ** nth < 4 && Number.isInteger(sum / 4 ** nth);`;
  const posted = await inThreads(
    memory,
    `${isOfName}
    let faults = 0;
    for (let step = 0; step < 300_000; step += 1) {
      const nth = (step * own * 7 + (step >> 3)) % 20;
      table.set('name ' + nth, step % 5 === 0 ? 0 : 4 ** nth);
      if (!isOfName(table.ofPeers('name ' + nth).sum, nth)) faults += 1;
    }
    parentPort.postMessage(faults);`,
  );
  assert.deepEqual(posted, [[0], [0], [0]]);
  const table = new CounterTable(memory, 1, 4);
  for (let nth = 0; nth < 20; nth += 1) {
    const count = table.ofPeers(`name ${nth}`).sum / 4 ** nth;
    assert.ok(Number.isInteger(count) && count < 4, `name ${nth} has ${count}`);
  }
});

test('a count of zero evicts no name, also where its row was evicted while it waited for the lock', (t) => {
  const memory = CounterTable.allocate(2, 2);
  const [own, peer] = [new CounterTable(memory, 1, 2), new CounterTable(memory, 2, 2)];
  const names = Array.from({ length: 100 }, (_, nth) => `name ${nth}`);
  const counted = () => names.filter((name) => own.ofPeers(name).sum === 1);
  let countedBefore: string[] = [];
  own.set('mine', 1, 100);
  const locked = own as unknown as { lock(bucket: number): void };
  const lock = locked.lock.bind(own);
  t.mock.method(locked, 'lock', (bucket: number) => {
    for (const name of names) peer.set(name, 1, 200);
    countedBefore = counted();
    lock(bucket);
  });
  own.set('mine', 0);
  assert.equal(countedBefore.length, 16);
  assert.deepEqual(counted(), countedBefore);
});

test('a worker killed while it holds a lock releases it once it is forgotten', async () => {
  const memory = CounterTable.allocate(4, 2);
  const killed = new CounterTable(memory, 1, 4);
  for (const bucket of [0, 1]) (killed as unknown as { lock(bucket: number): void }).lock(bucket);
  const setting = inThreads(memory, `table.set('name', own);`);
  killed.forget(1);
  await setting;
  assert.equal(killed.ofPeers('name').sum, 9);
});

test('a service that runs alone has no peers', () => {
  NO_PEERS.set('a', 1);
  assert.equal(NO_PEERS.ofPeers('a').sum, 0);
});
