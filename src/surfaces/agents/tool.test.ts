import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCursor } from '../../platform/http/page-cursor.ts';
import { cursorPosition, positionCursor } from './tool.ts';

test('a cursor of a tool names the page and what was shown of it, and nothing else is one', () => {
  const position = { page: 100_001, skipped: 12 };
  assert.deepEqual(cursorPosition(positionCursor(position)), position);
  assert.deepEqual(cursorPosition(undefined), { page: 0, skipped: 0 });
  for (const forged of [[], [1], [1, 2, 3], ['1', 2], [-1, 0], [1, 1_000_000], [10_000_000_000, 0]])
    assert.throws(() => cursorPosition(writeCursor(...forged)), { code: 'invalid_request' }, `${forged}`);
});
