import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn } from '../../../test/until.ts';
import { createCardHashes, HASH_LIMITS } from '../idempotency/idempotency.hook.ts';
import { hashSlowly } from '../idempotency/idempotency.ts';

test('one slow hash runs at a time, accounts take turns, and only the account with a full row is refused', async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const hashes = createCardHashes((digest) => {
    begun.push(digest.toString());
    return new Promise((resolve) => ends.push(() => resolve(digest)));
  });
  const ask = (owner: string, name: string) => hashes(owner, Buffer.from(name), 'salt');
  const flood = Array.from({ length: HASH_LIMITS.maxWaitingOfOwner + 1 }, (_, n) => ask('a', `a${n}`));
  await assert.rejects(ask('a', 'too many'), {
    name: 'Refusal',
    code: 'rate_limited',
    extras: { headers: { 'retry-after': '2' } },
  });
  const neighbor = ask('b', 'b0');
  for (let at = 0; at < flood.length + 1; at += 1) {
    await nextTurn();
    assert.equal(begun.length, at + 1, 'one at a time');
    ends[at]?.();
  }
  await Promise.all([...flood, neighbor]);
  assert.ok(begun.indexOf('b0') <= 2, 'the neighbor waits for one hash of the flood, and the running one');
});

test('the slow hash depends on the request and on the key, and cannot be had from a fast one', async () => {
  const digest = Buffer.from('digest of a request');
  const [hash, same, otherKey, otherRequest] = await Promise.all([
    hashSlowly(digest, 'key'),
    hashSlowly(digest, 'key'),
    hashSlowly(digest, 'other key'),
    hashSlowly(Buffer.from('digest of another'), 'key'),
  ]);
  assert.ok(hash?.equals(same as Buffer));
  assert.ok(!hash?.equals(otherKey as Buffer) && !hash?.equals(otherRequest as Buffer) && !hash?.includes(digest));
});
