import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePostmasterFile } from './postmaster-file.ts';

const file = (status: string) =>
  ['4711', '/proc/self/cwd', '1700000000', '5432', '.', '', '  1234  5678', status, ''].join('\n');

test('a complete file tells the process and what the server is doing', () => {
  assert.deepEqual(parsePostmasterFile(file('ready   ')), { pid: 4711, status: 'ready' });
  assert.deepEqual(parsePostmasterFile(file('stopping')), { pid: 4711, status: 'stopping' });
  assert.deepEqual(parsePostmasterFile(file('starting')), { pid: 4711, status: 'starting' });
});

test('a file that is still being written is a server that starts', () => {
  assert.deepEqual(parsePostmasterFile('4711\n/proc/self/cwd\n'), { pid: 4711, status: 'starting' });
});

test('whatever is in the file, no process number below 2 ever comes out: a signal to it would reach whole groups', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.integer().map(String)), (text) => {
      const parsed = parsePostmasterFile(text);
      assert.ok(parsed === undefined || (Number.isSafeInteger(parsed.pid) && parsed.pid > 1));
    }),
  );
});
