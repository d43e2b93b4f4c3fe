import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type AnsweredRequest, RequestRing } from './request-ring.ts';

const givenRequest = (n: number): AnsweredRequest => ({
  atMs: n,
  method: 'GET',
  path: '/',
  status: 200,
  ms: n,
  requestId: String(n),
});

test('each owner reads its last requests after any count, and whether it missed some', () => {
  const owner = fc.constantFrom('a', 'b', 'c');
  const manyOwners = fc.array(owner, { maxLength: 40 });
  fc.assert(
    fc.property(manyOwners, fc.integer({ min: 1, max: 6 }), fc.nat(45), (owners, maxOfOwner, after) => {
      const ring = new RequestRing({ maxOfOwner, maxOwners: 3 });
      for (const [n, one] of owners.entries()) ring.record(one, givenRequest(n));
      for (const one of ['a', 'b', 'c', 'nobody']) {
        const all = owners.flatMap((name, n) => (name === one ? [n] : []));
        const { requests, count, missed } = ring.since(one, after);
        assert.deepEqual(
          requests.map(({ ms }) => ms),
          all.slice(after).slice(-maxOfOwner),
        );
        assert.deepEqual([count, missed], [all.length, Math.max(0, all.length - after - requests.length)]);
      }
    }),
  );
});

test('the owners that asked last are kept, and no more', () => {
  const ring = new RequestRing({ maxOfOwner: 5, maxOwners: 2 });
  for (const [n, owner] of ['a', 'b', 'a', 'c'].entries()) ring.record(owner, givenRequest(n));
  assert.deepEqual(
    ['a', 'b', 'c'].map((owner) => ring.since(owner, 0).count),
    [2, 0, 1],
  );
});
