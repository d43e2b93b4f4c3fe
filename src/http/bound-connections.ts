import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Network } from '../lib/networks.ts';
import { NO_PEERS, type PeerNumbers } from '../lib/peer-numbers.ts';
import { clientOf } from './client-of.ts';
import { Refusal } from './refusal.ts';
import { refuseOn } from './unreadable-request.ts';

/** Sockets that are being refused; beyond these Node.js closes a new connection without a word. */
const MAX_REFUSED = 1000;
/** A connection that is refused is read for so long: a reset could take the answer from the client. */
const LINGER_MS = 1000;

export type ConnectionBounds = {
  /** Of all clients, and so of a declared proxy, which bounds its own clients. */
  proxy: number;
  /** Of one public address: an office or a family, and its open pages. */
  single: number;
  /** Of one address that may be a proxy, and is not declared in TRUST_PROXY: half of all, so that others are let in. */
  shared: number;
};

const BOUNDS: ConnectionBounds = { proxy: 20_000, single: 512, shared: 10_000 };

type Needs = {
  trustProxy: readonly Network[];
  isIdle(socket: Socket): boolean;
  /** Their connections count in the same bounds. */
  peers?: PeerNumbers;
  bounds?: ConnectionBounds;
};

const ALL = 'connections';

/**
 * Bounds the connections of a server, in all and for each client. A new connection beyond a bound takes the room of one
 * without a whole request: of the client itself, or of any client. Where every connection has a request, the new connection
 * is refused with 503. So connections that wait, or send their request a byte at a time, keep no other client out. A declared
 * proxy has the whole room: it bounds its own clients. Connections of peers take room too; a process ends only its own.
 */
export function boundConnections(server: Server, needs: Needs): void {
  const { trustProxy, isIdle, peers = NO_PEERS, bounds = BOUNDS } = needs;
  const all = new Set<Socket>();
  const ofClient = new Map<string, Set<Socket>>();
  const accept = server.listeners('connection') as ((socket: Socket) => void)[];
  server.maxConnections = bounds.proxy + MAX_REFUSED;
  server.removeAllListeners('connection');
  server.on('connection', (socket) => {
    const { name, kind } = clientOf({ peer: socket.remoteAddress }, trustProxy);
    const own = ofClient.get(name) ?? new Set();
    const ofName = `${ALL} of ${name}`;
    const tell = () => {
      peers.tell(ofName, own.size);
      peers.tell(ALL, all.size);
    };
    const isFull = !hasRoom(own, bounds[kind], ofName) || !hasRoom(all, bounds.proxy, ALL);
    if (isFull) return refuse(socket);
    ofClient.set(name, own.add(socket));
    all.add(socket);
    tell();
    socket.once('close', () => {
      all.delete(socket);
      own.delete(socket);
      if (own.size === 0 && ofClient.get(name) === own) ofClient.delete(name);
      tell();
    });
    for (const listener of accept) listener.call(server, socket);
  });

  /** Ends an idle connection where the set is full; a busy connection moves to the end of the search. */
  function hasRoom(open: Set<Socket>, max: number, name: string): boolean {
    if (open.size + peers.ofPeers(name).sum < max) return true;
    let left = open.size;
    for (const socket of open) {
      if (left === 0) break;
      left -= 1;
      open.delete(socket);
      if (isIdle(socket)) {
        all.delete(socket);
        socket.destroy();
        return true;
      }
      open.add(socket);
    }
    return false;
  }
}

function refuse(socket: Socket): void {
  socket.on('error', () => {}).resume();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
  const comeAgain = { headers: { 'retry-after': '1' } };
  refuseOn(socket, new Refusal('not_ready', 'Too many connections are open; nothing was done.', comeAgain));
}
