import { LRUCache } from 'lru-cache';
import { Refusal, retryAfter } from '../../platform/http/refusal.ts';
import { type Clock, elapsedMsOf } from '../../platform/lib/clock.ts';
import type { PublicHttp } from '../../platform/lib/public-http.ts';
import { ConcurrencyLimiter } from '../../platform/load/concurrency-limiter.ts';
import { type Platform, readPlatform } from './negotiate.ts';

/** Maximum size of a profile, cached profiles, and their bytes as text. */
const MAX_PROFILE_BYTES = 128 * 1024;
const MAX_PROFILES = 1000;
/** Of an address, so that a thousand of them are bounded too. */
const MAX_URL_LENGTH = 2048;
const MAX_BYTES = 16 * 1024 * 1024;
/** How long a profile and a failure are cached. */
const PROFILE_MS = 60_000;
const FAILURE_MS = 10_000;
/** Reads for the sake of an unknown key, per profile. */
const REFETCH_MS = 60_000;

type Outcome = { platform: Platform; bytes: number } | { refusal: Refusal };
type Entry = {
  outcome: Promise<Outcome>;
  readMs: number;
  lifeMs: number;
  /** When it was last read for an unknown key; undefined if never. */
  refetchedMs: number | undefined;
};

/**
 * Platforms' profiles by address, read by the rules of webhook calls: https, no redirect, no private address. Requests
 * that need the same profile share one read. `reader` is the client whose reads are counted.
 */
export class PlatformProfiles {
  private readonly http: Pick<PublicHttp, 'get'>;
  private readonly clock: Clock;
  private readonly known = new LRUCache<string, Entry>({ max: MAX_PROFILES, maxSize: MAX_BYTES });
  private readonly limiter = new ConcurrencyLimiter({
    maxRunning: 32,
    maxRunningOfOwner: 4,
    maxWaiting: 200,
    maxWaitingOfOwner: 10,
    refusal: () => new Refusal('rate_limited', 'Too many profiles are being read; try again.', retryAfter(2)),
  });

  constructor({ publicHttp, clock }: { publicHttp: Pick<PublicHttp, 'get'>; clock: Clock }) {
    this.http = publicHttp;
    this.clock = clock;
  }

  async of(url: string, reader: string): Promise<Platform> {
    if (url.length > MAX_URL_LENGTH) throw notAllowed();
    const nowMs = elapsedMsOf(this.clock);
    const known = this.known.get(url);
    const isFresh = known !== undefined && nowMs - known.readMs < known.lifeMs;
    return readOutcome(isFresh ? known : this.read(url, reader, known?.refetchedMs));
  }

  /** Reads a profile again for a key that it lacked, at most once a minute. */
  async again(url: string, reader: string): Promise<Platform> {
    const nowMs = elapsedMsOf(this.clock);
    const { refetchedMs } = this.known.get(url) ?? {};
    const isDue = refetchedMs === undefined || nowMs - refetchedMs >= REFETCH_MS;
    return isDue ? readOutcome(this.read(url, reader, nowMs)) : this.of(url, reader);
  }

  private read(url: string, reader: string, refetchedMs: number | undefined): Entry {
    const outcome = this.limiter.run(reader, () => this.fetch(url));
    const readMs = elapsedMsOf(this.clock);
    const entry: Entry = { outcome, readMs, lifeMs: PROFILE_MS, refetchedMs };
    this.known.set(url, entry, { size: MAX_PROFILE_BYTES });
    const isCurrent = () => this.known.peek(url) === entry;
    outcome.then(
      (read) => {
        if ('refusal' in read) entry.lifeMs = FAILURE_MS;
        if (isCurrent()) this.known.set(url, entry, { size: 'bytes' in read ? read.bytes : 1 });
      },
      () => isCurrent() && this.known.delete(url),
    );
    return entry;
  }

  private async fetch(url: string): Promise<Outcome> {
    const page = await this.http.get(url, { accept: 'application/json' }, MAX_PROFILE_BYTES);
    if ('failure' in page) {
      return page.failure === 'endpoint not allowed'
        ? { refusal: notAllowed() }
        : refused('profile_unreachable', 'Your profile could not be read; it must be answered without a redirect.');
    }
    if (page.status !== 200) {
      return refused('profile_unreachable', `Your profile is answered with the status ${page.status} instead of 200.`);
    }
    const platform = readPlatform(page.text);
    if (platform) return { platform, bytes: Math.max(1, page.text.length) };
    return refused('profile_malformed', 'Your profile is not a platform profile of at most 128 KiB.');
  }
}

const notAllowed = () => new Refusal('invalid_profile_url', 'The address of your profile must be https and public.');
const refused = (code: 'profile_unreachable' | 'profile_malformed', detail: string) => ({
  refusal: new Refusal(code, detail),
});

async function readOutcome({ outcome }: Entry): Promise<Platform> {
  const read = await outcome;
  if ('refusal' in read) throw read.refusal;
  return read.platform;
}
