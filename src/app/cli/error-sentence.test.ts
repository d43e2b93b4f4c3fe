import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorSentence } from './error-sentence.ts';

const failed = (code: string, syscall?: string) => Object.assign(new Error('failed'), { code, syscall });

test('a missing database is named in one error message, over TCP and over its Unix socket', () => {
  assert.match(errorSentence(failed('ECONNREFUSED', 'connect')) ?? '', /^The .* does not answer \(ECONNREFUSED\)\.$/);
  assert.match(errorSentence(failed('ENOENT', 'connect')) ?? '', /^The .* does not answer \(ENOENT\)\.$/);
  assert.match(errorSentence(failed('EAGAIN', 'connect')) ?? '', /^The .* does not answer \(EAGAIN\)\.$/);
});

test('a server that requires TLS and a server without the user give different errors', () => {
  const refused = (text: string) => errorSentence(Object.assign(new Error(text), { code: '28000' })) ?? '';
  const none = 'no pg_hba.conf entry for host "10.0.0.9", user "doorstep", database "doorstep", ';
  assert.match(refused(`${none}no encryption`), /accepts only TLS .*sslmode=verify-full/);
  assert.match(refused(`${none}SSL encryption`), /rejected the user or password \(28000\)\.$/);
  const plain = new Error('The server does not support SSL connections');
  assert.match(errorSentence(plain) ?? '', /offers no TLS; .* the URL\.$/);
});

test('a file that is missing says nothing about the database', () => {
  assert.equal(errorSentence(failed('ENOENT', 'open')), undefined);
  assert.equal(errorSentence(null), undefined);
});
