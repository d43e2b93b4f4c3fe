import ipaddr from 'ipaddr.js';
import { isPublicAddress } from '../lib/public-http/public-address.ts';

/** Groups of an IPv6 address that name the client's network: one client owns all addresses of a /64. */
const CLIENT_PARTS_V6 = 4;

/**
 * The client at the other end of a connection, as far as its address identifies it: an IPv4 address or an IPv6 network
 * of 64 bits. Undefined for a private or local address: that is a proxy, which may stand for any number of clients.
 */
export function clientOf(address: string | undefined): string | undefined {
  const plain = address?.replace(/^::ffff:(?=\d+\.)/i, '');
  if (plain === undefined || !isPublicAddress(plain)) return undefined;
  const parsed = ipaddr.parse(plain);
  if (parsed.kind() === 'ipv4') return plain;
  return parsed.toNormalizedString().split(':').slice(0, CLIENT_PARTS_V6).join(':');
}
