import type { Socket } from 'node:net';
import { isWithin, type Network, parseAddress } from '../lib/networks.ts';
import type { Http } from './http.ts';

/** Any client may write the header: addresses beyond these are neither kept nor logged. */
const MAX_ADDRESSES = 10;

/** Addresses that sent `X-Forwarded-For` to this process and that TRUST_PROXY does not name, in the order of their first request. */
export type UndeclaredProxies = { note(socket: Pick<Socket, 'remoteAddress'>): void; list(): string[] };

/** `onFirst` is called once for each address. */
export function createUndeclaredProxies(
  trustProxy: readonly Network[],
  onFirst: (address: string) => void,
): UndeclaredProxies {
  const checked = new WeakSet<object>();
  const found = new Set<string>();
  return {
    note(socket) {
      if (checked.has(socket)) return;
      checked.add(socket);
      const address = parseAddress(socket.remoteAddress)?.toString();
      if (address === undefined || found.has(address) || found.size >= MAX_ADDRESSES) return;
      if (isWithin(address, trustProxy)) return;
      found.add(address);
      onFirst(address);
    },
    list: () => [...found],
  };
}

/** Notes the peer of each request that has `X-Forwarded-For`. */
export function noteProxies(http: Http, proxies: UndeclaredProxies): void {
  http.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['x-forwarded-for'] !== undefined) proxies.note(request.raw.socket);
    done();
  });
}
