import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IP network in CIDR form: the first address and the prefix length. */
export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Parses an IP address from a socket or header: drops a zone and unwraps IPv4-mapped IPv6. */
export function parseAddress(text: string | undefined): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const plain = text?.split('%', 1)[0] ?? '';
  return isIP(plain) === 0 ? undefined : ipaddr.process(plain);
}

/** Parses comma-separated addresses and CIDR networks; undefined if a part is neither. */
export function parseNetworks(text: string): Network[] | undefined {
  const networks = text.split(',').map((part) => parseNetwork(part.trim()));
  return networks.every((network) => network !== undefined) ? networks : undefined;
}

function parseNetwork(text: string): Network | undefined {
  const [, first = '', bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(first);
  if (!address) return undefined;
  const maxBits = address.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [address, maxBits];
  // The prefix length of an IPv4-mapped IPv6 network would have a different meaning.
  const isPlain = isIP(first) === (address.kind() === 'ipv4' ? 4 : 6);
  return isPlain && Number(bits) <= maxBits ? [address, Number(bits)] : undefined;
}

export function isWithin(address: string | undefined, networks: readonly Network[]): boolean {
  const parsed = parseAddress(address);
  if (!parsed) return false;
  return networks.some(([first, bits]) => first.kind() === parsed.kind() && parsed.match(first as never, bits));
}

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK_HOST.test(hostname);
