import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { isWithin, type Network, parseAddress } from '../lib/networks.ts';

type IncomingConnection = { socket: Pick<Socket, 'remoteAddress'>; headers: IncomingHttpHeaders };

/**
 * Whether a request crossed the network without TLS. Remote requests do, unless a trusted proxy sends `https` in
 * `X-Forwarded-Proto`; local ones only if it sends `http`.
 */
export function isPlaintextRequest({ socket, headers }: IncomingConnection, proxies: readonly Network[]): boolean {
  const forwarded = [headers['x-forwarded-proto'] ?? []].flat().join(',');
  const isClear = forwarded.split(',').some((scheme) => scheme.trim().toLowerCase() !== 'https');
  if (isThisMachine(socket.remoteAddress)) return forwarded !== '' && isClear;
  return !isWithin(socket.remoteAddress, proxies) || isClear;
}

const OF_PROXIES = /^(?:forwarded|via|x-real-ip|x-forwarded-.+)$/;
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Whether a local program sent the request. A local proxy adds a header or passes the client's host, so its requests do
 * not count; nor do pages re-pointed here (DNS rebinding).
 */
export function isFromThisMachine({ socket, headers }: IncomingConnection): boolean {
  if (!isThisMachine(socket.remoteAddress)) return false;
  const namesOther = headers.host !== undefined && !LOCAL_HOST.test(headers.host);
  return !namesOther && !Object.keys(headers).some((name) => OF_PROXIES.test(name));
}

/** A peer without an address is a local socket. */
function isThisMachine(address: string | undefined): boolean {
  return address === undefined || parseAddress(address)?.range() === 'loopback';
}
