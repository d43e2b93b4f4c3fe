import assert from 'node:assert/strict';
import { BlockList, isIP } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { isWithin, parseNetworks } from './networks.ts';

const addressFamily = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

test('an address is within a network exactly where the block list of Node.js says so', () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6());
  fc.assert(
    fc.property(address, address, fc.nat(128), (first, other, bits) => {
      const prefix = Math.min(bits, addressFamily(first) === 'ipv4' ? 32 : 128);
      const oracle = new BlockList();
      oracle.addSubnet(first, prefix, addressFamily(first));
      const networks = parseNetworks(`${first}/${prefix}`);
      // An IPv4-mapped IPv6 address is treated as its IPv4 address.
      fc.pre(![first, other].some((text) => /^(::|0{1,4}:)/.test(text)));
      assert.ok(networks);
      assert.equal(
        isWithin(other, networks),
        addressFamily(other) === addressFamily(first) && oracle.check(other, addressFamily(other)),
      );
      assert.equal(isWithin(first, networks), true);
    }),
  );
});

test('a list names addresses and networks, and an address counts in each form that a socket gives it', () => {
  const networks = parseNetworks(' 10.0.0.0/8, 192.0.2.7 ,2001:db8::/32,::1') ?? [];
  for (const address of ['10.255.0.1', '::ffff:10.1.2.3', '192.0.2.7', '2001:db8:1::', '::1', '::1%lo']) {
    assert.equal(isWithin(address, networks), true, address);
  }
  for (const address of ['11.0.0.1', '192.0.2.8', '2001:db9::', '::2', '', 'unknown', undefined]) {
    assert.equal(isWithin(address, networks), false, String(address));
  }
});

test('an entry that is neither an address nor a network makes the list invalid', () => {
  const wrong = ['10.0.0.0/33', '2001:db8::/129', 'proxy', '10.0.0', '10.0.0.1/', '1.2.3.4,', '10.0.0.0/8;10.1.1.1'];
  for (const text of [...wrong, '', '010.0.0.1', '::ffff:10.0.0.0/104', '10.0.0.0/-1']) {
    assert.equal(parseNetworks(text), undefined, text);
  }
});
