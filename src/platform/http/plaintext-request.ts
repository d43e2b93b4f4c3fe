import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { isWithin, type Network, parseAddress } from '../lib/networks.ts';

type Received = { socket: Pick<Socket, 'remoteAddress'>; headers: IncomingHttpHeaders };

/**
 * Whether a request crossed a network without TLS. The service itself speaks plain HTTP, so this holds for each request
 * of another machine, unless a trusted proxy says `https` in `X-Forwarded-Proto`. A request of this machine is of a
 * local program, or of a proxy here: it crossed a network in clear only where the header says so. The header of any
 * other peer does not count: each client can write it.
 */
export function isPlaintextRequest({ socket, headers }: Received, proxies: readonly Network[]): boolean {
  const forwarded = [headers['x-forwarded-proto'] ?? []].flat().join(',');
  const isClear = forwarded.split(',').some((scheme) => scheme.trim().toLowerCase() !== 'https');
  if (isThisMachine(socket.remoteAddress)) return forwarded !== '' && isClear;
  return !isWithin(socket.remoteAddress, proxies) || isClear;
}

const OF_PROXIES = /^(?:forwarded|via|x-real-ip|x-forwarded-.+)$/;
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * A request of a program of this machine. What a proxy of this machine forwards is of another client: the proxy adds a
 * header, or passes on the host that the client named. So does a page whose host was re-pointed here (DNS rebinding).
 */
export function isLocal({ socket, headers }: Received): boolean {
  if (!isThisMachine(socket.remoteAddress)) return false;
  const namesOther = headers.host !== undefined && !LOCAL_HOST.test(headers.host);
  return !namesOther && !Object.keys(headers).some((name) => OF_PROXIES.test(name));
}

/** A peer without an address is a local socket. */
function isThisMachine(address: string | undefined): boolean {
  return address === undefined || parseAddress(address)?.range() === 'loopback';
}
