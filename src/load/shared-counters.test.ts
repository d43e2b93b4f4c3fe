import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { NO_PEERS, PeerCounters } from './shared-counters.ts';

const HOLD_MS = 50;

/** Processes that hear each other at once. */
function connected(count: number): { processes: PeerCounters[]; messages: number[] } {
  const messages: number[] = [];
  const processes: PeerCounters[] = Array.from(
    { length: count },
    (_, from) =>
      new PeerCounters((told) => {
        messages.push(told.length);
        const sent = JSON.parse(JSON.stringify(told));
        for (const [to, each] of processes.entries()) if (to !== from) each.receive(from, sent);
      }),
  );
  return { processes, messages };
}

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => mock.timers.reset());

const sumAt = (numbers: PeerCounters | undefined, name: string, nowMs?: number) => numbers?.ofPeers(name, nowMs).sum;

test('a process knows the sum of its peers within a twentieth of a second, and leaves its own number out', () => {
  const { processes } = connected(3);
  processes[0]?.set('a', 3);
  processes[1]?.set('a', 4);
  assert.deepEqual(
    [0, 1, 2].map((n) => sumAt(processes[n], 'a')),
    [0, 0, 0],
  );
  mock.timers.tick(HOLD_MS);
  assert.deepEqual(
    [0, 1, 2].map((n) => sumAt(processes[n], 'a')),
    [4, 3, 7],
  );
  processes[0]?.set('a', 0);
  mock.timers.tick(HOLD_MS);
  assert.equal(sumAt(processes[2], 'a'), 4);
});

test('a change by a step is told at once, changes below it share a message', () => {
  const { processes, messages } = connected(2);
  for (let number = 1; number <= 25; number += 1) processes[0]?.set('a', number, { untilMs: 9, step: 10 });
  assert.equal(sumAt(processes[1], 'a'), 20);
  assert.equal(messages.length, 2);
  for (const name of ['b', 'c']) processes[0]?.set(name, 1);
  mock.timers.tick(HOLD_MS);
  assert.deepEqual([sumAt(processes[1], 'a'), ...messages], [25, 1, 1, 3]);
});

test('a number ends at its moment, and says when', () => {
  const { processes } = connected(2);
  processes[0]?.set('a', 5, { untilMs: 1000, step: 1 });
  assert.deepEqual(processes[1]?.ofPeers('a', 999), { sum: 5, untilMs: 1000 });
  assert.deepEqual(processes[1]?.ofPeers('a', 1000), { sum: 0, untilMs: Infinity });
  // The number of the next window is small, and yet news.
  processes[0]?.set('a', 1, { untilMs: 2000, step: 1 });
  assert.deepEqual(processes[1]?.ofPeers('a', 1000), { sum: 1, untilMs: 2000 });
});

test('a peer that has ended counts no more, and its successor hears every number again', () => {
  const { processes } = connected(2);
  processes[0]?.set('a', 5, { step: 1 });
  const successor = new PeerCounters(() => {});
  processes[1]?.forget(0);
  assert.equal(sumAt(processes[1], 'a'), 0);
  processes[1]?.set('b', 2, { step: 1 });
  const heard = new PeerCounters((told) => successor.receive(1, told));
  heard.set('b', 2);
  heard.sendAll();
  assert.equal(sumAt(successor, 'b'), 2);
});

test('a process without peers counts alone', () => {
  NO_PEERS.set('a', 1);
  assert.equal(NO_PEERS.ofPeers('a').sum, 0);
});
