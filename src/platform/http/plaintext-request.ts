import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { isWithin, type Network, parseAddress } from '../lib/networks.ts';

type IncomingConnection = { socket: Pick<Socket, 'remoteAddress'>; headers: IncomingHttpHeaders };

/**
 * Whether a request crossed the network without TLS. A remote request did, unless a trusted proxy set `https` in
 * `X-Forwarded-Proto`. A local request did only if the header is `http`.
 */
export function isPlaintextRequest({ socket, headers }: IncomingConnection, proxies: readonly Network[]): boolean {
  const forwarded = [headers['x-forwarded-proto'] ?? []].flat().join(',');
  const isClear = forwarded.split(',').some((scheme) => scheme.trim().toLowerCase() !== 'https');
  if (isThisMachine(socket.remoteAddress)) return forwarded !== '' && isClear;
  return !isWithin(socket.remoteAddress, proxies) || isClear;
}

const PROXY_HEADERS = /^(?:forwarded|via|x-real-ip|x-forwarded-.+)$/;
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Whether a local program sent the request. Requests through a local proxy do not count: the proxy adds a header or
 * passes the client's host. Neither do pages re-pointed here (DNS rebinding).
 */
export function isFromThisMachine({ socket, headers }: IncomingConnection): boolean {
  if (!isThisMachine(socket.remoteAddress)) return false;
  const namesOther = headers.host !== undefined && !LOCAL_HOST.test(headers.host);
  return !namesOther && !Object.keys(headers).some((name) => PROXY_HEADERS.test(name));
}

/** Whether a peer is on this machine. One without an address is a Unix socket. */
function isThisMachine(address: string | undefined): boolean {
  return address === undefined || parseAddress(address)?.range() === 'loopback';
}
