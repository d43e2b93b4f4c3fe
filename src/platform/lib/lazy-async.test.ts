import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lazyAsync } from './lazy-async.ts';

test('a value is made once for calls at one time and after it; a failure is made again', async () => {
  let made = 0;
  const read = lazyAsync(async () => {
    made += 1;
    if (made === 1) throw new Error('the first one fails');
    return made;
  });
  assert.deepEqual(
    (await Promise.allSettled([read(), read()])).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.deepEqual([await read(), ...(await Promise.all([read(), read()]))], [2, 2, 2]);
});
