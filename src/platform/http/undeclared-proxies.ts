import type { Socket } from 'node:net';
import { isWithin, type Network, parseAddress } from '../lib/networks.ts';
import type { Http } from './http.ts';

/** Maximum recorded addresses; any client can send the header. */
const MAX_ADDRESSES = 10;

/** Addresses that sent `X-Forwarded-For` without being in TRUST_PROXY, in order of their first request. */
export class UndeclaredProxies {
  private readonly trustProxy: readonly Network[];
  private readonly onFirst: (address: string) => void;
  private readonly checked = new WeakSet<object>();
  private readonly found = new Set<string>();

  constructor(trustProxy: readonly Network[], onFirst: (address: string) => void) {
    this.trustProxy = trustProxy;
    this.onFirst = onFirst;
  }

  note(socket: Pick<Socket, 'remoteAddress'>): void {
    if (this.checked.has(socket)) return;
    this.checked.add(socket);
    const address = parseAddress(socket.remoteAddress)?.toString();
    if (address === undefined || this.found.has(address) || this.found.size >= MAX_ADDRESSES) return;
    if (isWithin(address, this.trustProxy)) return;
    this.found.add(address);
    this.onFirst(address);
  }

  list(): string[] {
    return [...this.found];
  }
}

export function recordProxies(http: Http, proxies: UndeclaredProxies): void {
  http.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['x-forwarded-for'] !== undefined) proxies.note(request.raw.socket);
    done();
  });
}
