import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseNetworks } from '../lib/networks.ts';
import { clientOf } from './client-of.ts';

const PROXIES = parseNetworks('10.0.0.0/8,2001:db8:ffff::/48,198.51.100.7') ?? [];
const direct = (peer: string | undefined) => clientOf({ peer }, []);
const behind = (peer: string, forwardedFor?: string) => clientOf({ peer, forwardedFor }, PROXIES);

test('an IPv4 address is a client, however a socket writes it', () => {
  assert.deepEqual(direct('9.9.9.9'), { name: '9.9.9.9', kind: 'single' });
  assert.deepEqual(direct('::ffff:9.9.9.9'), direct('9.9.9.9'));
  assert.notEqual(direct('9.9.9.9').name, direct('9.9.9.10').name);
});

test('all addresses of an IPv6 network of 64 bits are one client', () => {
  assert.deepEqual(direct('2620:fe::fe'), direct('2620:fe:0:0:abcd:1:2:3'));
  assert.equal(direct('2620:fe::fe').kind, 'single');
  assert.notEqual(direct('2620:fe::fe').name, direct('2620:fe:0:1::fe').name);
});

test('a private or local address may be a proxy for many clients', () => {
  const shared = ['127.0.0.1', '::1', '::ffff:10.0.0.7', '192.168.1.1', 'fd00::1', 'fe80::1%eth0', '', undefined];
  for (const address of shared) assert.equal(direct(address).kind, 'shared', String(address));
  assert.notEqual(direct('10.0.0.7').name, direct('10.0.0.8').name);
});

test('the client behind trusted proxies is the last address that a trusted proxy wrote', () => {
  const client = { name: '9.9.9.9', kind: 'single' };
  for (const header of ['9.9.9.9', '1.1.1.1, 9.9.9.9', '9.9.9.9:4711', '1.1.1.1,9.9.9.9,10.1.1.1 , 198.51.100.7']) {
    assert.deepEqual(behind('10.0.0.1', header), client, header);
  }
  assert.deepEqual(behind('2001:db8:ffff::1', '[2620:fe::1]:443'), direct('2620:fe::2'));
  // Several proxies of one network, but still one client.
  assert.deepEqual(behind('10.0.0.1', '192.168.7.7'), { name: '192.168.7.7', kind: 'single' });
});

test('a proxy that names no client is itself the client, of many', () => {
  for (const header of [undefined, '', 'unknown', '9.9.9.9, unknown', '9.9.9.9, ', '_hidden', '9.9.9.9, <script>']) {
    assert.deepEqual(behind('10.0.0.1', header), { name: '10.0.0.1', kind: 'proxy' }, String(header));
  }
  assert.deepEqual(behind('10.0.0.1', '10.0.0.2'), { name: '10.0.0.2', kind: 'proxy' });
});

test('reports from peers outside the trusted networks are ignored', () => {
  const peer = fc
    .oneof(fc.ipV4(), fc.ipV6())
    .filter((address) => !/^10\.|^198\.51\.100\.7$|^2001:db8|^::/i.test(address));
  const entry = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string());
  fc.assert(
    fc.property(peer, fc.array(entry), (address, entries) => {
      assert.deepEqual(behind(address, entries.join(',')), direct(address));
    }),
  );
});
