import { isPublicAddress } from 'doorstep/public-http';
import { isWithin, type Network, parseAddress } from '../lib/networks.ts';

/** Leading groups of an IPv6 address that identify a client, because one client usually owns a whole /64. */
const CLIENT_PARTS_V6 = 4;

/** The client of a request, as far as its address identifies one. */
export type Client = {
  /** An IPv4 address, or an IPv6 /64 network; requests with the same name share limits. */
  name: string;
  /**
   * `single`: one client. `shared`: an undeclared local or private address, possibly a proxy of many clients. `proxy`:
   * a proxy of TRUST_PROXY that names no client.
   */
  kind: 'single' | 'shared' | 'proxy';
};

type AddressSource = { peer: string | undefined; forwardedFor?: string | string[] | undefined };

/**
 * Returns the client of a connection. Each trusted proxy appends its peer to `X-Forwarded-For`, so entries are read
 * from the end while a trusted proxy wrote them. An invalid entry stops there: the client is that proxy.
 */
export function clientOf({ peer, forwardedFor }: AddressSource, proxies: readonly Network[]): Client {
  let address = peer;
  let hops = 0;
  const entries = proxies.length > 0 ? [forwardedFor ?? []].flat().join(',').split(',') : [];
  while (isWithin(address, proxies)) {
    const forwarded = parseForwardedEntry(entries.pop());
    if (forwarded === undefined) break;
    address = forwarded;
    hops += 1;
  }
  return { name: addressName(address), kind: isWithin(address, proxies) ? 'proxy' : clientKind(address, hops) };
}

/** Classifies a client. All clients in a proxy's own network count as one, regardless of their addresses. */
function clientKind(address: string | undefined, hops: number): Client['kind'] {
  const plain = parseAddress(address)?.toString();
  return hops > 0 || (plain !== undefined && isPublicAddress(plain)) ? 'single' : 'shared';
}

/** Parses an entry of the header, which may have a port: 203.0.113.9:4711 or [2001:db8::1]:4711. */
function parseForwardedEntry(entry: string | undefined): string | undefined {
  const text = entry?.trim() ?? '';
  const [, inBrackets, beforePort] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(text) ?? [];
  const address = inBrackets ?? beforePort ?? text;
  return parseAddress(address) ? address : undefined;
}

function addressName(address: string | undefined): string {
  const parsed = parseAddress(address);
  if (!parsed) return 'local';
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${parsed.toNormalizedString().split(':').slice(0, CLIENT_PARTS_V6).join(':')}::/64`;
}
