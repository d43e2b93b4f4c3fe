import type { PublicHttp } from 'doorstep/public-http';
import { LRUCache } from 'lru-cache';
import { type Clock, elapsedMsOf } from '../../platform/lib/clock.ts';
import { RunningReads } from '../../platform/lib/running-reads.ts';
import { type CountRequest, limitPerMinute } from '../../platform/load/rate-limit.ts';

/** How long a document counts as new, and a failed read as failed. */
const FRESH_MS = 3_600_000;
const FAILURE_MS = 10_000;
/** How long an unreachable client's document still refreshes its tokens. */
const STALE_MS = 7 * 24 * FRESH_MS;
/** Between reads of keys for the sake of an unknown one. */
const AGAIN_MS = 60_000;
const TIMEOUT_MS = 5000;
const MAX_DOCUMENTS = 2000;
const MAX_BYTES = 16 * 1024 * 1024;
const NEW_PER_MINUTE = 30;

type Known = { text: string | undefined; readMs: number };
type Wanted = {
  /** Whose requests for new addresses are counted. */
  accountId: string;
  maxBytes: number;
  /** How the last copy may be used: `fresh`, though out of date, or only if it is up to a minute old. */
  use?: 'fresh' | 'stale' | 'again';
};

/**
 * Documents of clients and their keys, read by the rules of webhook calls: https, no redirect, no private address.
 * Requests that need the same document share one read. Refuses with rate_limited beyond an account's new addresses.
 */
export class OutsideDocuments {
  private readonly http: Pick<PublicHttp, 'get'>;
  private readonly clock: Clock;
  private readonly countNew: CountRequest;
  private readonly reads = new RunningReads<Known>();
  private readonly known = new LRUCache<string, Known>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ text = '' }, url) => url.length + text.length,
  });

  constructor({ publicHttp, clock }: { publicHttp: Pick<PublicHttp, 'get'>; clock: Clock }) {
    this.http = publicHttp;
    this.clock = clock;
    this.countNew = limitPerMinute(
      NEW_PER_MINUTE,
      clock,
      `Up to ${NEW_PER_MINUTE} new clients per minute can connect.`,
    );
  }

  /** Returns a document's text; undefined if it cannot be read, or is too large. */
  async of(url: string, { accountId, maxBytes, use = 'fresh' }: Wanted): Promise<string | undefined> {
    const last = this.known.get(url);
    const ageMs = last ? elapsedMsOf(this.clock) - last.readMs : Number.POSITIVE_INFINITY;
    const maxMs = last?.text === undefined ? FAILURE_MS : use === 'again' ? AGAIN_MS : FRESH_MS;
    if (last && ageMs < maxMs) return last.text;
    if (!last && !this.reads.of(url)) this.countNew(accountId);
    const { text } = await (this.reads.of(url) ?? this.read(url, maxBytes));
    if (text === undefined && last?.text !== undefined && ageMs < STALE_MS) {
      // The copy stays for the next refresh.
      this.known.set(url, last);
      return use === 'stale' ? last.text : undefined;
    }
    return text;
  }

  private read(url: string, maxBytes: number): Promise<Known> {
    const readMs = elapsedMsOf(this.clock);
    const fetch = async () => {
      const page = await this.http.get(url, { accept: 'application/json' }, maxBytes, TIMEOUT_MS);
      return { text: 'status' in page && page.status === 200 ? page.text : undefined, readMs };
    };
    return this.reads.add(url, fetch(), (known) => this.known.set(url, known));
  }
}

/** Used assertions, until they expire. With several nodes, one may be used once on each. */
export class UsedAssertions {
  private readonly used = new LRUCache<string, true>({ max: 20_000 });

  isFirstUse(name: string, seconds: number): boolean {
    if (this.used.has(name)) return false;
    this.used.set(name, true, { ttl: 1000 * seconds });
    return true;
  }
}
