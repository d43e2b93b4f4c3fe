import type { Client } from '../http/client-of.ts';
import { Refusal, retryAfter } from '../http/refusal.ts';
import { NO_PEERS, type SharedCounters } from './shared-counters.ts';

/** Maximum streams per public address, more than the people behind it would open. */
const MAX_STREAMS_PER_CLIENT = 200;
/** Maximum streams per address that may be a proxy missing in TRUST_PROXY. */
const MAX_STREAMS_PER_SHARED_ADDRESS = 5000;
const MAX_OF_KIND = {
  single: MAX_STREAMS_PER_CLIENT,
  shared: MAX_STREAMS_PER_SHARED_ADDRESS,
  proxy: Number.POSITIVE_INFINITY,
};

const RETRY_LATER = retryAfter(30);

/** The reader of a stream. `link` is the key, session or link that permits it; `maxOfLink` is that link's limit. */
export type StreamReader = { client: Client; link: string; maxOfLink: number };

/** Limits open streams of all kinds together, per client address and per link, of this worker and its peers. */
export class StreamSlots {
  private readonly open = new Map<string, number>();
  private readonly peers: SharedCounters;

  constructor(peers: SharedCounters = NO_PEERS) {
    this.peers = peers;
  }

  /** Takes a slot and returns the function that releases it. Refuses with `rate_limited` at a limit. */
  take({ client, link, maxOfLink }: StreamReader): () => void {
    const names = [`client ${client.name}`, `link ${link}`] as const;
    if (this.isFull(names[0], MAX_OF_KIND[client.kind])) {
      throw new Refusal('rate_limited', 'Too many streams are open from this address. Try again later.', RETRY_LATER);
    }
    if (this.isFull(names[1], maxOfLink)) {
      throw new Refusal('rate_limited', 'Too many streams are open with this key or link.', RETRY_LATER);
    }
    for (const name of names) this.count(name, 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      for (const name of names) this.count(name, -1);
    };
  }

  private isFull(name: string, max: number): boolean {
    return (this.open.get(name) ?? 0) + this.peers.ofPeers(`streams of ${name}`).sum >= max;
  }

  private count(name: string, more: 1 | -1): void {
    const open = (this.open.get(name) ?? 0) + more;
    if (open > 0) this.open.set(name, open);
    else this.open.delete(name);
    this.peers.set(`streams of ${name}`, open);
  }
}
