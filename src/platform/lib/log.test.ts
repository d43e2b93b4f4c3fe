import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from './log.ts';

test('an error of the database is logged without the values of the row that it repeats', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const error = Object.assign(new Error('a check of the table is violated'), {
    code: '23514',
    detail: 'Failing row contains (Zelda Quirk, 12125550147).',
    where: 'COPY orders, line 1: "Zelda Quirk"',
  });
  log.error({ err: error, orderId: 'ord_1' }, 'saving failed');
  const line = JSON.parse(lines[0] ?? '');
  assert.deepEqual([line.msg, line.orderId, line.err.code], ['saving failed', 'ord_1', '23514']);
  assert.match(line.err.stack, /log\.test/);
  assert.match(line.err.message, /violated/);
  assert.doesNotMatch(lines[0] ?? '', /Quirk|5550147/);
});
