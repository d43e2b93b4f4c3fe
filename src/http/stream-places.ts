import { NO_PEERS, type PeerNumbers } from '../lib/peer-numbers.ts';
import type { Client } from './client-of.ts';
import { Refusal } from './refusal.ts';

/** Streams of one public address: more than the people behind the address open. */
const MAX_OF_A_CLIENT = 200;
/** Of one address that may be a proxy, and is not declared in TRUST_PROXY. */
const MAX_OF_A_SHARED_ADDRESS = 5000;
const MAX_OF_KIND = { single: MAX_OF_A_CLIENT, shared: MAX_OF_A_SHARED_ADDRESS, proxy: Number.POSITIVE_INFINITY };

const COME_AGAIN = { headers: { 'retry-after': '30' } };

/** The client that opens a stream: `link` is the key, the session or the link that permits the stream, `maxOfLink` its own bound. */
export type StreamSeat = { client: Client; link: string; maxOfLink: number };

/** Takes a place and returns the function that gives the place back. Refuses with rate_limited where a bound is met. */
export type StreamPlaces = (seat: StreamSeat) => () => void;

/** Counts the open streams of this process and its peers, of every kind together: of each client address and of each link. */
export function createStreamPlaces(peers: PeerNumbers = NO_PEERS): StreamPlaces {
  const openOf = new Map<string, number>();
  const count = (name: string, more: 1 | -1) => {
    const open = (openOf.get(name) ?? 0) + more;
    if (open > 0) openOf.set(name, open);
    else openOf.delete(name);
    peers.tell(`streams of ${name}`, open);
  };
  const isFull = (name: string, max: number) =>
    (openOf.get(name) ?? 0) + peers.ofPeers(`streams of ${name}`).sum >= max;
  return ({ client, link, maxOfLink }) => {
    const names = [`client ${client.name}`, `link ${link}`] as const;
    if (isFull(names[0], MAX_OF_KIND[client.kind])) {
      throw new Refusal('rate_limited', 'Too many streams are open from this address; look again later.', COME_AGAIN);
    }
    if (isFull(names[1], maxOfLink)) {
      throw new Refusal('rate_limited', 'Too many streams are open with this key or link.', COME_AGAIN);
    }
    for (const name of names) count(name, 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      for (const name of names) count(name, -1);
    };
  };
}
