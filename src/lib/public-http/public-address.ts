import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Global unicast (RFC 4291). Addresses outside of it are local, private or unassigned. */
const GLOBAL_UNICAST_V6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** Addresses of the public range that are a cloud's own: the virtual host's services of Azure. */
const NOT_PUBLIC_V4: readonly string[] = ['168.63.129.16'];

/**
 * Whether an IP address belongs to a public host. Private, loopback, link-local (cloud metadata), carrier NAT,
 * multicast, documentation and benchmark ranges do not, nor does any IPv6 form that carries an IPv4 address within it
 * (mapped, compatible, translated, 6to4, Teredo, NAT64): a translator on the way decides which host such a form reaches.
 */
export function isPublicAddress(text: string): boolean {
  // Only a plain address counts: no zone, no abbreviated or octal IPv4.
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return !NOT_PUBLIC_V4.includes(address.toString());
  return (address as ipaddr.IPv6).match(GLOBAL_UNICAST_V6);
}
