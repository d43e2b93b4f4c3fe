import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientOf } from '../http/client-of.ts';
import { Refusal, retryAfter } from '../http/refusal.ts';
import { refuseSocket, writeRefusal } from '../http/unreadable-request.ts';
import type { Network } from '../lib/networks.ts';
import { NO_PEERS, type SharedCounters } from './shared-counters.ts';

/**
 * Limits connections, overall and per client, and pipelined requests. Node limits only the size of the head and the
 * total of connections, refuses the newest, and parses all requests of a 64 KiB read in one turn of the event loop.
 */

export type ConnectionBounds = {
  /** Limit for all clients, and so for a declared proxy, which limits its own clients. */
  proxy: number;
  /** Limit for one public address: an office or a family with open pages. */
  single: number;
  /** Limit for an address that may be a proxy missing in TRUST_PROXY: half of all, so that others can connect. */
  shared: number;
};

const BOUNDS: ConnectionBounds = { proxy: 20_000, single: 512, shared: 10_000 };
/** Maximum connections that are being refused; beyond it, Node.js closes new ones without a response. */
const MAX_REFUSED_CONNECTIONS = 1000;
/** How long a refused connection is still read, in milliseconds: closing it at once could discard the response. */
const LINGER_MS = 1000;
/** Maximum unanswered requests per connection. Clients that do not pipeline have one. */
const MAX_UNANSWERED = 16;
const ALL = 'connections';
const RETRY_SOON = retryAfter(1);

type Options = {
  trustProxy: readonly Network[];
  /** Whether a connection is waiting for a request or the rest of one. */
  isIdle(socket: Socket): boolean;
  /** Connections of peers count toward the same limits. */
  peers?: SharedCounters;
  bounds?: ConnectionBounds;
  maxUnanswered?: number;
};

export class ConnectionLimiter {
  private readonly options: Required<Options>;
  private readonly all = new Set<Socket>();
  private readonly ofClient = new Map<string, Set<Socket>>();
  private readonly refused = new WeakSet<Socket>();
  private readonly unanswered = new WeakMap<Socket, number>();

  constructor(options: Options) {
    this.options = { peers: NO_PEERS, bounds: BOUNDS, maxUnanswered: MAX_UNANSWERED, ...options };
  }

  /**
   * Limits a server's connections. Above a limit, a new connection evicts one without a complete request, of the same
   * client or of any; if there is none, it gets 503. So idle and slow connections lock no one out. A worker evicts only
   * its own connections.
   */
  listenTo(server: Server): void {
    server.maxConnections = this.options.bounds.proxy + MAX_REFUSED_CONNECTIONS;
    server.on('connection', (socket: Socket) => {
      const { bounds, trustProxy } = this.options;
      const { name, kind } = clientOf({ peer: socket.remoteAddress }, trustProxy);
      const own = this.ofClient.get(name) ?? new Set();
      const hasRoom = this.hasRoom(own, bounds[kind], `${ALL} of ${name}`) && this.hasRoom(this.all, bounds.proxy, ALL);
      if (hasRoom) this.add(socket, name, own);
      else this.refuse(socket);
    });
  }

  /**
   * Whether to accept a pipelined request. Beyond the limit it gets 429, and the connection ends after its responses;
   * at four times the limit, the connection is cut.
   */
  takes({ socket }: IncomingMessage, response: ServerResponse): boolean {
    if (this.refused.has(socket)) return false;
    const { maxUnanswered } = this.options;
    const count = (this.unanswered.get(socket) ?? 0) + 1;
    this.unanswered.set(socket, count);
    if (count <= maxUnanswered) {
      // The connection stays refused, because this count never drops below the limit again.
      response.once('close', () => this.unanswered.set(socket, (this.unanswered.get(socket) ?? 1) - 1));
      return true;
    }
    if (count === maxUnanswered + 1) {
      const sentence = 'Read the responses on this connection before you send more requests.';
      writeRefusal(response, new Refusal('rate_limited', sentence, RETRY_SOON));
      socket.pause();
      this.unanswered.set(socket, 2 * maxUnanswered + 1);
    } else if (count >= 4 * maxUnanswered) socket.destroy();
    return false;
  }

  private add(socket: Socket, name: string, own: Set<Socket>): void {
    this.ofClient.set(name, own.add(socket));
    this.all.add(socket);
    this.share(name, own);
    socket.once('close', () => {
      this.all.delete(socket);
      own.delete(socket);
      if (own.size === 0 && this.ofClient.get(name) === own) this.ofClient.delete(name);
      this.share(name, own);
    });
  }

  private share(name: string, own: ReadonlySet<Socket>): void {
    this.options.peers.set(`${ALL} of ${name}`, own.size);
    this.options.peers.set(ALL, this.all.size);
  }

  /** Whether there is room, perhaps after closing an idle connection. Busy ones move to the end of the search. */
  private hasRoom(open: Set<Socket>, max: number, name: string): boolean {
    if (open.size + this.options.peers.ofPeers(name).sum < max) return true;
    let left = open.size;
    for (const socket of open) {
      if (left === 0) break;
      left -= 1;
      open.delete(socket);
      if (this.options.isIdle(socket)) {
        this.all.delete(socket);
        socket.destroy();
        return true;
      }
      open.add(socket);
    }
    return false;
  }

  private refuse(socket: Socket): void {
    this.refused.add(socket);
    socket.on('error', () => {});
    const cut = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(cut));
    refuseSocket(socket, new Refusal('not_ready', 'Too many connections are open. Nothing was done.', RETRY_SOON));
  }
}
