import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSearchLimits } from './search-limits.ts';

test('a search beyond the limit is refused with not_ready and Retry-After', async () => {
  const { admit } = createSearchLimits(1);
  let end = (): void => {};
  const first = admit(() => new Promise<void>((resolve) => (end = resolve)));
  await assert.rejects(
    admit(async () => assert.fail('it must not run')),
    { name: 'Refusal', code: 'not_ready', extras: { headers: { 'retry-after': '1' } } },
  );
  end();
  await first;
  assert.equal(await admit(async () => 'next'), 'next');
});
