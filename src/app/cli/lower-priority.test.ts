import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { test } from 'node:test';
import { lowerPriority } from './lower-priority.ts';

test('a system that forbids the change of a priority leaves a command as it is', (t) => {
  const setPriority = t.mock.method(os, 'setPriority', () => {
    throw Object.assign(new Error('operation not permitted'), { code: 'ERR_SYSTEM_ERROR' });
  });
  syncBuiltinESMExports();
  t.after(syncBuiltinESMExports);
  lowerPriority();
  assert.ok(setPriority.mock.callCount() > 0);
});
