import { isWithin, type Network, parseAddress } from '../lib/networks.ts';
import { isPublicAddress } from '../lib/public-http.ts';

/** Leading groups of an IPv6 address that identify a client: one client usually owns a whole /64. */
const CLIENT_PARTS_V6 = 4;

/** A request's client, as far as its address identifies it. */
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
 * The client of a connection. Trusted proxies append their peer to `X-Forwarded-For`, so it is read from the end while
 * a trusted proxy wrote the entry. An invalid entry stops there: the client is that proxy.
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

/** Clients from a proxy's own network count as one, whatever their addresses. */
function clientKind(address: string | undefined, hops: number): Client['kind'] {
  const plain = parseAddress(address)?.toString();
  return hops > 0 || (plain !== undefined && isPublicAddress(plain)) ? 'single' : 'shared';
}

/** An entry of the header, possibly with a port: 203.0.113.9:4711 or [2001:db8::1]:4711. */
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
