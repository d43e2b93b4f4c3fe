import type { SharedCounters } from './shared-counters.ts';

type Options = {
  /** The kind of bytes; the name of their counters. */
  of: string;
  maxBytes: number;
  /** Limit per key, session or client address. */
  maxBytesOfHolder: number;
  peers: SharedCounters;
};

/** Counts the bytes held by this worker and its peers, in all and per holder. */
export class BytesInFlight {
  private readonly options: Options;
  private readonly ofHolder = new Map<string, number>();
  private held = 0;

  constructor(options: Options) {
    this.options = options;
  }

  get total(): number {
    return this.held;
  }

  /** Returns the limit that these bytes exceed. A payload above a limit is admitted if nothing else is in flight. */
  exceeded(holder: string, bytes: number): 'holder' | 'all' | undefined {
    const { of, maxBytes, maxBytesOfHolder, peers } = this.options;
    const own = (this.ofHolder.get(holder) ?? 0) + peers.ofPeers(`${of} of ${holder}`).sum;
    if (own > 0 && own + bytes > maxBytesOfHolder) return 'holder';
    const all = this.held + peers.ofPeers(of).sum;
    return all > 0 && all + bytes > maxBytes ? 'all' : undefined;
  }

  /** Adds bytes; negative for released bytes. */
  add(holder: string, bytes: number): void {
    const { of, peers } = this.options;
    this.held += bytes;
    const own = (this.ofHolder.get(holder) ?? 0) + bytes;
    if (own > 0) this.ofHolder.set(holder, own);
    else this.ofHolder.delete(holder);
    peers.set(`${of} of ${holder}`, own);
    peers.set(of, this.held);
  }
}
