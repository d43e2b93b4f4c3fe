import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EmbeddedPostgresError, explainError, explainOutput } from './data-dir.ts';

test('a full disk, missing rights and a read-only disk are named as such, no matter who met them', () => {
  const full = /^The disk that holds \/d is full: .*\.$/;
  assert.match(explainError(Object.assign(new Error('write'), { code: 'ENOSPC' }), '/d').message, full);
  assert.match(explainOutput('initdb: error: could not write: No space left on device\n', '/d').message, full);
  const forbidden = /^The folder \/d cannot be read and written by this user: .*\.$/;
  assert.match(explainError(Object.assign(new Error('open'), { code: 'EACCES' }), '/d').message, forbidden);
  assert.match(explainOutput('FATAL:  could not open file "x": Permission denied\n', '/d').message, forbidden);
  assert.match(explainOutput('PANIC:  x: Read-only file system\n', '/d').message, /read-only file system/);
});

test("any other failure reports PostgreSQL's last error in one line", () => {
  const output =
    'LOG:  starting\nFATAL:  first\nFATAL:  database files are incompatible with server\nLOG:  shut down\n';
  const { message } = explainOutput(output, '/d');
  assert.equal(message, 'PostgreSQL did not start on /d: FATAL:  database files are incompatible with server.');
  assert.doesNotMatch(explainOutput('', '/d').message, /\n/);
});

test('explained errors stay unchanged', () => {
  const error = new EmbeddedPostgresError('Because.');
  assert.equal(explainError(error, '/d'), error);
});
