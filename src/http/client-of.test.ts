import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf } from './client-of.ts';

test('an IPv4 address is a client, however a socket writes it', () => {
  assert.equal(clientOf('9.9.9.9'), '9.9.9.9');
  assert.equal(clientOf('::ffff:9.9.9.9'), '9.9.9.9');
  assert.notEqual(clientOf('9.9.9.9'), clientOf('9.9.9.10'));
});

test('all addresses of an IPv6 network of 64 bits are one client', () => {
  assert.equal(clientOf('2620:fe::fe'), clientOf('2620:fe:0:0:abcd:1:2:3'));
  assert.notEqual(clientOf('2620:fe::fe'), clientOf('2620:fe:0:1::fe'));
});

test('what is not public is a proxy, and no client', () => {
  for (const address of [
    '127.0.0.1',
    '::1',
    '::ffff:10.0.0.7',
    '192.168.1.1',
    'fd00::1',
    'fe80::1%eth0',
    '',
    undefined,
  ])
    assert.equal(clientOf(address), undefined, String(address));
});
