import ipaddr from 'ipaddr.js';
import { isPublicAddress } from '../lib/public-http/public-address.ts';

/** An IPv6 client has a network of its own, with all the addresses in it. */
const CLIENT_PARTS_V6 = 4;

/**
 * Who is at the other end of a connection, as far as its address tells: an IPv4 address or an IPv6 network of 64 bits.
 * Undefined for an address of this machine or a private network: that is a proxy, behind which anybody may be.
 */
export function clientOf(address: string | undefined): string | undefined {
  const plain = address?.replace(/^::ffff:(?=\d+\.)/i, '');
  if (plain === undefined || !isPublicAddress(plain)) return undefined;
  const parsed = ipaddr.parse(plain);
  if (parsed.kind() === 'ipv4') return plain;
  return parsed.toNormalizedString().split(':').slice(0, CLIENT_PARTS_V6).join(':');
}
