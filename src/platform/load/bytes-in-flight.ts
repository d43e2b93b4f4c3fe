import type { SharedCounters } from './shared-counters.ts';

type Options = {
  /** What the bytes are of: the name of their counters. */
  of: string;
  maxBytes: number;
  /** Of one key, one session or one client address. */
  maxBytesOfHolder: number;
  peers: SharedCounters;
};

/** Counts the bytes that this worker and its peers hold, in all and for each holder. */
export class BytesInFlight {
  private readonly options: Options;
  private readonly ofHolder = new Map<string, number>();
  private held = 0;

  constructor(options: Options) {
    this.options = options;
  }

  /** The bytes that this worker holds now. */
  get total(): number {
    return this.held;
  }

  /** The bound that so many more bytes would pass. What is larger than a bound fits where nothing else is held. */
  exceeded(holder: string, bytes: number): 'holder' | 'all' | undefined {
    const { of, maxBytes, maxBytesOfHolder, peers } = this.options;
    const own = (this.ofHolder.get(holder) ?? 0) + peers.ofPeers(`${of} of ${holder}`).sum;
    if (own > 0 && own + bytes > maxBytesOfHolder) return 'holder';
    const all = this.held + peers.ofPeers(of).sum;
    return all > 0 && all + bytes > maxBytes ? 'all' : undefined;
  }

  /** Below 0 for bytes that are gone. */
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
