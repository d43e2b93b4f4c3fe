import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorSentence } from './error-sentence.ts';

const failed = (code: string, syscall?: string) => Object.assign(new Error('failed'), { code, syscall });

test('a missing database is named in one error message, over TCP and over its Unix socket', () => {
  assert.match(errorSentence(failed('ECONNREFUSED', 'connect')) ?? '', /^The .* does not answer \(ECONNREFUSED\)\.$/);
  assert.match(errorSentence(failed('ENOENT', 'connect')) ?? '', /^The .* does not answer \(ENOENT\)\.$/);
  assert.match(errorSentence(failed('EAGAIN', 'connect')) ?? '', /^The .* does not answer \(EAGAIN\)\.$/);
});

test('a file that is missing says nothing about the database', () => {
  assert.equal(errorSentence(failed('ENOENT', 'open')), undefined);
  assert.equal(errorSentence(null), undefined);
});
