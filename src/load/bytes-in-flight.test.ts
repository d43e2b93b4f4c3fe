import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BytesInFlight } from './bytes-in-flight.ts';
import { PeerCounters } from './shared-counters.ts';

const BOUNDS = { of: 'bodies', maxBytes: 1000, maxBytesOfHolder: 400, stepBytes: 100 };

test('a holder has so many bytes, all together so many, and what is larger fits alone', () => {
  const bytes = new BytesInFlight({ ...BOUNDS, peers: new PeerCounters(() => {}) });
  assert.equal(bytes.exceeded('a', 5000), undefined);
  bytes.add('a', 400);
  assert.deepEqual([bytes.exceeded('a', 1), bytes.exceeded('b', 400)], ['holder', undefined]);
  bytes.add('b', 400);
  assert.deepEqual([bytes.exceeded('c', 201), bytes.exceeded('c', 200)], ['all', undefined]);
  bytes.add('a', -400);
  assert.deepEqual([bytes.exceeded('a', 400), bytes.total], [undefined, 400]);
});

test('bytes that other processes of the service hold count in the same bounds, until those processes end', () => {
  const peers = new PeerCounters(() => {});
  const bytes = new BytesInFlight({ ...BOUNDS, peers });
  peers.receive(2, [
    ['bodies of a', 300, null],
    ['bodies', 900, null],
  ]);
  assert.equal(bytes.exceeded('a', 100), undefined);
  bytes.add('a', 100);
  assert.deepEqual([bytes.exceeded('a', 1), bytes.exceeded('b', 1)], ['holder', 'all']);
  peers.forget(2);
  assert.deepEqual([bytes.exceeded('a', 300), bytes.exceeded('b', 400)], [undefined, undefined]);
});

test('the peers learn what this process holds, at once where that is much', () => {
  const sent = new Map<string, number>();
  const peers = new PeerCounters((counts) => {
    for (const [name, count] of counts) sent.set(name, count);
  });
  const bytes = new BytesInFlight({ ...BOUNDS, peers });
  bytes.add('a', 100);
  assert.deepEqual([sent.get('bodies of a'), sent.get('bodies')], [100, 100]);
  bytes.add('a', -100);
  assert.deepEqual([sent.get('bodies of a'), sent.get('bodies')], [0, 0]);
});
