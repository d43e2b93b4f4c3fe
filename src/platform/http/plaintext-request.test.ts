import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNetworks } from '../lib/networks.ts';
import { isPlaintextRequest } from './plaintext-request.ts';

const given = (remoteAddress: string | undefined, proto?: string | string[], proxies = '192.0.2.99') =>
  isPlaintextRequest(
    { socket: { remoteAddress }, headers: proto === undefined ? {} : { 'x-forwarded-proto': proto } },
    parseNetworks(proxies) ?? [],
  );

test('a request of this machine came in clear only where a proxy here says so', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', undefined]) {
    assert.equal(given(address), false);
    assert.equal(given(address, 'https'), false);
    assert.equal(given(address, 'HTTPS, https'), false);
    for (const proto of ['http', 'https, http', 'http,https', 'wss', ['https', 'http']]) {
      assert.equal(given(address, proto), true, String(proto));
    }
  }
});

test('a request of another machine came in clear, whatever it says of itself', () => {
  for (const address of ['203.0.113.9', '10.0.0.2', '192.168.1.4', '2001:db8::1', '::ffff:10.0.0.2', 'nonsense']) {
    assert.equal(given(address), true);
    assert.equal(given(address, 'https'), true, address);
  }
});

test('a request of a trusted proxy came in clear unless the proxy says https', () => {
  for (const address of ['10.0.0.2', '::ffff:10.0.0.2', '2001:db8::1']) {
    const proxies = '10.0.0.0/8,2001:db8::/32';
    assert.equal(given(address, 'https', proxies), false, address);
    for (const proto of [undefined, '', 'http', 'https, http', ['https', 'http']]) {
      assert.equal(given(address, proto, proxies), true, String(proto));
    }
  }
});
