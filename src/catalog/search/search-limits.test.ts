import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSearchTurns } from './search-limits.ts';

test('a search beyond those that may be under way is refused with not_ready, and told when to come again', async () => {
  const { admitted } = createSearchTurns(1);
  let end = (): void => {};
  const first = admitted(() => new Promise<void>((resolve) => (end = resolve)));
  await assert.rejects(
    admitted(async () => assert.fail('it must not run')),
    { name: 'Refusal', code: 'not_ready', extras: { headers: { 'retry-after': '1' } } },
  );
  end();
  await first;
  assert.equal(await admitted(async () => 'next'), 'next');
});
