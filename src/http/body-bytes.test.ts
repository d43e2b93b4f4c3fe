import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPeerNumbers } from '../lib/peer-numbers.ts';
import { createBodyBytes } from './body-bytes.ts';

test('bodies that other processes of the service hold count in the same bounds, until those processes end', () => {
  const peers = createPeerNumbers(() => {});
  const bodies = createBodyBytes({ peers, maxBytes: 1000, maxBytesOfAHolder: 400 });
  const [a, b] = [bodies.hold('a'), bodies.hold('b')];
  peers.hear(2, [
    ['bodies of a', 300, null],
    ['bodies', 900, null],
  ]);
  assert.equal(a.add(100), undefined);
  assert.equal(a.add(1)?.code, 'rate_limited');
  assert.equal(b.add(1)?.code, 'not_ready');
  peers.forget(2);
  assert.equal(a.add(300), undefined);
  assert.equal(b.add(400), undefined);
});

test('the peers are told what this process holds, at once where that is much', () => {
  const told = new Map<string, number>();
  const peers = createPeerNumbers((numbers) => {
    for (const [name, bytes] of numbers) told.set(name, bytes);
  });
  const body = createBodyBytes({ peers }).hold('a');
  body.add(2 ** 20);
  assert.deepEqual([told.get('bodies of a'), told.get('bodies')], [2 ** 20, 2 ** 20]);
  body.release();
  assert.deepEqual([told.get('bodies of a'), told.get('bodies')], [0, 0]);
});
