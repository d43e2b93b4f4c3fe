import type { PublicHttp } from 'doorstep/public-http';
import { LRUCache } from 'lru-cache';
import { Refusal, retryAfter } from '../../platform/http/refusal.ts';
import { type Clock, elapsedMsOf } from '../../platform/lib/clock.ts';
import { RunningReads } from '../../platform/lib/running-reads.ts';
import { ConcurrencyLimiter } from '../../platform/load/concurrency-limiter.ts';
import { type ReadProfile, readProfile } from './negotiate.ts';

/** Maximum size of a profile, cached profiles, and their bytes as text. */
const MAX_PROFILE_BYTES = 128 * 1024;
const MAX_PROFILES = 1000;
/** Maximum length of an address, so that a thousand of them are bounded too. */
const MAX_URL_LENGTH = 2048;
const MAX_BYTES = 16 * 1024 * 1024;
/** How long a profile and a failure are cached. */
const PROFILE_MS = 60_000;
const FAILURE_MS = 10_000;
/** Reads for the sake of an unknown key, per profile. */
const REFETCH_MS = 60_000;

type Outcome = { platform: ReadProfile; bytes: number } | { refusal: Refusal };
type Known = { outcome: Outcome; readMs: number };

/** Requests that wait for a profile: an unauthenticated client chooses the profile's host, which may never respond. */
const WAITING_LIMITS = { maxRunning: 64, maxRunningOfOwner: 16, maxWaiting: 500, maxWaitingOfOwner: 50 };

/**
 * Platforms' profiles by address, read by the rules of webhook calls: https, no redirect, no private address. Requests
 * that need the same profile share one read. `reader` is the client whose waiting requests are counted.
 */
export class PlatformProfiles {
  private readonly http: Pick<PublicHttp, 'get'>;
  private readonly clock: Clock;
  private readonly known = new LRUCache<string, Known>({
    max: MAX_PROFILES,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ outcome }) => ('bytes' in outcome ? outcome.bytes : 1),
  });
  /** When a profile was last read for an unknown key. */
  private readonly refetchedMs = new LRUCache<string, number>({ max: MAX_PROFILES });
  private readonly reads = new RunningReads<Outcome>();
  private readonly waiting = new ConcurrencyLimiter({
    ...WAITING_LIMITS,
    refusal: () => new Refusal('rate_limited', 'Too many requests wait for a profile; try again.', retryAfter(2)),
  });

  constructor({ publicHttp, clock }: { publicHttp: Pick<PublicHttp, 'get'>; clock: Clock }) {
    this.http = publicHttp;
    this.clock = clock;
  }

  async of(url: string, reader: string): Promise<ReadProfile> {
    if (url.length > MAX_URL_LENGTH) throw notAllowed();
    const read = async () => this.fresh(url) ?? this.reads.of(url) ?? this.read(url);
    return readOutcome(this.fresh(url) ?? (await this.waiting.run(reader, read)));
  }

  /** Reads a profile again for a key that it lacked, up to once a minute. */
  async again(url: string, reader: string): Promise<ReadProfile> {
    const nowMs = elapsedMsOf(this.clock);
    if (nowMs - (this.refetchedMs.get(url) ?? Number.NEGATIVE_INFINITY) < REFETCH_MS) return this.of(url, reader);
    this.refetchedMs.set(url, nowMs);
    return readOutcome(await this.waiting.run(reader, () => this.read(url)));
  }

  /** The outcome of the last read, while it is recent. */
  private fresh(url: string): Outcome | undefined {
    const { outcome, readMs } = this.known.get(url) ?? {};
    if (!outcome || readMs === undefined) return undefined;
    return elapsedMsOf(this.clock) - readMs < ('refusal' in outcome ? FAILURE_MS : PROFILE_MS) ? outcome : undefined;
  }

  private read(url: string): Promise<Outcome> {
    const readMs = elapsedMsOf(this.clock);
    return this.reads.add(url, this.fetch(url), (outcome) => this.known.set(url, { outcome, readMs }));
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
    const platform = readProfile(page.text);
    if (platform) return { platform, bytes: Math.max(1, page.text.length) };
    return refused('profile_malformed', 'Your profile must be a platform profile of up to 128 KiB.');
  }
}

const notAllowed = () => new Refusal('invalid_profile_url', 'The address of your profile must be https and public.');
const refused = (code: 'profile_unreachable' | 'profile_malformed', detail: string) => ({
  refusal: new Refusal(code, detail),
});

function readOutcome(outcome: Outcome): ReadProfile {
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome.platform;
}
