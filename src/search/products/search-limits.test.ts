import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn } from '../../../test/until.ts';
import { createSearchLimit, MAX_RUNNING_PER_ACCOUNT } from './search-limits.ts';

const MAX_ADMITTED = 5;

test("an account's search beyond its limit is refused with Retry-After, and another account's runs at once", async () => {
  const limiter = createSearchLimit(MAX_ADMITTED);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const search = (owner: string) =>
    limiter.run(owner, () => {
      begun.push(owner);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const flood = Array.from({ length: MAX_ADMITTED }, () => search('flood'));
  for (let n = 0; n < 3; n += 1) {
    await assert.rejects(search('flood'), {
      name: 'Refusal',
      code: 'rate_limited',
      extras: { headers: { 'retry-after': '1' } },
    });
  }
  const neighbor = search('neighbor');
  await nextTurn();
  assert.deepEqual(begun, [...Array(MAX_RUNNING_PER_ACCOUNT).fill('flood'), 'neighbor']);
  for (let n = 0; n < MAX_ADMITTED + 1; n += 1) {
    await nextTurn();
    ends[n]?.();
  }
  await Promise.all([...flood, neighbor]);
});
