import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenCounters } from '../../../test/given/counters.ts';
import { BytesInFlight } from './bytes-in-flight.ts';
import { NO_PEERS } from './shared-counters.ts';

const BOUNDS = { of: 'bodies', maxBytes: 1000, maxBytesOfHolder: 400 };

test('bytes are limited per holder and in total, and an oversized body passes only by itself', () => {
  const bytes = new BytesInFlight({ ...BOUNDS, peers: NO_PEERS });
  assert.equal(bytes.exceeded('a', 5000), undefined);
  bytes.add('a', 400);
  assert.deepEqual([bytes.exceeded('a', 1), bytes.exceeded('b', 400)], ['holder', undefined]);
  bytes.add('b', 400);
  assert.deepEqual([bytes.exceeded('c', 201), bytes.exceeded('c', 200)], ['all', undefined]);
  bytes.add('a', -400);
  assert.deepEqual([bytes.exceeded('a', 400), bytes.total], [undefined, 400]);
});

test('bytes that other workers hold count in the same bounds, until those workers end', () => {
  const { own, peer, forgetPeer } = givenCounters();
  const bytes = new BytesInFlight({ ...BOUNDS, peers: own });
  peer.set('bodies of a', 300);
  peer.set('bodies', 900);
  assert.equal(bytes.exceeded('a', 100), undefined);
  bytes.add('a', 100);
  assert.deepEqual([bytes.exceeded('a', 1), bytes.exceeded('b', 1)], ['holder', 'all']);
  forgetPeer();
  assert.deepEqual([bytes.exceeded('a', 300), bytes.exceeded('b', 400)], [undefined, undefined]);
});

test('the peers know what this worker holds', () => {
  const { own, peer } = givenCounters();
  const bytes = new BytesInFlight({ ...BOUNDS, peers: own });
  const known = () => [peer.ofPeers('bodies of a').sum, peer.ofPeers('bodies').sum];
  bytes.add('a', 100);
  assert.deepEqual(known(), [100, 100]);
  bytes.add('a', -100);
  assert.deepEqual(known(), [0, 0]);
});
