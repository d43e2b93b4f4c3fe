import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

type Received = { socket: Pick<Socket, 'remoteAddress'>; headers: IncomingHttpHeaders };

/**
 * Whether a request crossed a network without TLS. The service itself speaks plain HTTP, so this holds for each request
 * of another machine. A request of this machine is of a local program, or of a proxy here, which says in
 * `X-Forwarded-Proto` how the request reached it. The header of any other peer does not count: each client can write it.
 */
export function cameInClear({ socket, headers }: Received): boolean {
  if (!isThisMachine(socket.remoteAddress)) return true;
  const forwarded = [headers['x-forwarded-proto'] ?? []].flat().join(',');
  return forwarded !== '' && forwarded.split(',').some((scheme) => scheme.trim().toLowerCase() !== 'https');
}

/** A peer without an address is a local socket. */
function isThisMachine(address: string | undefined): boolean {
  if (address === undefined) return true;
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
